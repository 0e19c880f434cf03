/**
 * The built-ins the codec uses, taken before any foreign code runs: programs in the sandbox may replace
 * `Map.prototype.forEach` or `Object.keys`, and their values must still cross unharmed.
 */

/** Calls `method` on `target`, whatever the target's own properties say. */
export type Invoke = <Result>(method: unknown, target: unknown, ...args: readonly unknown[]) => Result;

export type Intrinsics = ReturnType<typeof captureIntrinsics>;

/** Names of the views over binary data that cross the border. */
const viewKinds = [
  'Int8Array',
  'Uint8Array',
  'Uint8ClampedArray',
  'Int16Array',
  'Uint16Array',
  'Int32Array',
  'Uint32Array',
  'Float16Array',
  'Float32Array',
  'Float64Array',
  'BigInt64Array',
  'BigUint64Array',
  'DataView',
] as const;

/** Errors that keep their class on the other side; every other name is an `Error` with that name. */
const errorKinds = [
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
] as const;

export function captureIntrinsics() {
  const { apply, getPrototypeOf, defineProperty } = Reflect;
  const invoke: Invoke = (method, target, ...args) => apply(method as () => never, target, args);
  const typedArray = getPrototypeOf(Uint8Array.prototype) as object;
  const typedArrayParts = partsOf(typedArray);
  const dataViewParts = partsOf(DataView.prototype);
  const world = globalThis as unknown as Record<string, unknown>;
  return {
    invoke,
    getPrototypeOf,
    defineProperty,
    keys: Object.keys,
    isArray: Array.isArray,
    isView: ArrayBuffer.isView,
    isFinite: Number.isFinite,
    isNegativeZero: (value: number) => value === 0 && 1 / value < 0,
    stringify: JSON.stringify,
    parse: JSON.parse,
    objectPrototype: Object.prototype,
    tagOf: Object.prototype.toString,
    Array,
    ArrayBuffer,
    BigInt,
    Date,
    Error,
    Map,
    RegExp,
    Set,
    TypeError,
    Uint8Array,
    RangeError,
    valueOf: {
      Number: Number.prototype.valueOf,
      String: String.prototype.valueOf,
      Boolean: Boolean.prototype.valueOf,
      BigInt: BigInt.prototype.valueOf,
    } as Readonly<Record<string, unknown>>,
    bigintToString: BigInt.prototype.toString,
    getTime: Date.prototype.getTime,
    mapSize: getter(Map.prototype, 'size'),
    setSize: getter(Set.prototype, 'size'),
    mapForEach: Map.prototype.forEach,
    mapGet: Map.prototype.get,
    mapSet: Map.prototype.set,
    setForEach: Set.prototype.forEach,
    setAdd: Set.prototype.add,
    regexpSource: getter(RegExp.prototype, 'source'),
    regexpFlags: getter(RegExp.prototype, 'flags'),
    bufferByteLength: getter(ArrayBuffer.prototype, 'byteLength'),
    typedArraySet: (typedArray as Uint8Array).set,
    typedArrayKind: getter(typedArray, Symbol.toStringTag),
    viewParts: (view: object, kind: string) => {
      const from = kind === 'DataView' ? dataViewParts : typedArrayParts;
      return {
        buffer: invoke<ArrayBuffer>(from.buffer, view),
        byteOffset: invoke<number>(from.byteOffset, view),
        byteLength: invoke<number>(from.byteLength, view),
      };
    },
    views: pick(world, viewKinds) as Readonly<
      Record<string, (new (buffer: ArrayBuffer) => object) | undefined>
    >,
    errors: pick(world, errorKinds) as Readonly<Record<string, ErrorConstructor | undefined>>,
  };
}

function getter(prototype: object, key: PropertyKey): unknown {
  return Reflect.getOwnPropertyDescriptor(prototype, key)?.get;
}

function partsOf(prototype: object) {
  return {
    buffer: getter(prototype, 'buffer'),
    byteOffset: getter(prototype, 'byteOffset'),
    byteLength: getter(prototype, 'byteLength'),
  };
}

function pick(world: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = Object.create(null);
  for (const name of names) picked[name] = world[name];
  return picked;
}
