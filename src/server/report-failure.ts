/** Tells the app's own logs what was thrown: the client and the agent only get its message. */

/** What threw, and in whose conversation. */
export interface ServerFailure {
  readonly source: 'agent' | 'tool' | 'store';
  readonly sessionId: string;
  readonly executionId?: string;
  /** Of a tool: which call of which. */
  readonly toolName?: string;
  readonly toolCallId?: string;
}

/** Hears what was thrown, as it was thrown. What it throws itself, or rejects with, is ignored. */
export type FailureListener = (thrown: unknown, failure: ServerFailure) => unknown;

/** Calls the listener, if there is one. Never throws. */
export function reportFailure<Failure extends readonly unknown[]>(
  listener: ((...failure: Failure) => unknown) | undefined,
  ...failure: Failure
): void {
  (async () => listener?.(...failure))().catch(() => {});
}
