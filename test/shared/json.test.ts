import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { toJsonValue } from '../../src/shared/json.ts';

class Cart {
  items = 1;
}

describe('a JSON copy of a result', () => {
  it.each<[string, unknown, unknown]>([
    ['nothing', undefined, null],
    ['a date', { at: new Date(0) }, { at: '1970-01-01T00:00:00.000Z' }],
    ['an object with toJSON', { toJSON: () => ({ n: undefined, list: [1] }) }, { list: [1] }],
    ['gaps of a list', [undefined, 1], [null, 1]],
    ['gaps of a sparse list', new Array(2), [null, null]],
    ['properties without a value', { a: undefined, b: null }, { b: null }],
    ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ['an object of another frame', runInNewContext('({ a: [{ b: 1 }] })'), { a: [{ b: 1 }] }],
    ['the same object twice', [[shared], shared], [[{ a: 1 }], { a: 1 }]],
    ['a key called __proto__', JSON.parse('{"__proto__":{"x":1}}'), JSON.parse('{"__proto__":{"x":1}}')],
  ])('a JSON copy of %s', (_, value, expected) => {
    const copy = toJsonValue(value);
    expect(copy).toStrictEqual(expected);
    expect(JSON.stringify(copy)).toBe(JSON.stringify(expected));
  });

  it('a JSON copy is frozen and independent of the given value', () => {
    const given = { list: [{ n: 1 }] };
    const copy = toJsonValue(given) as typeof given;
    given.list[0] = { n: 2 };
    expect(copy).toEqual({ list: [{ n: 1 }] });
    expect([copy, copy.list, copy.list[0], given].map(Object.isFrozen)).toEqual([true, true, true, false]);
  });

  it.each<[string, unknown, string]>([
    ['a function', { a: [() => 1] }, 'result.a[0] is a function'],
    ['a symbol', Symbol('s'), 'result is a symbol'],
    ['a bigint', [1n], 'result[0] is a bigint'],
    ['NaN', { n: Number.NaN }, 'result.n is NaN'],
    ['infinity', -Infinity, 'result is -Infinity'],
    ['a map', { map: new Map() }, 'result.map is a Map'],
    ['an object of a class', new Cart(), 'result is a Cart'],
    ['an object of an anonymous class', new (class {})(), 'result is a class instance'],
    ['an object that inherits from another object', Object.create({ a: 1 }), 'result is a Object'],
    [
      'what inherits from one without a prototype',
      Object.create(Object.create(null)),
      'result is a class instance',
    ],
    ['a value that contains itself', looped(), 'result.loop.list[0] contains itself'],
    ['a toJSON that returns its own object', selfish(), 'result contains itself'],
    ['a toJSON that returns undefined', { a: { toJSON() {} } }, 'result.a is undefined'],
  ])('a result with %s is refused with its path', (_, value, complaint) => {
    expect(() => toJsonValue(value)).toThrow(new TypeError(`${complaint}, which JSON cannot carry`));
  });
});

const shared = { a: 1 };

function looped(): object {
  const loop: { list: unknown[] } = { list: [] };
  loop.list.push(loop);
  return { loop };
}

function selfish(): object {
  const self = { toJSON: (): object => self };
  return self;
}
