/**
 * The built-ins of the codec, captured before any foreign code runs. A program in the sandbox may replace
 * `Map.prototype.forEach` or `Object.keys`, and the codec must still copy its values correctly.
 */

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

/** Errors that keep their class on the other side. An error of any other name becomes an `Error` with that name. */
const errorKinds = [
  'EvalError',
  'RangeError',
  'ReferenceError',
  'SyntaxError',
  'TypeError',
  'URIError',
] as const;

export function captureIntrinsics() {
  const { getPrototypeOf, defineProperty, apply } = Reflect;
  const typedArray = getPrototypeOf(Uint8Array.prototype) as Uint8Array;
  const typedArrayParts = partsOf(typedArray);
  const dataViewParts = partsOf(DataView.prototype);
  const world = globalThis as unknown as Record<string, unknown>;
  return {
    apply,
    getPrototypeOf,
    defineProperty,
    keys: Object.keys,
    isArray: Array.isArray,
    isView: ArrayBuffer.isView,
    isFinite: Number.isFinite,
    stringify: JSON.stringify as (value: unknown) => string,
    parse: JSON.parse as (text: string) => unknown,
    objectPrototype: Object.prototype,
    BigInt,
    Date,
    Error,
    Map,
    RangeError,
    RegExp,
    Set,
    TypeError,
    Uint8Array,
    tagOf: uncurry<unknown, [], string>(Object.prototype.toString),
    bigintToString: uncurry<bigint, [radix: number], string>(BigInt.prototype.toString),
    getTime: uncurry<object, [], number>(Date.prototype.getTime),
    mapGet: uncurry<object, [key: unknown], unknown>(Map.prototype.get),
    mapSet: uncurry<object, [key: unknown, value: unknown], unknown>(Map.prototype.set),
    mapDelete: uncurry<object, [key: unknown], boolean>(Map.prototype.delete),
    mapForEach: uncurry<object, [visit: Visit], void>(Map.prototype.forEach),
    mapSize: getter<number>(Map.prototype, 'size'),
    setAdd: uncurry<object, [value: unknown], unknown>(Set.prototype.add),
    setForEach: uncurry<object, [visit: Visit], void>(Set.prototype.forEach),
    setSize: getter<number>(Set.prototype, 'size'),
    regexpSource: getter<string>(RegExp.prototype, 'source'),
    regexpFlags: getter<string>(RegExp.prototype, 'flags'),
    bufferByteLength: getter<number>(ArrayBuffer.prototype, 'byteLength'),
    typedArrayKind: getter<string | undefined>(typedArray, Symbol.toStringTag),
    copyBytes: uncurry<Uint8Array, [from: Uint8Array], void>(typedArray.set),
    partsOfView: (view: object, kind: string) => {
      const { buffer, byteOffset, byteLength } = kind === 'DataView' ? dataViewParts : typedArrayParts;
      return { buffer: buffer(view), byteOffset: byteOffset(view), byteLength: byteLength(view) };
    },
    unbox: {
      Number: uncurry<object, [], number>(Number.prototype.valueOf),
      String: uncurry<object, [], string>(String.prototype.valueOf),
      Boolean: uncurry<object, [], boolean>(Boolean.prototype.valueOf),
      BigInt: uncurry<object, [], bigint>(BigInt.prototype.valueOf),
    },
    views: pick(world, viewKinds) as Readonly<
      Record<string, (new (buffer: ArrayBuffer) => object) | undefined>
    >,
    errors: pick(world, errorKinds) as Readonly<Record<string, ErrorConstructor | undefined>>,
  };
}

type Visit = (item: unknown, key: unknown) => void;

/** Returns a method as a function of its target. The function is bound to built-ins, so no program can replace parts of it. */
function uncurry<This, Args extends readonly unknown[], Result>(
  method: unknown,
): (target: This, ...args: Args) => Result {
  return Function.prototype.call.bind(method as () => void);
}

function getter<Result>(prototype: object, key: PropertyKey): (target: object) => Result {
  return uncurry(Reflect.getOwnPropertyDescriptor(prototype, key)?.get);
}

function partsOf(prototype: object) {
  return {
    buffer: getter<ArrayBuffer>(prototype, 'buffer'),
    byteOffset: getter<number>(prototype, 'byteOffset'),
    byteLength: getter<number>(prototype, 'byteLength'),
  };
}

function pick(world: Record<string, unknown>, names: readonly string[]): Record<string, unknown> {
  const picked: Record<string, unknown> = Object.create(null);
  for (const name of names) picked[name] = world[name];
  return picked;
}
