import type { Answerer, Principal } from '../shared/principal.ts';

/** A conversation as `mayOpen` sees it. */
export interface OpenedSession {
  readonly id: string;
  /** Everybody who started a turn of it or answered a call of it. */
  readonly participants: readonly Answerer[];
}

/** Returns true if this person may read the conversation and go on with it. A function that throws allows nobody. */
export type MayOpen = (principal: Principal, session: OpenedSession) => boolean | Promise<boolean>;
