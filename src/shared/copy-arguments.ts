/**
 * Copies of parsed arguments. What a person reads is what runs and what is recorded, so nobody who gets the arguments may change those of
 * somebody else: policies and components get frozen copies, a handler gets a copy of its own.
 *
 * A date, a map and a set cannot be frozen, so each copy has its own. To parse again instead would not do: a schema may make another value
 * each time, such as a new id as a default. An object of a class of the app's own is passed on as it is: only the app knows how to copy it.
 */
import { defineOwn, isPlainObject } from './json.ts';

/** Returns a copy of arguments that its owner may change. */
export function copyArguments(args: unknown): unknown {
  return copy(args, false);
}

/** Returns a copy of arguments whose objects and lists are frozen. The value of a schema may share objects with the schema itself. */
export function freezeArguments(args: unknown): unknown {
  return copy(args, true);
}

/** Loops in place of callbacks: arguments may be nested thousands of levels deep. */
function copy(value: unknown, isFrozen: boolean): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Date) return new Date(value);
  if (value instanceof Set) {
    const items = new Set<unknown>();
    for (const item of value) items.add(copy(item, isFrozen));
    return items;
  }
  if (value instanceof Map) {
    const items = new Map<unknown, unknown>();
    for (const [key, item] of value) items.set(copy(key, isFrozen), copy(item, isFrozen));
    return items;
  }
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) items.push(copy(item, isFrozen));
    return isFrozen ? Object.freeze(items) : items;
  }
  if (!isPlainObject(value)) return value;
  const fields: Record<string, unknown> = {};
  for (const [key, item] of Object.entries(value)) defineOwn(fields, key, copy(item, isFrozen));
  return isFrozen ? Object.freeze(fields) : fields;
}
