import { describe, expect, test } from 'vitest';
import { createDecoder } from '../../src/sandbox/codec/create-decoder.ts';
import { createEncoder, PACKED_LIMITS } from '../../src/sandbox/codec/create-encoder.ts';
import { captureIntrinsics } from '../../src/sandbox/codec/intrinsics.ts';
import fc, { caseCount } from '../support/fast-check.ts';
import { anyValue } from './suites/any-value.ts';

const intrinsics = captureIntrinsics();
const encode = createEncoder(intrinsics);
const decode = createDecoder(intrinsics);
const crossed = (value: unknown) => decode(encode(value, { label: 'value', stacks: true }));

describe('values that the codec copies', () => {
  test('the codec copies any JSON, undefined, bigint, Date, RegExp, Map, Set and typed array', () => {
    fc.assert(
      fc.property(anyValue(), (value) => {
        expect(crossed(value)).toStrictEqual(structuredClone(value));
      }),
    );
  });

  test('the codec copies NaN, the infinities and -0', () => {
    expect(crossed([Number.NaN, Infinity, -Infinity, -0])).toStrictEqual([
      Number.NaN,
      Infinity,
      -Infinity,
      -0,
    ]);
  });

  test('the codec copies the holes of an array', () => {
    const list: unknown[] = [1];
    list[2] = 3;
    list[3] = undefined;
    list.length = 6;
    const copy = crossed(list) as unknown[];
    expect([copy.length, 1 in copy, 3 in copy, 4 in copy]).toEqual([6, false, true, false]);
  });

  test('the codec preserves cycles and shared parts', () => {
    const shared = { n: 1 };
    const root: Record<string, unknown> = {
      shared,
      list: [shared],
      map: new Map<unknown, unknown>([[shared, 1]]),
    };
    root.self = root;
    (root.map as Map<unknown, unknown>).set('root', root);
    const copy = crossed(root) as typeof root;
    expect(copy.self).toBe(copy);
    expect((copy.list as unknown[])[0]).toBe(copy.shared);
    expect([...(copy.map as Map<unknown, unknown>).keys()][0]).toBe(copy.shared);
    expect((copy.map as Map<unknown, unknown>).get('root')).toBe(copy);
    expect(copy.shared).not.toBe(shared);
  });

  test('the codec copies a chain of 100,000 objects', () => {
    let chain: unknown = null;
    for (let link = 0; link < 100_000; link++) chain = { chain };
    let length = 0;
    for (let at = crossed(chain) as { chain: unknown } | null; at !== null; at = at.chain as typeof at)
      length++;
    expect(length).toBe(100_000);
  });

  test.each([
    new TypeError('m'),
    Object.assign(new Error('m'), { name: 'Odd' }),
    new Error('m', { cause: { a: [1] } }),
  ])('the codec copies the error %s', (error) => {
    const copy = crossed(error) as Error;
    expect(copy).toBeInstanceOf(error.constructor);
    expect([copy.name, copy.message, copy.cause, copy.stack]).toEqual([
      error.name,
      'm',
      error.cause,
      error.stack,
    ]);
    expect(Object.keys(copy)).toEqual([]);
  });

  test('an error loses its stack without the option stacks', () => {
    expect((decode(encode(new Error('m'), { label: 'value' })) as Error).stack).toBe('');
  });

  test('the codec copies only the bytes in view of a larger buffer', () => {
    const pool = new Uint8Array([1, 2, 3, 4, 5]);
    const { buffers } = encode(new Uint8Array(pool.buffer, 1, 2), { label: 'value' });
    expect(buffers.map((buffer) => [...new Uint8Array(buffer)])).toEqual([[2, 3]]);
  });

  test('boxed primitives become primitives; class instances and objects without prototype become plain objects', () => {
    class Point {
      x = 1;
      get y() {
        return 2;
      }
    }
    const values = [
      Object(1),
      Object('s'),
      Object(true),
      Object(1n),
      new Point(),
      Object.assign(Object.create(null), { a: 1 }),
    ];
    expect(crossed(values)).toStrictEqual([1, 's', true, 1n, { x: 1 }, { a: 1 }]);
  });

  test('the codec copies typed arrays, DataView and ArrayBuffer', () => {
    const views = [
      new Int8Array([-1]),
      new Uint8ClampedArray([255]),
      new Uint16Array([1]),
      new BigInt64Array([-1n]),
    ];
    expect(crossed(views)).toStrictEqual(views);
    expect((crossed(new DataView(new Uint8Array([1, 2, 3]).buffer, 1)) as DataView).getUint8(0)).toBe(2);
    expect(crossed(new Uint8Array([7]).buffer)).toStrictEqual(new Uint8Array([7]).buffer);
  });
});

describe('values that the codec refuses', () => {
  test.each<[unknown, string]>([
    [() => 1, 'value is a function'],
    [{ a: [{ b() {} }] }, 'value.a[0].b is a function'],
    [new Map([[1, Symbol('x')]]), 'value value 0 is a symbol'],
    [new Set([new WeakMap()]), 'value item 0 is a WeakMap'],
    [{ p: Promise.resolve() }, 'value.p is a Promise'],
    [[new WeakRef({})], 'value[0] is a WeakRef'],
    [new Error('m', { cause: () => 1 }), 'value.cause is a function'],
    [new SharedArrayBuffer(1), 'value is a SharedArrayBuffer'],
  ])('the encoder refuses %o with its path', (value, message) => {
    expect(() => crossed(value)).toThrow(expect.objectContaining({ name: 'DataCloneError' }));
    expect(() => crossed(value)).toThrow(message);
  });

  test('a false Symbol.toStringTag does not change how an object is copied', () => {
    const liar = Object.create({ get [Symbol.toStringTag]() { return 'Map'; } }, { a: { value: 1, enumerable: true } }); // biome-ignore format: one thought
    expect(crossed(liar)).toStrictEqual({ a: 1 });
    expect(() => crossed(Object.create({ [Symbol.toStringTag]: 'constructor' }))).toThrow('a constructor');
  });

  test('the encoder throws a RangeError that names the limit for too large values', () => {
    expect(() => crossed('x'.repeat(PACKED_LIMITS.text))).toThrow(
      `value is larger than ${PACKED_LIMITS.text} characters`,
    );
    expect(() => crossed(new Uint8Array(PACKED_LIMITS.binary + 1))).toThrow(
      `more than ${PACKED_LIMITS.binary} bytes`,
    );
    expect(() => crossed(new Array(4_294_967_295))).toThrow(RangeError);
  });

  test('describeUncloneable replaces each value that cannot be copied by a text', () => {
    const options = { label: 'value', describeUncloneable: true };
    const value = [() => 1, function named() {}, Symbol('s'), Symbol(), new WeakMap()];
    expect(decode(encode(value, options))).toEqual([
      '[function]',
      '[function named]',
      '[symbol s]',
      '[symbol]',
      '[a WeakMap]',
    ]);
  });
});

describe('texts that the encoder did not write', () => {
  test('the decoder returns plain data or throws an error for any text', () => {
    const text = fc.oneof(
      fc.json(),
      fc
        .array(
          fc.oneof(
            fc.jsonValue(),
            fc.tuple(fc.constantFrom(...'AODRMSXVEF'), fc.jsonValue(), fc.jsonValue(), fc.jsonValue()),
            fc.tuple(fc.nat(3)),
          ),
        )
        .map((parts) => JSON.stringify(parts)),
    );
    fc.assert(
      fc.property(text, (text) => {
        const before = Reflect.ownKeys(Object.prototype).length;
        try {
          expect(typeof decode({ text, buffers: [new ArrayBuffer(3)] })).not.toBe('function');
        } catch (error) {
          expect((error as Error).name).toMatch(/^(TypeError|SyntaxError|RangeError)$/);
        }
        expect(Reflect.ownKeys(Object.prototype).length).toBe(before);
      }),
      { numRuns: caseCount(200) },
    );
  });

  test('the decoder makes __proto__ an own property', () => {
    const copy = decode({ text: '[[0],["O","__proto__",[1]],["O","polluted",true]]', buffers: [] }) as object;
    expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
    expect(Object.keys(copy)).toEqual(['__proto__']);
    expect('polluted' in copy).toBe(false);
  });

  test('the decoder refuses functions without the option bridge', () => {
    const packed = encode({ f() {} }, { label: 'value', bridge: () => 7 });
    expect(() => decode(packed)).toThrow(TypeError);
    expect(decode(packed, { bridge: (id) => `bridge ${id}` })).toEqual({ f: 'bridge 7' });
  });
});
