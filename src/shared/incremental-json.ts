/**
 * Parses JSON that is still arriving: feed the text in any pieces, read the value so far at any time.
 *
 * Libraries such as `partial-json` and `best-effort-json-parser` take the whole text so far and parse it from its start: with one read
 * per delta, an argument of 100 kB costs O(N²). `jsonriver` parses incrementally, but it pulls from a stream and mutates the values
 * that it gave out before. This parser is fed by events, and its values are frozen: each character is parsed once, and a read copies
 * only the containers that are still open.
 */
import { parseJson } from './json.ts';

/** A parser of one JSON value. Made by {@link createIncrementalJson}. */
export interface IncrementalJson {
  /** Takes the next piece of the text. After a failure it does nothing. */
  feed(chunk: string): void;
  /**
   * Returns the value so far, frozen, or `undefined` before the first one. Later text does not change a returned value.
   *
   * An open string is returned as far as it arrived, an open number as far as it is plausible (`1.` is 1). Half a key or half a literal
   * is left out. The value of the complete text equals that of `JSON.parse`.
   */
  value(): unknown;
  /** True if the text is no JSON, or nests deeper than 256. The value stays as it was before the first bad character. */
  readonly failed: boolean;
}

/** Limits nesting: recursive readers of the value would run out of stack on `[[[[…`. */
const MAX_DEPTH = 256;

/** A container that is open. */
interface Frame {
  readonly end: ']' | '}';
  /** The items of a list, or the entries of an object. */
  readonly items: unknown[];
  /** The key whose value comes next in an object. */
  key: string;
}

/** The element that the parser expects next, or the token that it is in. */
type Place = 'value' | 'key' | 'colon' | 'comma' | 'in-key' | 'in-string' | 'in-word';

/** Returns a new parser. Until it is fed, it costs nothing. */
export function createIncrementalJson(): IncrementalJson {
  // A sticky pattern carries its position, so each parser has its own patterns.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them unescaped inside strings
  const plainText = /[^"\\\u0000-\u001f]*/y;
  const word = /[-+.\w]*/y;

  let chunk = '';
  let position = 0;
  let place: Place = 'value';
  /** Innermost last. */
  const frames: Frame[] = [];
  let frame: Frame | undefined;
  /** True after the beginning of a container and after a whole value: the container may end here. */
  let mayClose = false;
  /** The text of the token so far, with its escape sequences decoded. */
  let text = '';
  /** An escape sequence that is not complete, with its backslash. */
  let pendingEscape = '';
  let root: unknown;
  let failed = false;

  const fail = () => {
    failed = true;
  };

  const beginToken = (token: Place, first = '') => {
    place = token;
    text = first;
  };

  const expectItem = (within: Frame) => {
    place = isList(within) ? 'value' : 'key';
  };

  const endValue = (value: unknown) => {
    if (frame === undefined) root = value;
    else frame.items.push(toItem(frame, value));
    place = 'comma';
    mayClose = true;
  };

  const open = (end: Frame['end']) => {
    if (frames.length === MAX_DEPTH) return fail();
    frame = { end, items: [], key: '' };
    frames.push(frame);
    expectItem(frame);
    mayClose = true;
  };

  const beginValue = (character: string) => {
    if (character === '{') open('}');
    else if (character === '[') open(']');
    else if (character === '"') beginToken('in-string');
    else if (/[-\dtfn]/.test(character)) beginToken('in-word', character);
    else fail();
  };

  /** Reads a character outside of any token. */
  const readStructure = (character: string) => {
    if (' \t\n\r'.includes(character)) return;
    if (mayClose && character === frame?.end) {
      const closed = build(frame, frame.items);
      frames.pop();
      frame = frames.at(-1);
      return endValue(closed);
    }
    mayClose = false;
    if (place === 'value') beginValue(character);
    else if (place === 'key' && character === '"') beginToken('in-key');
    else if (place === 'colon' && character === ':') place = 'value';
    else if (place === 'comma' && character === ',' && frame) expectItem(frame);
    else fail();
  };

  /** Adds the characters that the pattern accepts to the token. */
  const readWhile = (pattern: RegExp) => {
    pattern.lastIndex = position;
    pattern.test(chunk);
    text += chunk.slice(position, pattern.lastIndex);
    position = pattern.lastIndex;
  };

  /** Reads one character of an escape sequence: `\n` has two, `\u00e4` has six. */
  const readEscape = (character: string) => {
    pendingEscape += character;
    if (pendingEscape.length < (pendingEscape[1] === 'u' ? 6 : 2)) return;
    const decoded = parseJson(`"${pendingEscape}"`);
    if (decoded === undefined) return fail();
    text += decoded;
    pendingEscape = '';
  };

  const readString = () => {
    if (pendingEscape !== '') return readEscape(chunk.charAt(position++));
    readWhile(plainText);
    const character = chunk.charAt(position++);
    if (character === '"' && place === 'in-key' && frame) {
      frame.key = text;
      place = 'colon';
    } else if (character === '"') endValue(text);
    else if (character === '\\') pendingEscape = character;
    else if (character !== '') fail();
  };

  /**
   * Reads a number or a literal. A number ends before the next other character; `true`, `false` and `null` also end with their last
   * letter.
   */
  const readWord = () => {
    readWhile(word);
    const isEnded = position < chunk.length;
    const decoded = isEnded || /[a-z]$/.test(text) ? parseJson(text) : undefined;
    if (decoded !== undefined) endValue(decoded);
    else if (isEnded) fail();
  };

  /** Returns the value of the open token as far as it can be shown: `1.` is 1, and `-` is no number yet. */
  const innermost = (): unknown => {
    // The first half of a surrogate pair would be shown as a replacement character.
    if (place === 'in-string') return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
    if (place !== 'in-word') return root;
    // `01` is no JSON: only a point or an exponent may follow a leading zero.
    const number = Number.parseFloat(text.replace(/^(-?0)\d.*/, '$1'));
    return Number.isFinite(number) ? number : undefined;
  };

  return {
    feed(next) {
      chunk = next;
      position = 0;
      while (position < chunk.length && !failed) {
        if (place === 'in-word') readWord();
        else if (place === 'in-key' || place === 'in-string') readString();
        else readStructure(chunk.charAt(position++));
      }
    },
    value() {
      let value = innermost();
      for (const around of frames.toReversed()) {
        const items = [...around.items];
        if (value !== undefined) items.push(toItem(around, value));
        value = build(around, items);
      }
      return value;
    },
    get failed() {
      return failed;
    },
  };
}

function isList({ end }: Frame): boolean {
  return end === ']';
}

function toItem(frame: Frame, value: unknown): unknown {
  return isList(frame) ? value : [frame.key, value];
}

/** Objects are built from entries, because then `__proto__` is an own key, as it is for `JSON.parse`. */
function build(frame: Frame, items: unknown[]): unknown {
  return Object.freeze(isList(frame) ? items : Object.fromEntries(items as [string, unknown][]));
}
