/**
 * Settles as the promise does, or resolves to undefined as soon as the signal aborts. Once the signal has aborted, a rejection
 * of the promise is ignored.
 */
export function untilAborted<Value>(
  promise: Promise<Value>,
  signal: AbortSignal,
): Promise<Value | undefined> {
  return new Promise((resolve, reject) => {
    const abort = () => resolve(undefined);
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    void promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
