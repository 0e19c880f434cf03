/** Reports an error of the app's own code as an uncaught error, so that the app's monitoring finds it and the chat goes on. */
export function reportThrown(thrown: unknown): void {
  if (typeof reportError === 'function') reportError(thrown);
  else
    setTimeout(() => {
      throw thrown;
    });
}

/** Calls a function of the app and reports the error that it throws, so that the chat goes on. */
export function callSafely(callback: () => void): void {
  try {
    callback();
  } catch (thrown) {
    reportThrown(thrown);
  }
}
