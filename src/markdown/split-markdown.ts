/**
 * Markdown in pieces that mean the same apart as together. While an answer streams only its last piece changes, so a
 * piece that is done is parsed once: parsing the whole for each delta costs the square of its length.
 *
 * Careful rather than clever: a piece ends at a blank line whose next line begins something at the left margin that
 * continues nothing, outside of fenced code and of math in `$$`, which is an extension. A text with links defined apart
 * from their use, or with markup that may have blank lines inside, is one piece; so is the rest after a list or quote that
 * ends in the middle of its code.
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
      // Without the extension dollars mean nothing, and this is code.
      else if (fence.marker.startsWith('$') && FENCE.test(line)) break;
    }
    wasBlank = line.trim() === '';
    position += line.length;
  }
  pieces.push(text.slice(start));
  return pieces;
}

/** `[name]: address`, or the footnotes of an extension; also within lists and quotes. */
const DEFINITION = /^[ \t>*+\-\d.)]*\[[^\]\n]+\]:/m;
/** HTML blocks 1 to 5 of CommonMark: they end at a word, not at a blank line. */
const LONG_MARKUP = /<(?:[!?]|(?:script|pre|style|textarea)\b)/i;
/** Also within lists and quotes. A backtick further on makes it code within a line. */
const FENCE = /^([\s>*+\-\d.)]*)(`{3,}(?!`|.*`)|~{3,}|\${2,}(?!\$|.*\$))/;
const FENCE_END = /^(\s*)(`{3,}|~{3,}|\${2,})\s*$/;
/** A letter, a heading or code: no list, no quote, nothing indented, no markup. */
const BEGINNING = /^(?:\p{L}|#|`{3,}|~{3,})/u;
