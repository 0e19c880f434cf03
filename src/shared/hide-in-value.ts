/** Hides texts in values of any kind: results, and what was thrown. */
import { defineOwn, hasOwn, isPlainObject } from './json.ts';

/** How texts and numbers are shown. */
export interface ShownAs {
  text(text: string): string;
  number(value: number | bigint): unknown;
}

/**
 * Returns a copy of the value with its texts and numbers as they may be shown. A copy of an error has the same class, and its cause and
 * fields are copied too.
 *
 * @param copies of the objects around the value, as an error may lead back to itself
 */
export function hideInValue(value: unknown, shown: ShownAs, copies = new Map<object, unknown>()): unknown {
  if (typeof value === 'string') return shown.text(value);
  if (typeof value === 'number' || typeof value === 'bigint') return shown.number(value);
  if (typeof value !== 'object' || value === null) return value;
  if (copies.has(value)) return copies.get(value);
  if (value instanceof Error) return hideInError(value, shown, copies);
  if (Array.isArray(value)) {
    const list: unknown[] = [];
    copies.set(value, list);
    for (const item of value) list.push(hideInValue(item, shown, copies));
    return list;
  }
  // An instance of a class, such as the request of a client, may have anything in it.
  if (!isPlainObject(value)) return `[${value.constructor?.name ?? 'object'}]`;
  const copy = {};
  copies.set(value, copy);
  for (const [key, item] of Object.entries(value)) {
    defineOwn(copy, shown.text(key), hideInValue(item, shown, copies));
  }
  return copy;
}

function hideInError(error: Error, shown: ShownAs, copies: Map<object, unknown>): Error {
  const copy = new Error(shown.text(error.message));
  copies.set(error, copy);
  // The message of a DOMException is not its own, and its class reads it from an object of the browser or of Node.
  if (hasOwn(error, 'message')) Object.setPrototypeOf(copy, Object.getPrototypeOf(error));
  else copy.name = error.name;
  const entries = Object.getOwnPropertyNames(error).map((key) => [key, Reflect.get(error, key)] as const);
  for (const [key, item] of [...entries, ['stack', error.stack] as const]) {
    Object.defineProperty(copy, shown.text(key), {
      value: hideInValue(item, shown, copies),
      enumerable: Object.prototype.propertyIsEnumerable.call(error, key),
      ...{ configurable: true, writable: true },
    });
  }
  return copy;
}
