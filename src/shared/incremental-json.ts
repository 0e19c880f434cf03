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

/** Returns a new parser. Until it is fed, it costs nothing. */
export function createIncrementalJson(): IncrementalJson {
  return new IncrementalParser();
}

/** A stream of `[[[[…` must not exhaust the stack of the functions that read the value. */
const MAX_DEPTH = 256;

/** A container that is open. */
interface Frame {
  readonly end: ']' | '}';
  /** The items of a list, or the entries of an object. */
  readonly items: unknown[];
  /** The key whose value comes next in an object. */
  key: string;
}

/** The element that is expected next, or the token in which the text stands. */
type Place = 'value' | 'key' | 'colon' | 'comma' | 'in-key' | 'in-string' | 'in-word';

class IncrementalParser implements IncrementalJson {
  // A sticky pattern carries its position, so each parser has its own patterns.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: JSON forbids them unescaped inside strings
  readonly #plainText = /[^"\\\u0000-\u001f]*/y;
  readonly #word = /[-+.\w]*/y;
  #chunk = '';
  #position = 0;
  #place: Place = 'value';
  /** Innermost last. */
  readonly #frames: Frame[] = [];
  #frame: Frame | undefined;
  /** True after the beginning of a container and after a whole value: the container may end here. */
  #mayClose = false;
  /** The text of the token so far, with its escape sequences decoded. */
  #text = '';
  /** An escape sequence that is not complete, with its backslash. */
  #pendingEscape = '';
  #root: unknown;
  #failed = false;

  get failed(): boolean {
    return this.#failed;
  }

  feed(chunk: string): void {
    this.#chunk = chunk;
    this.#position = 0;
    while (this.#position < chunk.length && !this.#failed) {
      if (this.#place === 'in-word') this.#readWord();
      else if (this.#place === 'in-key' || this.#place === 'in-string') this.#readString();
      else this.#readStructure(chunk.charAt(this.#position++));
    }
  }

  value(): unknown {
    let value = this.#innermost();
    for (const frame of this.#frames.toReversed()) {
      const items = [...frame.items];
      if (value !== undefined) items.push(toItem(frame, value));
      value = build(frame, items);
    }
    return value;
  }

  /** Reads a character outside of any token. */
  #readStructure(character: string): void {
    if (' \t\n\r'.includes(character)) return;
    const frame = this.#frame;
    if (this.#mayClose && character === frame?.end) return this.#closeContainer(frame);
    this.#mayClose = false;
    if (this.#place === 'value') this.#beginValue(character);
    else if (this.#place === 'key' && character === '"') this.#beginToken('in-key');
    else if (this.#place === 'colon' && character === ':') this.#place = 'value';
    else if (this.#place === 'comma' && character === ',' && frame) this.#expectItem(frame);
    else this.#failed = true;
  }

  #beginValue(character: string): void {
    if (character === '{') this.#openContainer('}');
    else if (character === '[') this.#openContainer(']');
    else if (character === '"') this.#beginToken('in-string');
    else if (/[-\dtfn]/.test(character)) this.#beginToken('in-word', character);
    else this.#failed = true;
  }

  #openContainer(end: Frame['end']): void {
    if (this.#frames.length === MAX_DEPTH) {
      this.#failed = true;
      return;
    }
    const frame: Frame = { end, items: [], key: '' };
    this.#frame = frame;
    this.#frames.push(frame);
    this.#expectItem(frame);
    this.#mayClose = true;
  }

  #closeContainer(frame: Frame): void {
    const value = build(frame, frame.items);
    this.#frames.pop();
    this.#frame = this.#frames.at(-1);
    this.#endValue(value);
  }

  #expectItem(frame: Frame): void {
    this.#place = isList(frame) ? 'value' : 'key';
  }

  #beginToken(place: Place, first = ''): void {
    this.#place = place;
    this.#text = first;
  }

  #endValue(value: unknown): void {
    if (this.#frame === undefined) this.#root = value;
    else this.#frame.items.push(toItem(this.#frame, value));
    this.#place = 'comma';
    this.#mayClose = true;
  }

  #readString(): void {
    if (this.#pendingEscape !== '') return this.#readEscape(this.#chunk.charAt(this.#position++));
    this.#readWhile(this.#plainText);
    const character = this.#chunk.charAt(this.#position++);
    if (character === '"' && this.#place === 'in-key' && this.#frame) {
      this.#frame.key = this.#text;
      this.#place = 'colon';
    } else if (character === '"') this.#endValue(this.#text);
    else if (character === '\\') this.#pendingEscape = character;
    else if (character !== '') this.#failed = true;
  }

  /** Reads one character of an escape sequence: `\n` has two, `\u00e4` has six. */
  #readEscape(character: string): void {
    this.#pendingEscape += character;
    if (this.#pendingEscape.length < (this.#pendingEscape[1] === 'u' ? 6 : 2)) return;
    const decoded = parseJson(`"${this.#pendingEscape}"`);
    if (decoded === undefined) {
      this.#failed = true;
      return;
    }
    this.#text += decoded;
    this.#pendingEscape = '';
  }

  /** Reads a number or a literal. It ends before the first character that cannot belong to it, a literal also with its last one. */
  #readWord(): void {
    this.#readWhile(this.#word);
    const isEnded = this.#position < this.#chunk.length;
    const value = isEnded || /[a-z]$/.test(this.#text) ? parseJson(this.#text) : undefined;
    if (value !== undefined) this.#endValue(value);
    else if (isEnded) this.#failed = true;
  }

  /** Adds the characters that the pattern accepts to the token. */
  #readWhile(pattern: RegExp): void {
    pattern.lastIndex = this.#position;
    pattern.test(this.#chunk);
    this.#text += this.#chunk.slice(this.#position, pattern.lastIndex);
    this.#position = pattern.lastIndex;
  }

  /** Returns the value of the open token as far as it can be shown: `1.` is 1, and `-` is no number yet. */
  #innermost(): unknown {
    const text = this.#text;
    // The first half of a surrogate pair would be shown as a replacement character.
    if (this.#place === 'in-string') return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
    if (this.#place !== 'in-word') return this.#root;
    // `01` is no JSON: only a point or an exponent may follow a leading zero.
    const number = Number.parseFloat(text.replace(/^(-?0)\d.*/, '$1'));
    return Number.isFinite(number) ? number : undefined;
  }
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
