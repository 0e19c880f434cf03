/** Joins class names, ids or sentences with spaces. Skips empty ones. Returns undefined when none is left. */
export function joinWords(...words: readonly (string | false | undefined)[]): string | undefined {
  return words.filter(Boolean).join(' ') || undefined;
}
