/**
 * What reads the schemas, secrets and policies of a tool. `defineClientTool` puts it into its definition, so that an app whose
 * tools are functions and `'interactive'` does not load it.
 */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { AgentChatOptions } from '../chat/agent-chat.ts';
import type { Clock } from '../shared/clock.ts';
import type { Validation } from '../shared/validate.ts';
import type { CallApproval, ToolCall, ToolCallAnswer } from '../state/tool-call.ts';
import type { ChatStore } from '../store/chat-store.ts';
import {
  type AutomaticToolDefinition,
  type DefinedTool,
  type InteractiveTool,
  type InteractiveToolDefinition,
  type Issue,
  toolRules,
} from './client-tool.ts';
import { redactResult } from './redact-result.ts';

/**
 * - `run`: nobody has to be asked
 * - `ask`: a person decides
 * - `allowed`: a person has decided earlier; so they have where it is an answer, the no to this call
 */
export type Verdict = 'run' | 'ask' | 'allowed' | ToolCallAnswer;

export interface PolicyContext {
  readonly store: ChatStore;
  readonly clock: Clock;
  /** The options as they are right now. */
  readonly options: () => Pick<AgentChatOptions, 'clientTools' | 'rememberedChoices'>;
  readonly conversationId: string;
}

/** What tool calls lend to have one judged. */
export interface JudgedCalls extends PolicyContext {
  readonly cleanups: Map<string, () => void>;
  readonly settle: (key: string, answer: ToolCallAnswer, by: 'remembered') => void;
  readonly start: (call: ToolCall, mayRun: true, approval: CallApproval) => void;
  readonly run: (
    call: ToolCall,
    tool: AutomaticToolDefinition,
    args: unknown,
    approval: CallApproval | undefined,
  ) => void;
  readonly wait: (call: ToolCall, tool: AutomaticToolDefinition, approvalReason: 'policy') => void;
  readonly onSettled: (byPerson: boolean) => void;
}

type AnyDefinition = InteractiveToolDefinition | AutomaticToolDefinition;

export interface ToolRules {
  /** The parsed value, or what is wrong with it. Never throws. */
  validate(schema: StandardSchemaV1 | undefined, value: unknown): Validation;
  describeIssues(issues: readonly Issue[]): string;
  /** What of a result, or a draft, may be shown and kept; `undefined` where all of it may. */
  shownResult(call: ToolCall, tool: AnyDefinition | undefined, result: unknown): unknown;
  /** What a person may say of other calls together with this one. */
  permissionsOf?(
    call: ToolCall,
    tool: AnyDefinition | string,
    context: PolicyContext,
  ): Pick<InteractiveTool, 'oncePerConversation' | 'remember'> | undefined;
  /** Lets the other calls run that a yes to this one covers. */
  allowOthers?(call: ToolCall, tool: AnyDefinition | string, calls: JudgedCalls): void;
  /** Takes a call over that may not just run. Whether it does. */
  judge?(call: ToolCall, tool: AutomaticToolDefinition, args: unknown, calls: JudgedCalls): boolean;
}

/** A tool without a definition takes and gives everything, and has no policy. */
const BARE_RULES: ToolRules = {
  validate: (_, value) => ({ value }),
  describeIssues: ([issue]) => issue?.message ?? '',
  shownResult: redactResult,
};

export function rulesOf(tool: AnyDefinition | string | undefined): ToolRules {
  return ((tool as Partial<DefinedTool> | undefined)?.[toolRules] as ToolRules | undefined) ?? BARE_RULES;
}
