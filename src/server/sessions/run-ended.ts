/**
 * Why a run was ended before its agent was done.
 *
 * - `interrupted`: nobody reads it any more; it may be restarted
 * - `stopped`: a person stopped it
 * - `superseded`: a newer message took its place
 */
export type EndReason = 'interrupted' | 'stopped' | 'superseded';

/** The reason of the abort signal that agents and server tools get. Its name is `AbortError`, as fetch has it. */
export class RunEnded extends Error {
  override readonly name = 'AbortError';
  readonly why: EndReason;

  constructor(why: EndReason) {
    super(`The run was ended: ${why}`);
    this.why = why;
  }
}
