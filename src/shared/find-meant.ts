/**
 * Returns the word that a name was probably meant to be: one that the name contains (`needsApproval`), or from which it differs in at most
 * two letters (`aproval`), whatever their case. Returns undefined for a name that is like none of the words.
 */
export function findMeant<Word extends string>(name: string, words: readonly Word[]): Word | undefined {
  const written = name.toLowerCase();
  return words.find((word) => {
    const meant = word.toLowerCase();
    return written.includes(meant) || countEdits(written, meant) <= 2;
  });
}

/** Returns how many letters must be added, removed or replaced to make one text of the other (the distance of Levenshtein). */
function countEdits(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [line, letter] of [...from].entries()) {
    const next = [line + 1];
    for (const [column, other] of [...to].entries()) {
      const kept = (row[column] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(kept, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
