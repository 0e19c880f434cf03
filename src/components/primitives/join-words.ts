/** Joins class names, ids or sentences, leaving out what is not there. */
export function joinWords(...words: readonly (string | false | undefined)[]): string | undefined {
  return words.filter(Boolean).join(' ') || undefined;
}
