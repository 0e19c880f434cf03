/** A value that JSON carries unchanged. Arguments and results of tools are such values. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** Returns true for an object that is not null and not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns true for an object that is no instance of a class. That of another realm (an iframe, a test environment) counts. */
export function isPlainObject(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || hasOwn(prototype, 'isPrototypeOf');
}

/** Returns true for an own property. `constructor` of the prototype is none. */
export function hasOwn(object: object, key: PropertyKey): boolean {
  return Object.hasOwn(object, key);
}

/** Returns an own property, or undefined. Use it where a name comes from outside. */
export function readOwn<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return hasOwn(record, key) ? record[key] : undefined;
}

/** Returns the text of a property. Inherited properties and empty texts do not count. */
export function ownString(record: Readonly<Record<string, unknown>>, key: string): string | undefined {
  const value = hasOwn(record, key) ? record[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/**
 * Returns a frozen JSON copy of a value. The copy shares nothing with the original.
 *
 * A value that JSON would silently drop or change is an error that names its path. `undefined` becomes `null`, and a property that is
 * `undefined` is left out, as in JSON. A `Date`, and any other object with a `toJSON`, is converted by it.
 *
 * @throws TypeError for functions, symbols, bigints, cycles, NaN and infinite numbers, `Map`/`Set` and other
 * objects JSON would turn into `{}`.
 */
export function toJsonValue(value: unknown, name = 'result'): JsonValue {
  return copy(value ?? null, name, []);
}

function copy(value: unknown, path: string, ancestors: readonly object[]): JsonValue {
  const refuse = (fault: string): never => {
    throw new TypeError(`${path} ${fault}, which JSON cannot carry`);
  };
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'number' || value === undefined) return refuse(`is ${value}`);
  if (typeof value !== 'object') return refuse(`is a ${typeof value}`);
  if (ancestors.includes(value)) return refuse('contains itself');
  const within = [...ancestors, value];
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return copy(toJSON.call(value), path, within);
  if (Array.isArray(value)) {
    return Object.freeze(Array.from(value, (item, index) => copy(item ?? null, `${path}[${index}]`, within)));
  }
  if (!isPlainObject(value)) {
    return refuse(`is a ${Object.getPrototypeOf(value).constructor?.name || 'class instance'}`);
  }
  const entries = Object.entries(compact(value)).map(([key, item]) => [
    key,
    copy(item, `${path}.${key}`, within),
  ]);
  return Object.freeze(Object.fromEntries(entries));
}

/** Returns the value of a JSON text, or `otherwise` (default undefined) if the text is no JSON. */
export function parseJson(text: string, otherwise?: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** Sets a property as `JSON.parse` does: `__proto__` becomes an own key, and the prototype stays. */
export function defineOwn(object: object, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    (object as Record<string, unknown>)[key] = value;
  }
}

/** Freezes a JSON value with everything in it, and returns it. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) deepFreeze(item);
  }
  return value;
}

/**
 * Returns the content of a value that a schema made of an argument and that has no keys: the items of a set or a map, the
 * text of a date or a URL. Returns any other value as it is.
 */
export function toPlain(value: unknown): unknown {
  if (value instanceof Set || value instanceof Map) return [...value];
  return isRecord(value) && typeof value.toJSON === 'function' ? value.toJSON() : value;
}

/** Returns a copy of an object without the keys whose value is undefined. */
export function compact<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]: Exclude<Fields[Key], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [Key in keyof Fields]: Exclude<Fields[Key], undefined> };
}
