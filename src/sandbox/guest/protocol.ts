/** The border: the messages between the program's side (`guest`) and the worker's side, which are only texts and bytes. */

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

/** Sends a message of the guest. Throws into the program if the message exceeds a limit. */
export type Post = (
  kind: GuestMessage,
  number: number,
  tag: string,
  text: string,
  ...buffers: readonly ArrayBuffer[]
) => void;

/** An error as texts, with the raw stack of the engine. `link` marks an error of the module graph. */
export interface Thrown {
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  readonly link?: true;
}

/** The values that the host gives to a run, packed as one value. */
export interface Capabilities {
  readonly globals: Readonly<Record<string, unknown>>;
  readonly imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly args: readonly unknown[];
  /** Install a `console` that captures. */
  readonly console: boolean;
  /** Install `report`. */
  readonly report: boolean;
}

/** The exports of the wrapper module: the requested export, or the namespace of the program. */
export type Wrapper = { readonly target: unknown } | { readonly entry: { readonly default?: unknown } };

/** The interface of the guest for the worker. */
export interface Guest {
  /** Unpacks the capabilities and returns the globals by name. */
  prepare(text: string, ...buffers: readonly ArrayBuffer[]): object;
  /** Returns the values of a module of `imports`. */
  namespace(specifier: string): object;
  /** Runs the export, given the namespace of the wrapper module or a promise of it. */
  finish(wrapper: Wrapper | Promise<Wrapper>): void;
  /** Ends the run with an error that evaluation threw. */
  fail(thrown: unknown, link: boolean): void;
  /** Answers a call: with a value, or with a JSON {@link Thrown}. */
  settle(call: number, fulfilled: boolean, text: string, ...buffers: readonly ArrayBuffer[]): void;
}
