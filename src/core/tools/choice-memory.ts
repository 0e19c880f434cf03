/** What is remembered of how a person answered, as the engine sees it. */
import type { StandardSchemaV1 } from '@standard-schema/spec';

/** A choice that a person wants to have remembered. */
export interface ChoiceToRemember {
  /**
   * A remembered no exists on purpose: an agent that asks over and over until somebody is tired enough to say yes
   * would otherwise win.
   */
  readonly choice: 'allowed' | 'declined';
  /** For how long: this conversation, or all conversations of this browser. */
  readonly scope: 'conversation' | 'browser';
  /** Only for calls with the same arguments. Default `false`: for all calls of the tool. */
  readonly sameArguments?: boolean;
}

/** A call a remembered choice may be about. */
export interface RememberableCall {
  readonly toolName: string;
  /** As the agent sent them. */
  readonly args: unknown;
  readonly conversationId: string;
  /** The tool as the person knows it: its name, title, description, input schema and severity. A choice counts for this text alone. */
  readonly definition?: string | undefined;
  /** What the tool is called, for people. */
  readonly title?: string | undefined;
  /** The tool's schema of its arguments, where a choice is to be remembered: it says which of them are secret. */
  readonly input?: StandardSchemaV1 | undefined;
}

/** What the engine needs of a store of choices; `createRememberedChoices` makes one. */
export interface ChoiceMemory {
  /** What was said to a call like this before, if it was to be remembered. */
  recall(call: RememberableCall): Promise<'allowed' | 'declined' | undefined>;
  remember(call: RememberableCall, said: ChoiceToRemember): Promise<void>;
}
