/** Whether a person has to allow a call of a server tool, and what they said. */
import type { PendingToolCall } from '../../core/protocol/events.ts';
import type { Clock } from '../../shared/clock.ts';
import { copyArguments } from '../../shared/copy-arguments.ts';
import { compact } from '../../shared/json.ts';
import { readStandardJsonSchema } from '../../shared/read-standard-json-schema.ts';
import { askRule, RULE_LIMIT_MS } from '../ask-rule.ts';
import type { StoredAnswer } from '../store/call-record.ts';
import { toDeadline } from './expires-in.ts';
import { mayRemember } from './remembered-choice.ts';
import type { ServerToolDefinition, TimedApproval } from './server-tool.ts';
import { APPROVAL } from './steps.ts';
import type { Suspension, ToolCallIO } from './tool-run.ts';

/** A call of a tool whose arguments its schema has read. */
interface ParsedCall {
  readonly call: PendingToolCall;
  readonly tool: ServerToolDefinition;
  readonly args: unknown;
}

/** Returns the answer of a person, of now or of an earlier call, if one is needed. An earlier no counts before the policy of the tool. */
export async function decideApproval(
  parsed: ParsedCall,
  io: ToolCallIO,
  onThrown: (thrown: unknown) => void,
): Promise<StoredAnswer | Suspension | 'run' | 'ask'> {
  const { steps, choices } = io;
  const approval = steps[APPROVAL];
  if (approval?.type === 'answered') return approval.answer;
  const earlier = await choices?.recall(parsed.tool);
  if (earlier?.choice !== 'declined' && !(await needsApproval(parsed, io, onThrown))) return 'run';
  if (choices === undefined || earlier === undefined) return 'ask';
  const { question = {} } = toApprovalQuestion(parsed.call, parsed.tool, io);
  return choices.answer(earlier, question).catch((thrown: unknown) => ({ type: 'broken', thrown }));
}

/** A question that could not be decided is asked: only `never` and an exact `false` let a call run without a person. */
async function needsApproval(
  { call, tool, args }: ParsedCall,
  { clock }: ToolCallIO,
  onThrown: (thrown: unknown) => void,
): Promise<boolean> {
  const { when } = readApproval(tool);
  if (typeof when !== 'function') return when !== 'never';
  // The rule gets a copy: its changes must not reach the arguments that the tool runs with.
  const name = `approval of the tool '${call.toolName}'`;
  const decided = await askRule(clock, RULE_LIMIT_MS, name, () => when(copyArguments(args)));
  if ('value' in decided) return decided.value !== false;
  onThrown(decided.failed);
  return true;
}

/** The call itself is the question: it keeps its id. */
export function toApprovalQuestion(
  call: PendingToolCall,
  tool: ServerToolDefinition,
  { choices, clock }: { readonly choices?: object | undefined; readonly clock: Clock },
): PendingToolCall {
  const { title, description, severity, confirmLabel, declineLabel, editable, reason, waitsFor, input } =
    tool;
  const inputSchema = input && readStandardJsonSchema(input);
  return compact({
    ...call,
    executedBy: 'server' as const,
    deadline: toDeadline(clock, readApproval(tool).expiresInMs),
    question: compact({
      ui: 'confirm' as const,
      title,
      description,
      severity,
      confirmLabel,
      declineLabel,
      editable,
      reason,
      inputSchema,
      remember: (choices !== undefined && mayRemember(tool)) || undefined,
    }),
    waitsFor,
  });
}

function readApproval({ approval = 'never' }: ServerToolDefinition): TimedApproval<unknown> {
  return typeof approval === 'object' ? approval : { when: approval };
}
