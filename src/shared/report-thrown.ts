/** What an app's own code threw, as an uncaught error: where the app's monitoring finds it, and nothing of ours breaks. */
export function reportThrown(thrown: unknown): void {
  if (typeof reportError === 'function') reportError(thrown);
  else
    setTimeout(() => {
      throw thrown;
    });
}

/** Calls an app's own code, which may not break ours: what it throws is reported. */
export function callSafely(callback: () => void): void {
  try {
    callback();
  } catch (thrown) {
    reportThrown(thrown);
  }
}
