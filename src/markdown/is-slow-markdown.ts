/**
 * Returns true for a text that the parser takes too long for. It compares each mark of a block that may close emphasis, code or a
 * link with all marks that may open it: 20 kB of `*a_ ` take seconds, again with each delta. The depth of blocks costs as much.
 */
export function isSlowMarkdown(text: string): boolean {
  if (text.length < MAX_MARKS) return false;
  if (DEEP_BLOCK.test(text)) return true;
  return text
    .replace(FENCED_CODE, '')
    .split(BLOCK_START)
    .some((block) => (block.match(MARK)?.length ?? 0) > MAX_MARKS);
}

/** More than any paragraph has that was written for people. */
const MAX_MARKS = 400;
const MARK = /[*_~]+|`+|\[|\]|[<!&\\]/g;
const DEEP_BLOCK = /^(?:[ \t]*(?:>|[*+-][ \t]|\d{1,9}[.)][ \t])){30}/m;
/** The marks in code are text. */
const FENCED_CODE = /^[ \t]*(`{3,}|~{3,})(?!.*`)[\s\S]*?(?:^[ \t]*\1|$(?![\s\S]))/gm;
/** A blank line, or a line that starts an item, a quote, a row or a heading. */
const BLOCK_START = /\n(?=[ \t]*(?:\n|[*+-][ \t]|\d+[.)][ \t]|[>|#]))/;

/** Each line outside of fenced code, each cell of a table and each mark may become an element of the page. */
const ELEMENT = /\n|\||[*_~]+|`+|\[|[<!&\\]/g;

/** Returns how many elements a text may become. */
export function countElements(text: string): number {
  return text.replace(FENCED_CODE, '').match(ELEMENT)?.length ?? 0;
}
