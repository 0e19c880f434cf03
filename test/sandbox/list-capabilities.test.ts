import { expect, test } from 'vitest';
import { listCapabilities } from '../../src/sandbox/list-capabilities.ts';

const run = () => {};
const functionsOf = (globals: Record<string, unknown>) =>
  listCapabilities({ globals })
    .filter(({ kind }) => kind === 'function')
    .map(({ name }) => name);

test('listCapabilities lists functions first, then data, then modules', () => {
  const options = {
    globals: { limit: 5, orders: { list: run, page: 1 } },
    imports: { fs: { readFile: run } },
    modules: { './helpers.js': '' },
  };
  expect(listCapabilities(options).map(({ name, kind }) => `${kind} ${name}`)).toEqual([
    'function orders.list',
    'function readFile from fs',
    'data limit',
    'data orders.page',
    'module ./helpers.js',
  ]);
});

test.each([
  ['deep inside', { a: { b: { c: { d: { e: { f: run } } } } } }, ['a.b.c.d.e.f']],
  ['in a list', { all: [1, run] }, ['all.1']],
  ['in a map', { api: new Map([['send', run]]) }, ['api.send']],
  ['as a key of a map', { api: new Map([[run, 1]]) }, ['api.key 0']],
  ['in a set', { all: new Set([run]) }, ['all.item 0']],
  ['as the cause of an error', { failure: new Error('x', { cause: run }) }, ['failure.cause']],
  ['under two names', (({ api }) => ({ a: api, b: api }))({ api: { run } }), ['a.run', 'b.run']],
])('listCapabilities finds a function %s', (_, globals, expected) => {
  expect(functionsOf(globals)).toEqual(expected);
});

test.each([
  ['nothing', null],
  ['bytes', new Uint8Array(3)],
  ['a map', new Map<unknown, unknown>([[1, 'x']])],
])('listCapabilities lists %s as data', (_, value) => {
  expect(listCapabilities({ globals: { value } })).toEqual([{ name: 'value', kind: 'data' }]);
});

test('listCapabilities names a map entry without a text key by its position', () => {
  expect(functionsOf({ api: new Map([[{}, run]]) })).toEqual(['api.value 0']);
});

test('listCapabilities lists an object that contains itself once', () => {
  const api: Record<string, unknown> = { run };
  api.self = api;
  expect(listCapabilities({ globals: { api } })).toEqual([{ name: 'api.run', kind: 'function' }]);
});
