/** What the agent of every server does, and what a case sees of it. */

/** A payment that was made, with its arguments. */
export interface ServerState {
  readonly paid: { readonly amount: unknown }[];
  /** What people said, as the agent was told: a call that was declined, or a payment. */
  readonly told: string[];
  /** Holds a text in its middle until it is resolved. */
  readonly gate: { promise: Promise<void>; open(): void };
}

export type Said =
  | { readonly type: 'text'; readonly text: string }
  /** A text whose second half waits for the gate. */
  | { readonly type: 'slow'; readonly halves: readonly [string, string] }
  | { readonly type: 'pay'; readonly amount: unknown };

export function createServerState(): ServerState {
  let open = () => {};
  const promise = new Promise<void>((resolve) => (open = resolve));
  return { paid: [], told: [], gate: { promise, open: () => open() } };
}

/** @param result the result of the call that was answered last, if the agent was asked because of it */
export function answer(said: string, result: string | undefined, state: ServerState): Said {
  if (result !== undefined) {
    state.told.push(result);
    return { type: 'text', text: `Result: ${result}` };
  }
  if (said.includes('Pay')) return { type: 'pay', amount: 3 };
  if (said.includes('Wrong')) return { type: 'pay', amount: 'three' };
  if (said.includes('Talk')) return { type: 'slow', halves: ['One two ', 'three four.'] };
  return { type: 'text', text: 'Hello.' };
}
