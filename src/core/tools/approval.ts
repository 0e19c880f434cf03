/**
 * True if a person has to allow a call before its handler runs (the `approval` of a tool), and what else a person may
 * decide together with it.
 *
 * In doubt a person is asked. A remembered "no" counts before the policy; a remembered "yes" counts only where the policy
 * would have asked. So neither a failed policy nor a failed memory lets a handler run unasked.
 */

import { createApprovalNo, DECLINED_EARLIER } from '../../shared/approval-answers.ts';
import type { Clock } from '../../shared/clock.ts';
import { reportThrown } from '../../shared/report-thrown.ts';
import { readDeclaredSeverity } from '../../shared/severity.ts';
import { withTimeout } from '../../shared/with-timeout.ts';
import type { Conversation } from '../state/conversation.ts';
import type { ToolCall, ToolCallAnswer } from '../state/tool-call.ts';
import type { ChoiceMemory } from './choice-memory.ts';
import type {
  AutomaticToolDefinition,
  ClientToolContext,
  ClientToolDefinition,
  InteractiveTool,
} from './client-tool.ts';
import { describeTool } from './find-tool.ts';
import { outcomes } from './outcomes.ts';
import { shareArguments } from './parse-arguments.ts';

/**
 * - `run`: the policy lets the handler run unasked
 * - `ask`: a person decides
 * - `allowed`: a person allowed calls like this one earlier
 * - an answer: a person declined calls like this one earlier
 */
export type ApprovalDecision = 'run' | 'ask' | 'allowed' | ToolCallAnswer;

export interface ApprovalContext {
  readonly clock: Clock;
  /** Holds the tools of which a person has allowed a call in this conversation. */
  readonly store: { read(): Pick<Conversation, 'allowedTools'> };
  readonly conversationId: () => string;
  /** The options as they are right now. */
  readonly options: () => { readonly rememberedChoices?: ChoiceMemory };
}

/** A policy or a memory that takes longer counts as failed. Databases of browsers are known to never answer at times. */
const DECISION_LIMIT_MS = 10_000;

export function needsApproval({ approval = 'never' }: AutomaticToolDefinition): boolean {
  return approval !== 'never';
}

/**
 * Decides by the remembered choices and by the tool's policy. Never rejects: a fault is reported, and a person is asked.
 *
 * @param args the arguments as the tool's schema parsed them
 */
export async function decideApproval(
  { request }: ToolCall,
  tool: AutomaticToolDefinition,
  args: unknown,
  signal: AbortSignal,
  context: ApprovalContext,
): Promise<ApprovalDecision> {
  const { clock, store } = context;
  const { rememberedChoices } = context.options();
  const conversationId = context.conversationId();
  const { toolCallId, toolName } = request;
  try {
    const definition = describeTool(toolName, tool);
    const recall = async () =>
      rememberedChoices?.recall({ toolName, args: request.args, conversationId, definition });
    const remembered = await withinLimit(clock, recall, 'rememberedChoices');
    if (![undefined, 'allowed', 'declined'].includes(remembered))
      throw toFault('rememberedChoices', `recalled ${String(remembered)} instead of 'allowed' or 'declined'`);
    if (remembered === 'declined') return outcomes.declined(DECLINED_EARLIER, createApprovalNo());
    const decision = await askPolicy(
      tool,
      args,
      { toolCallId, toolName, signal },
      store.read().allowedTools.includes(definition),
      clock,
    );
    return decision === 'ask' && remembered === 'allowed' && mayRemember(tool) ? remembered : decision;
  } catch (thrown) {
    reportThrown(thrown);
    return 'ask';
  }
}

async function askPolicy(
  tool: AutomaticToolDefinition,
  args: unknown,
  context: Omit<ClientToolContext, 'addFile' | 'report'>,
  isAllowed: boolean,
  clock: Clock,
): Promise<ApprovalDecision> {
  const { approval } = tool;
  const policy = `approval of tool ${context.toolName}`;
  if (approval === 'once-per-conversation') return isAllowed ? 'allowed' : 'ask';
  if (typeof approval !== 'function') return 'ask';
  const answer = await withinLimit(clock, async () => approval(shareArguments(tool, args), context), policy);
  if (typeof answer === 'boolean') return answer ? 'ask' : 'run';
  throw toFault(policy, `returned ${String(answer)} instead of true (ask) or false (run)`);
}

function withinLimit<Value>(clock: Clock, answer: () => Promise<Value>, subject: string): Promise<Value> {
  return withTimeout(answer(), {
    clock,
    limitMs: DECISION_LIMIT_MS,
    onTimeout: () => {
      throw toFault(subject, `did not answer within ${DECISION_LIMIT_MS / 1000} s`);
    },
  });
}

function toFault(subject: string, what: string): TypeError {
  return new TypeError(`${subject} ${what}, so the person is asked.`);
}

/** True if a remembered "yes" may stand for later calls. */
function mayRemember(tool: AutomaticToolDefinition): boolean {
  return (
    tool.remember === true && tool.confirmWord === undefined && readDeclaredSeverity(tool) !== 'destructive'
  );
}

/** True if allowing one call of the tool allows all others of this conversation. */
export function isOncePerConversation(tool: ClientToolDefinition | string): boolean {
  return typeof tool !== 'string' && 'execute' in tool && tool.approval === 'once-per-conversation';
}

/** What a person may decide about other calls together with this one. */
export function toPermissions(
  { approvalReason, request }: ToolCall,
  tool: ClientToolDefinition | string,
  context: Pick<ApprovalContext, 'options' | 'conversationId'>,
): Pick<InteractiveTool, 'oncePerConversation' | 'remember'> {
  if (approvalReason !== 'policy' || typeof tool === 'string' || !('execute' in tool)) return {};
  const { rememberedChoices } = context.options();
  const conversationId = context.conversationId();
  const { toolName, args } = request;
  const { input, title } = tool;
  const definition = describeTool(toolName, tool);
  return {
    ...(isOncePerConversation(tool) && { oncePerConversation: true }),
    ...(rememberedChoices !== undefined &&
      mayRemember(tool) && {
        remember: (choice) =>
          rememberedChoices.remember({ toolName, args, conversationId, definition, title, input }, choice),
      }),
  };
}
