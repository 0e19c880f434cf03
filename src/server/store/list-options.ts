import type { OpenCall } from '../../core/protocol/open-calls.ts';
import type { Clock } from '../../shared/clock.ts';
import type { Principal } from '../../shared/principal.ts';

/** The part of an `AgentSession` that decides who may answer. */
export interface AnswerableSession {
  mayAnswer(principal: Principal, openCall: OpenCall): boolean | Promise<boolean>;
}

/** Options of `SessionStore.listOpenCalls`. */
export interface ListOpenCallsOptions {
  /** Only calls that this person may answer. Default: all calls. */
  readonly principal?: Principal;
  /**
   * Returns the session whose rules decide what the `principal` may answer. Without it, only the sessions that began to wait in this
   * process are known, and the calls of any other session are left out.
   */
  readonly openSession?: (
    sessionId: string,
  ) => AnswerableSession | undefined | null | Promise<AnswerableSession | undefined | null>;
  /**
   * Called with the error of a session that cannot be opened, or cannot be asked, within ten seconds. Its calls are left out of the list.
   */
  readonly onError?: (thrown: unknown, sessionId: string) => unknown;
  readonly clock?: Clock;
  /** Default 50. */
  readonly limit?: number;
  /** The `next` of the list before. */
  readonly after?: string;
}
