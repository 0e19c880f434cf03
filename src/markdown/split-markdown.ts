/**
 * Splits markdown into pieces that render the same alone as together. While an answer streams, only its last piece changes,
 * so each finished piece is parsed once. Parsing the whole text for each delta is quadratic in its length.
 *
 * A piece ends at a blank line whose next line starts a new block at the left margin, outside of fenced code and of math in
 * `$$` (an extension). A text stays one piece if it has link definitions, or markup that may contain blank lines. The rest of
 * a text stays one piece after a list or quote that ends inside of its fenced code.
 */
export function splitMarkdown(text: string): readonly string[] {
  if (DEFINITION.test(text) || LONG_MARKUP.test(text)) return [text];
  const pieces: string[] = [];
  let start = 0;
  let position = 0;
  let fence: { readonly indent: number; readonly marker: string } | undefined;
  let wasBlank = false;
  for (const line of text.split(/(?<=\n)/)) {
    if (fence === undefined) {
      if (wasBlank && BEGINNING.test(line)) {
        pieces.push(text.slice(start, position));
        start = position;
      }
      const [, before = '', marker] = FENCE.exec(line) ?? [];
      if (marker !== undefined) fence = { indent: before.length, marker };
    } else {
      const [, before = '', marker] = FENCE_END.exec(line) ?? [];
      const ends = marker?.startsWith(fence.marker) && before.length === fence.indent;
      if (ends) fence = undefined;
      else if (fence.indent > 0 && (marker !== undefined || /^\S/.test(line))) break;
      // Without the math extension, dollar signs open nothing, and this line opens fenced code.
      else if (fence.marker.startsWith('$') && FENCE.test(line)) break;
    }
    wasBlank = line.trim() === '';
    position += line.length;
  }
  pieces.push(text.slice(start));
  return pieces;
}

/** `[name]: address`, also in lists and quotes. Footnotes (an extension) look the same. */
const DEFINITION = /^[ \t>*+\-\d.)]*\[[^\]\n]+\]:/m;
/** HTML blocks 1 to 5 of CommonMark, which end at their end condition and not at a blank line. */
const LONG_MARKUP = /<(?:[!?]|(?:script|pre|style|textarea)\b)/i;
/** The start of fenced code or math, also in lists and quotes. A backtick later in the line makes it inline code. */
const FENCE = /^([\s>*+\-\d.)]*)(`{3,}(?!`|.*`)|~{3,}|\${2,}(?!\$|.*\$))/;
const FENCE_END = /^(\s*)(`{3,}|~{3,}|\${2,})\s*$/;
/** The start of a paragraph, a heading or fenced code; not of a list, a quote, indented text or markup. */
const BEGINNING = /^(?:\p{L}|#|`{3,}|~{3,})/u;
