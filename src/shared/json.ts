/** JSON values: the values that may travel to and from an agent. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };

/** A plain object as JSON has it: not null, not an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True if `key` is the object's own; `__proto__` and `constructor` of the prototype do not count. */
export function hasOwn(object: object, key: PropertyKey): boolean {
  return Object.hasOwn(object, key);
}

/**
 * A frozen JSON copy of a value that shares nothing with the original.
 *
 * Strict: a value that JSON would silently drop or change is an error that names its path.
 * `undefined` as a whole is `null`; `undefined` properties are left out, as JSON does.
 * `Date` and everything else with a `toJSON` is converted by it.
 *
 * @throws TypeError for functions, symbols, bigints, cycles, NaN and infinite numbers, `Map`/`Set` and other
 * objects JSON would turn into `{}`.
 */
export function toJsonValue(value: unknown, name = 'result'): JsonValue {
  return copy(value ?? null, name, []);
}

function copy(value: unknown, path: string, ancestors: readonly object[]): JsonValue {
  const refuse = (what: string): never => {
    throw new TypeError(`${path} ${what}, which JSON cannot carry`);
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
  const prototype = Object.getPrototypeOf(value);
  // Plain objects of another realm (an iframe, a test environment) have that realm's `Object.prototype`.
  if (prototype !== null && !hasOwn(prototype, 'isPrototypeOf')) {
    return refuse(`is a ${prototype.constructor?.name || 'class instance'}`);
  }
  const entries = Object.entries(compact(value)).map(([key, item]) => [
    key,
    copy(item, `${path}.${key}`, within),
  ]);
  return Object.freeze(Object.fromEntries(entries));
}

/** The value of a JSON text; `otherwise` (default undefined) when it is none. */
export function parseJson(text: string, otherwise?: unknown): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return otherwise;
  }
}

/** Sets a property as JSON.parse does: `__proto__` becomes an own key instead of the prototype. */
export function defineOwn(object: object, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    (object as Record<string, unknown>)[key] = value;
  }
}

/** Freezes a value that came out of JSON.parse, all the way down, and returns it. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const item of Object.values(value)) deepFreeze(item);
  }
  return value;
}

/** An object without the keys whose value is undefined. */
export function compact<Fields extends object>(
  fields: Fields,
): { [Key in keyof Fields]: Exclude<Fields[Key], undefined> } {
  const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(kept) as { [Key in keyof Fields]: Exclude<Fields[Key], undefined> };
}
