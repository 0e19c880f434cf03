/** Reports errors to the app's own logs. The client and the agent only get the error's message. */

/**
 * The source of an error, and the conversation it belongs to. The source `rule` is `mayOpen`, or `clientTools` with the
 * `toolName` that it was asked about; the rules about a call belong to its tool.
 * `trace` is the app's function that gets the steps of the session.
 */
export interface ServerFailure {
  readonly source: 'agent' | 'tool' | 'store' | 'rule' | 'trace';
  readonly sessionId: string;
  readonly executionId?: string;
  /** The call that failed, if the source is a tool; or the tool that `clientTools` was asked about. */
  readonly toolName?: string;
  readonly toolCallId?: string;
}

/** Called with the thrown value itself. An error or rejection of the listener is ignored. */
export type FailureListener = (thrown: unknown, failure: ServerFailure) => unknown;

/** Calls the listener, if there is one. Never throws. */
export function reportFailure<Failure extends readonly unknown[]>(
  listener: ((...failure: Failure) => unknown) | undefined,
  ...failure: Failure
): void {
  (async () => listener?.(...failure))().catch(() => {});
}
