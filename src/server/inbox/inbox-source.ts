import type { ToolResult } from '../../core/protocol/events.ts';
import type { OpenCallList } from '../../core/protocol/open-calls.ts';
import type { Principal } from '../../shared/principal.ts';

/** The part of the open calls that a person asks for. */
export interface InboxQuery {
  readonly principal: Principal;
  /** The longest list. Default 50. */
  readonly limit?: number;
  /** The `next` of the list before. */
  readonly after?: string;
}

/** The answers of a person to calls of one conversation. */
export interface InboxAnswer {
  /** The `sessionId` of the open call. */
  readonly sessionId: string;
  /** The `executionId` of the open call. */
  readonly executionId: string;
  readonly toolResults: readonly ToolResult[];
}

/**
 * What became of the answers: all of them are stored, or none is. The code of a refusal is one of a session, such as `not_allowed`,
 * `call_expired` or `already_answered`: by it the page decides whether the call waits again. `retryable` says that the same answers may be
 * taken later.
 */
export type InboxReceipt =
  | { readonly status: 'accepted' }
  | {
      readonly status: 'refused';
      readonly code: string;
      readonly message: string;
      readonly retryable?: boolean;
    };

/**
 * A backend whose calls wait for people: `handleInboxRequest` lists the calls of several as one inbox. The sessions of a store are one;
 * the `inbox` of a tool service is another.
 */
export interface InboxSource {
  /**
   * The beginning of the `sessionId` of each of its calls, such as `utp/hitl/`. By it an answer finds its source, so no two sources of a
   * route may have the same, and no session of the store an id that begins with it.
   */
  readonly prefix: string;
  /**
   * Returns the open calls that this person may answer, the oldest first. `pageOpenCalls` makes the pages of a list in memory.
   *
   * @throws AgentChatError `invalid_options` for an `after` that is the `next` of no list. Any other error means: try again later.
   */
  list(query: InboxQuery): Promise<OpenCallList>;
  /** Calls back whenever the list may have changed. Returns the function that ends it. */
  subscribe(listener: () => void): () => void;
  /**
   * Takes the answers of this person, and checks again that they may give them. Resolves as soon as the answers are stored.
   *
   * @throws an error if it is unknown whether they are: the page sends them again.
   */
  answer(answer: InboxAnswer, principal: Principal): Promise<InboxReceipt>;
}
