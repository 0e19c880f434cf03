/** Hides texts that nobody may read, such as the values of secret variables, wherever they stand in another text. */

/** A text that is hidden, and what stands in its place. */
export interface HiddenText {
  readonly text: string;
  readonly replacement: string;
}

/** A shorter text is not searched for in others, because it stands in ordinary words and numbers. Characters. */
export const MIN_HIDDEN_LENGTH = 4;

interface Span {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** Returns a value as it stands in plain text, in JSON text, and in the query and the path of an address. */
export function toWrittenForms(value: string): readonly string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  const inQuery = new URLSearchParams([['', value]]).toString().slice(1);
  return [...new Set([value, inJson, inQuery, encodePathSegment(value)])];
}

/** Encodes a text for the path of an address. A half of a surrogate pair becomes U+FFFD, as it does in a query. */
export function encodePathSegment(text: string): string {
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
}

/**
 * Replaces the texts wherever they stand. Texts that overlap are replaced together: in `abcdef`, with `abcd` and `cdef` hidden, to replace
 * only the first would show the end of the second.
 */
export function hideTexts(text: string, hidden: readonly HiddenText[]): string {
  let shown = '';
  let from = 0;
  for (const { start, end, replacement } of findSpans(text, hidden)) {
    shown += text.slice(from, start) + replacement;
    from = end;
  }
  return shown + text.slice(from);
}

/** Returns how much of the beginning of a text is settled: in the rest, a hidden text may begin that the next piece completes. */
export function lengthOfSettled(text: string, hidden: readonly HiddenText[]): number {
  const open = Math.max(0, ...hidden.map((entry) => lengthOfOpenEnd(text, entry.text)));
  const cut = text.length - open;
  const across = findSpans(text, hidden).find(({ start, end }) => start < cut && cut < end);
  return across?.start ?? cut;
}

/** Returns the length of the longest end of the text with which the hidden text begins, without being complete. */
function lengthOfOpenEnd(text: string, hidden: string): number {
  for (let length = Math.min(hidden.length - 1, text.length); length > 0; length -= 1) {
    if (text.endsWith(hidden.slice(0, length))) return length;
  }
  return 0;
}

/** Finds the parts of a text to replace, in order. They do not overlap. */
function findSpans(text: string, hidden: readonly HiddenText[]): readonly Span[] {
  const found = hidden.flatMap((entry) => findAll(text, entry));
  found.sort((one, other) => one.start - other.start || other.end - one.end);
  const spans: Span[] = [];
  for (const span of found) {
    const last = spans.at(-1);
    if (last === undefined || span.start >= last.end) spans.push(span);
    else if (span.end > last.end) spans[spans.length - 1] = join(last, span);
  }
  return spans;
}

function findAll(text: string, { text: wanted, replacement }: HiddenText): readonly Span[] {
  const spans: Span[] = [];
  for (let start = text.indexOf(wanted); start >= 0; start = text.indexOf(wanted, start + 1)) {
    spans.push({ start, end: start + wanted.length, replacement });
  }
  return spans;
}

function join(one: Span, { end, replacement }: Span): Span {
  const isSame = one.replacement.endsWith(replacement);
  return { ...one, end, replacement: isSame ? one.replacement : one.replacement + replacement };
}
