/** The border itself: what the program's side (`guest`) and the worker's side say to each other, in texts and bytes. */

/**
 * Messages of the guest.
 *
 * - `log`: tag is the level, value the list of arguments
 * - `report`: a value
 * - `call`: number is the call, tag the id of the bridged function, value the list of arguments
 * - `done`: the result
 * - `failed`: text is a JSON {@link Thrown}
 */
export type GuestMessage = 'log' | 'report' | 'call' | 'done' | 'failed';

/** Called by the guest. Throws into the program when the message is refused because it is too much. */
export type Post = (
  kind: GuestMessage,
  number: number,
  tag: string,
  text: string,
  ...buffers: readonly ArrayBuffer[]
) => void;

/** An error as texts, with the raw stack of the engine. `link`: the module graph is at fault. */
export interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly link?: true;
}

/** What comes in with a run, as one packed value. */
export interface Capabilities {
  readonly globals: Readonly<Record<string, unknown>>;
  readonly imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly args: readonly unknown[];
  /** Install a `console` that captures. */
  readonly console: boolean;
  /** Install `report`. */
  readonly report: boolean;
}

/** The export that was asked for, or else the namespace of the program. */
export type Wrapper = { readonly target: unknown } | { readonly entry: { readonly default?: unknown } };

/** The interface of the guest for the worker. */
export interface Guest {
  /** Takes the capabilities and returns the globals by name. */
  prepare(text: string, ...buffers: readonly ArrayBuffer[]): object;
  /** The values of a module of `imports`. */
  namespace(specifier: string): object;
  /** Runs the export, given the namespace of the wrapper module or a promise of it. */
  finish(wrapper: Wrapper | Promise<Wrapper>): void;
  /** Ends the run with an error that evaluation threw. */
  fail(thrown: unknown, link: boolean): void;
  /** Answers a call: with a value, or with a JSON {@link Thrown}. */
  settle(call: number, fulfilled: boolean, text: string, ...buffers: readonly ArrayBuffer[]): void;
}
