/** Tools that run by themselves, but not without being allowed to. */
import type { ConfirmationTone, ToolAnnotations } from '../shared/confirmation-tone.ts';
import type { ClientToolContext } from './client-tools.ts';

/**
 * Whether a person has to allow a call before its handler runs.
 *
 * - `never`: it runs at once
 * - `always`: each call asks
 * - `once-per-conversation`: the first call asks; once a person allowed one, the others run. Kept with `persistence`
 * - a function of the checked arguments: `true` asks. One that throws, returns anything but `true` or `false`, or
 *   takes longer than ten seconds asks too; a fault is reported (`reportError`)
 */
export type ToolApproval<Args = Record<string, unknown>> =
  | 'never'
  | 'always'
  | 'once-per-conversation'
  | ((args: Args, context: ClientToolContext) => boolean | Promise<boolean>);

/** What a dialog has to know to ask with the care a tool deserves. */
export interface AskingOptions {
  /** How careful the person should be. Default: by `annotations`, else `neutral`. */
  readonly tone?: ConfirmationTone;
  readonly annotations?: ToolAnnotations;
  /** A word the person has to type before Confirm works. */
  readonly confirmWord?: string;
  /**
   * Lets the person confirm all waiting calls of this tool with one press. Default `false`. Never offered where a
   * `confirmWord` has to be typed or the tone is `destructive`: each of those deserves its own look.
   */
  readonly approveAll?: boolean;
}

/** What a person wants to have remembered. */
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
}

/** What the engine needs of a store of choices; `createRememberedChoices` makes one. */
export interface ChoiceMemory {
  /** What was said to a call like this before, if it was to be remembered. */
  recall(call: RememberableCall): Promise<'allowed' | 'declined' | undefined>;
  remember(call: RememberableCall, said: ChoiceToRemember): Promise<void>;
}
