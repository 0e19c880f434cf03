/** Tells the page about an error that was caught: `window.onerror` listeners hear it, as if nobody had. */
export function reportFailure(error: unknown): void {
  if (typeof reportError === 'function') reportError(error);
  else console.error(error);
}
