/** The warnings that were written. A mistake that is repeated must not fill the console. */
const written = /* @__PURE__ */ new Set<string>();

/** Writes a warning for the developer of the app to the console, each text once per page. */
export function warnOnce(text: string): void {
  if (written.has(text)) return;
  written.add(text);
  console.warn(text);
}
