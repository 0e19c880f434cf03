/**
 * Returns an id as PostgreSQL can store it: NUL, which text cannot hold, and lone surrogates, which would all become U+FFFD and so the same
 * id, are escaped as in JSON. Different ids have different texts, and the text of an ordinary id is the id.
 */
export function toStoredText(id: string): string {
  return JSON.stringify(id).slice(1, -1);
}

/** Returns the id of a text that `toStoredText` made. */
export function fromStoredText(text: string): string {
  return JSON.parse(`"${text}"`) as string;
}
