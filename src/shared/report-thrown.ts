/** Reports an error that the app's code threw as an uncaught error: the app's monitoring gets it, and the engine goes on. */
export function reportThrown(thrown: unknown): void {
  if (typeof reportError === 'function') reportError(thrown);
  else
    setTimeout(() => {
      throw thrown;
    });
}

/** Calls a callback of the app. An error that it throws is reported and does not stop the engine. */
export function callSafely(callback: () => void): void {
  try {
    callback();
  } catch (thrown) {
    reportThrown(thrown);
  }
}
