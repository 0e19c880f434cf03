/**
 * Returns an id as a store of UTF-8 text without NUL can keep it: NUL is escaped as in JSON, and so are lone surrogates, which would all
 * become U+FFFD and so the same id. Different ids have different texts, and the text of an ordinary id is the id.
 */
export function toKeyText(id: string): string {
  return JSON.stringify(id).slice(1, -1);
}

/** Returns the id of a text that `toKeyText` made. */
export function fromKeyText(text: string): string {
  return JSON.parse(`"${text}"`) as string;
}
