/** Hooks of an agent (Standard Agents specification 0.15, `HookSignatures`): functions that see, and may change, what a thread does. */
import type { ToolResult } from './define-tool.ts';
import type { ThreadMessage, ToolCallEntry } from './thread-message.ts';
import type { ThreadState } from './thread-state.ts';

/** A value, or nothing to keep the one that the hook got. */
type Changed<Value> = Value | null | undefined | Promise<Value | null | undefined>;

/**
 * What a hook gets, and what it may return. Where several hooks have one name, each gets what the one before returned. An error of
 * `after_create_message` or `after_update_message` goes to `onError` alone; that of another hook ends what the hook is part of, too: the
 * request, the call or the model's message.
 */
export interface HookSignatures<State = ThreadState> {
  /** After a thread was created, before its first message. */
  after_thread_created(state: State): unknown;
  /** On the parent thread, after the thread of a subagent was created. */
  after_subagent_created(state: State, childState: State): unknown;
  /** Returns the system message of a model request. Called only where the agent has a `prompt`. */
  after_system_message(state: State, systemMessage: string): Changed<string>;
  /** Returns the rows of which the history of a model request is made. */
  filter_messages(state: State, messages: readonly ThreadMessage[]): Changed<readonly ThreadMessage[]>;
  /** Returns the history of a model request, as the model gets it. */
  prefilter_llm_history(state: State, messages: readonly ThreadMessage[]): Changed<readonly ThreadMessage[]>;
  /** Returns a row before it is stored. The runtime keeps its `id`, `created_at` and `status`. */
  before_create_message(state: State, message: ThreadMessage): Changed<ThreadMessage>;
  after_create_message(state: State, message: ThreadMessage): unknown;
  /** Returns the fields of a row that change: of a message that leaves the queue, or of one that the model has written. */
  before_update_message(
    state: State,
    messageId: string,
    updates: Partial<ThreadMessage>,
  ): Changed<Partial<ThreadMessage>>;
  after_update_message(state: State, message: ThreadMessage): unknown;
  /** Returns the result of a tool before it is stored, after the two hooks below. */
  before_store_tool_result(
    state: State,
    toolCall: ToolCallEntry,
    toolResult: ToolResult,
  ): Changed<ToolResult>;
  after_tool_call_success(state: State, toolCall: ToolCallEntry, toolResult: ToolResult): Changed<ToolResult>;
  after_tool_call_failure(state: State, toolCall: ToolCallEntry, toolResult: ToolResult): Changed<ToolResult>;
}

/** The name of a point at which hooks are called. */
export type HookName = keyof HookSignatures;

/** A hook of an agent. */
export type HookDefinition = {
  [Name in HookName]: {
    readonly hook: Name;
    /** Names the hook in errors. */
    readonly id: string;
    readonly execute: HookSignatures[Name];
  };
}[HookName];

const NAMES: Readonly<Record<HookName, true>> = {
  after_thread_created: true,
  after_subagent_created: true,
  after_system_message: true,
  filter_messages: true,
  prefilter_llm_history: true,
  before_create_message: true,
  after_create_message: true,
  before_update_message: true,
  after_update_message: true,
  before_store_tool_result: true,
  after_tool_call_success: true,
  after_tool_call_failure: true,
};

/**
 * Defines a hook for the `hooks` of an agent.
 *
 * @throws TypeError for a name that is no point of the specification, or without an id or a function.
 */
export function defineHook<Name extends HookName>(definition: {
  readonly hook: Name;
  readonly id: string;
  readonly execute: HookSignatures[Name];
}): Extract<HookDefinition, { readonly hook: Name }> {
  const { hook, id, execute } = definition;
  if (!Object.hasOwn(NAMES, hook)) {
    throw new TypeError(`defineHook: ${hook} is no hook. Use one of ${Object.keys(NAMES).join(', ')}`);
  }
  if (typeof id !== 'string' || id === '') throw new TypeError(`defineHook: the hook ${hook} needs an id`);
  if (typeof execute !== 'function') {
    throw new TypeError(`defineHook: execute of ${id} must be a function (state, ...) => {}`);
  }
  return definition as Extract<HookDefinition, { readonly hook: Name }>;
}
