/**
 * JSON that is still arriving: feed text in any cuts, look at the value so far at any time.
 *
 * Own code, because libraries for partial JSON (`partial-json`, `best-effort-json-parser` and the like) take the
 * whole text so far and parse it from its start: one look per delta makes that quadratic. Here every character is
 * read once, whatever the cuts, and a look copies only the containers that are still open; closed ones are shared.
 */

import { parseJson } from './json.ts';

/** A reader of one JSON value. Made by {@link createIncrementalJson}. */
export interface IncrementalJson {
  /** Takes the next piece of the text. After a failure it does nothing. */
  feed(chunk: string): void;
  /**
   * The value so far, frozen; it never changes later. `undefined` until there is one.
   *
   * Open strings are given as far as they got, open numbers as far as they are plausible (`1.` is 1); half-written
   * keys and literals are left out. Once the text is complete it equals what `JSON.parse` gives.
   */
  value(): unknown;
  /** True if the text is no JSON, or nests deeper than 256. The value stays as before the first bad character. */
  readonly failed: boolean;
}

/** Real arguments never nest deeper than this. A stream that does must not exhaust the stack of its readers. */
const MAX_DEPTH = 256;

/** A container that is open. */
interface Frame {
  readonly end: ']' | '}';
  /** Of an object: its entries. */
  readonly items: unknown[];
  /** Of an object: the key whose value comes next. */
  key: string;
}

/** The expected token, or the token in which the text so far ends. */
type Place = 'value' | 'key' | 'colon' | 'comma' | 'in-key' | 'in-string' | 'in-word';

/** A new reader. It costs nothing until it is fed. */
export function createIncrementalJson(): IncrementalJson {
  // Sticky patterns carry a position, so each reader has its own.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them raw inside strings
  const plainText = /[^"\\\u0000-\u001f]*/y;
  const word = /[-+.\w]*/y;

  let chunk = '';
  let position = 0;
  let place: Place = 'value';
  /** Innermost last. */
  const frames: Frame[] = [];
  let frame: Frame | undefined;
  /** The container that is open may end here: behind its beginning or a whole value. */
  let mayClose = false;
  let text = '';
  /** An escape sequence that is not complete: starts with a backslash. */
  let pendingEscape = '';
  let root: unknown;
  let failed = false;

  const fail = () => {
    failed = true;
  };

  const begin = (token: Place, first = '') => {
    place = token;
    text = first;
  };

  const expectItem = (within: Frame) => {
    place = isList(within) ? 'value' : 'key';
  };

  const put = (value: unknown) => {
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
    else if (character === '"') begin('in-string');
    else if (/[-\dtfn]/.test(character)) begin('in-word', character);
    else fail();
  };

  /** A character outside of any token. */
  const readStructure = (character: string) => {
    if (' \t\n\r'.includes(character)) return;
    if (mayClose && character === frame?.end) {
      const closed = build(frame, frame.items);
      frames.pop();
      frame = frames.at(-1);
      return put(closed);
    }
    mayClose = false;
    if (place === 'value') beginValue(character);
    else if (place === 'key' && character === '"') begin('in-key');
    else if (place === 'colon' && character === ':') place = 'value';
    else if (place === 'comma' && character === ',' && frame) expectItem(frame);
    else fail();
  };

  /** Adds the run of characters that `pattern` accepts to the token. */
  const readRun = (pattern: RegExp) => {
    pattern.lastIndex = position;
    pattern.test(chunk);
    text += chunk.slice(position, pattern.lastIndex);
    position = pattern.lastIndex;
  };

  /** One character of an escape sequence. */
  const readEscape = (character: string) => {
    pendingEscape += character;
    if (pendingEscape.length < (pendingEscape[1] === 'u' ? 6 : 2)) return;
    const meant = parseJson(`"${pendingEscape}"`);
    if (meant === undefined) return fail();
    text += meant;
    pendingEscape = '';
  };

  const readString = () => {
    if (pendingEscape !== '') return readEscape(chunk.charAt(position++));
    readRun(plainText);
    const character = chunk.charAt(position++);
    if (character === '"' && place === 'in-key' && frame) {
      frame.key = text;
      place = 'colon';
    } else if (character === '"') put(text);
    else if (character === '\\') pendingEscape = character;
    else if (character !== '') fail();
  };

  /** Numbers and literals end before the first character that cannot belong to them; literals also with their last. */
  const readWord = () => {
    readRun(word);
    const isEnded = position < chunk.length;
    const meant = isEnded || /[a-z]$/.test(text) ? parseJson(text) : undefined;
    if (meant !== undefined) put(meant);
    else if (isEnded) fail();
  };

  /** Returns the presentable part of the token in the innermost open container: `1.` is 1, `-` is no number yet. */
  const innermost = (): unknown => {
    if (place === 'in-string') return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
    if (place !== 'in-word') return root;
    // Nothing follows a leading zero but a point or an exponent.
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

/** From entries, because then `__proto__` is a key like any other, as it is for `JSON.parse`. */
function build(frame: Frame, items: unknown[]): unknown {
  return Object.freeze(isList(frame) ? items : Object.fromEntries(items as [string, unknown][]));
}
