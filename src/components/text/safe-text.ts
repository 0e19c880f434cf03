/**
 * Arguments come from a model, so their text may be hostile. The kit never shows it as HTML, cuts it at a limit, and
 * spells out characters that reorder or hide the text after them: "Pay \u{202e}01 tsoh" must not read as "Pay host 10".
 */

/**
 * Bidirectional overrides and isolates, zero-width characters, characters that are drawn as nothing (the soft hyphen, fillers of Hangul,
 * the empty Braille cell), and controls other than tab and line feed. The zero-width joiner and non-joiner (200C, 200D) are not among
 * them, because scripts and emoji need them.
 */
const DECEPTIVE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the expression finds control characters
  /[\u034F\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u115F\u1160\u17B4\u17B5\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u2069\u2800\u3164\uFEFF\uFFA0\uFFF9-\uFFFC\u{E0000}-\u{E007F}]/gu;

/** More marks on one letter than any language has are drawn over the lines around it. */
const STACKED_MARKS = /(\p{M}{4})\p{M}+/gu;

/** A longer text is cut after this many characters. */
export const MAX_TEXT_LENGTH = 2_000;

/**
 * Returns text that is safe to show: cut after `limit` characters, with deceptive characters spelled out as `\u{…}`, and with at most four
 * marks on a letter.
 */
export function displayText(text: string, limit: number = MAX_TEXT_LENGTH): string {
  const lines = text.replace(/\r\n?/g, '\n');
  // A cut in the middle of a surrogate pair would show as a replacement character.
  const cut = lines.length > limit ? `${lines.slice(0, limit).replace(/[\uD800-\uDBFF]$/, '')}…` : lines;
  return cut.replace(DECEPTIVE, spellOut).replace(STACKED_MARKS, '$1…');
}

const spellOut = (character: string) => `\\u{${character.codePointAt(0)?.toString(16)}}`;

/** Alphabets with letters that look like Latin ones. */
const LOOKALIKE = /[\p{Script=Armenian}\p{Script=Cherokee}\p{Script=Cyrillic}\p{Script=Greek}]/gu;

/** Spells out the letters of other alphabets in a word that has Latin ones: an `аmount` with a Cyrillic first letter is no `amount`. */
function spellOutLookalikes(word: string): string {
  return /\p{Script=Latin}/u.test(word) ? word.replace(LOOKALIKE, spellOut) : word;
}

/**
 * Returns the URL to link to when the whole text is a URL, else `undefined`. It accepts only `http:`, `https:` and
 * `mailto:`, without credentials: `https://bank.example@evil.test` leads to evil.test. An international host name is
 * returned in ASCII. Show the full text as the link or beside it.
 */
export function readLink(text: string): string | undefined {
  if (text.length > MAX_TEXT_LENGTH || /\s/.test(text)) return undefined;
  if (!/^(https?:\/\/|mailto:)/i.test(text)) return undefined;
  try {
    const url = new URL(text);
    return url.username || url.password ? undefined : url.href;
  } catch {
    return undefined;
  }
}

/** Turns an identifier into a label: `confirm-order` and `confirmOrder` become `Confirm order`. */
export function humaniseName(name: string): string {
  const afterPrefix = name.replace(/^(?:mcp|provider):/, '');
  const words = afterPrefix
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    // The last capital of a run begins the next word: `sendSMSToUser` has the words `send SMS To User`.
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .replace(/[_\-./:]+/g, ' ')
    .trim()
    .split(/\s+/)
    .map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))
    .map(spellOutLookalikes)
    .join(' ');
  return displayText(words.charAt(0).toUpperCase() + words.slice(1) || name, 160);
}

/**
 * Returns true for a text such as `confirm-order` or `confirmOrder`, which is an identifier and not written for people.
 */
export function looksLikeIdentifier(text: string): boolean {
  return /^[A-Za-z0-9]+([_\-.:/][A-Za-z0-9]+)+$/.test(text) || /^[a-z]+([A-Z][a-z0-9]*)+$/.test(text);
}

/** `1 option`, `2 options`. For English labels only: other languages have other rules. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
