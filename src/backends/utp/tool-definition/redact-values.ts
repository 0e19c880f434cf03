/** Hides the values that a tool gets from the environment in what it returns and throws: cards and logs have the names alone. */
import { hasOwn, isPlainObject, toJsonValue } from '../../../shared/json.ts';
import { UtpToolError } from '../tool-error.ts';

/** A text that is hidden, and what stands in its place. */
export interface HiddenText {
  readonly text: string;
  readonly replacement: string;
}

/** A shorter text is hidden only where it is a whole value: it would be found inside ordinary words and numbers. */
const MIN_LENGTH = 4;

/** Returns the texts to hide for the value of a variable: each text and number in it, and how it stands in JSON and in an address. */
export function toHiddenTexts(value: unknown, variable: string): readonly HiddenText[] {
  if (typeof value === 'object' && value !== null) {
    return Object.values(value).flatMap((item) => toHiddenTexts(item, variable));
  }
  if (!['string', 'number', 'bigint'].includes(typeof value) || value === '') return [];
  const plain = String(value);
  const inQuery = new URLSearchParams([['', plain]]).toString().slice(1);
  const inPath = encodeURIComponent(plain.replace(/\p{Surrogate}/gu, '\ufffd'));
  const forms = [plain, JSON.stringify(plain).slice(1, -1), inQuery, inPath];
  return [...new Set(forms)].map((text) => ({ text, replacement: `[${variable}]` }));
}

/** Returns a JSON value without the texts. @throws UtpToolError `result_not_serializable` for any other value */
export function redactResult(result: unknown, hidden: readonly HiddenText[]): unknown {
  try {
    return redact(toJsonValue(result), hidden);
  } catch (thrown) {
    const message = redactText((thrown as Error).message, hidden);
    throw new UtpToolError('result_not_serializable', message);
  }
}

/** Returns a copy of what a tool threw, of the same class, without the texts. */
export function redactThrown(thrown: unknown, hidden: readonly HiddenText[]): unknown {
  return redact(thrown, hidden);
}

/** @param copies of the objects around the value, as an error may lead back to itself */
function redact(value: unknown, hidden: readonly HiddenText[], copies = new Map<object, unknown>()): unknown {
  if (typeof value === 'string') return redactText(value, hidden);
  if (typeof value === 'number' || typeof value === 'bigint') return redactNumber(value, hidden);
  if (typeof value !== 'object' || value === null) return value;
  if (copies.has(value)) return copies.get(value);
  if (value instanceof Error) return redactError(value, hidden, copies);
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    copies.set(value, list);
    for (const item of value) list.push(redact(item, hidden, copies));
    return list;
  }
  // An instance of a class, such as the request of a client, may have anything in it.
  if (!isPlainObject(value)) return `[${value.constructor?.name ?? 'object'}]`;
  const copy = {};
  copies.set(value, copy);
  for (const [key, item] of Object.entries(value)) {
    defineValue(copy, redactText(key, hidden), redact(item, hidden, copies));
  }
  return copy;
}

function redactError(error: Error, hidden: readonly HiddenText[], copies: Map<object, unknown>): Error {
  const copy = new Error(redactText(error.message, hidden));
  copies.set(error, copy);
  // The message of a DOMException is not its own, and its class reads it from an object of the browser or of Node.
  if (hasOwn(error, 'message')) Object.setPrototypeOf(copy, Object.getPrototypeOf(error));
  else copy.name = error.name;
  const entries = Object.getOwnPropertyNames(error).map((key) => [key, Reflect.get(error, key)] as const);
  for (const [key, item] of [...entries, ['stack', error.stack] as const]) {
    Object.defineProperty(copy, redactText(key, hidden), {
      value: redact(item, hidden, copies),
      enumerable: Object.prototype.propertyIsEnumerable.call(error, key),
      ...{ configurable: true, writable: true },
    });
  }
  return copy;
}

function redactText(text: string, hidden: readonly HiddenText[]): string {
  const whole = hidden.find((entry) => entry.text === text);
  if (whole) return whole.replacement;
  return hidden
    .filter((entry) => entry.text.length >= MIN_LENGTH)
    .sort((one, other) => other.text.length - one.text.length)
    .reduce((rest, entry) => rest.replaceAll(entry.text, () => entry.replacement), text);
}

function redactNumber(value: number | bigint, hidden: readonly HiddenText[]): unknown {
  return hidden.find(({ text }) => text === String(value))?.replacement ?? value;
}

function defineValue(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}
