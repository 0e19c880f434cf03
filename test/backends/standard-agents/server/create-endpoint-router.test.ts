/** The rules of section "Thread endpoints": file names to methods and paths. */
import { describe, expect, test } from 'vitest';
import { createEndpointRouter } from '../../../../src/backends/standard-agents/server/create-endpoint-router.ts';
import { defineThreadEndpoint } from '../../../../src/backends/standard-agents/server/define-thread-endpoint.ts';

/** A router whose handlers are the names of their files. */
function route(...sets: readonly (readonly string[])[]) {
  const find = createEndpointRouter(
    ...sets.map((files) => Object.fromEntries(files.map((file) => [file, file]))),
  );
  return (method: string, path: string) => {
    const match = find(method, path);
    return match && [match.handler, match.params];
  };
}

test.each([
  ['foo.ts', 'GET', 'foo'],
  ['foo.get.ts', 'GET', 'foo'],
  ['bar.post.ts', 'POST', 'bar'],
  ['bar.put.ts', 'PUT', 'bar'],
  ['bar.patch.ts', 'PATCH', 'bar'],
  ['bar.delete.ts', 'DELETE', 'bar'],
  ['bar.POST.ts', 'POST', 'bar'],
  ['bar.Delete.ts', 'DELETE', 'bar'],
  ['index.ts', 'GET', ''],
  ['index.post.ts', 'POST', ''],
  ['dir/index.ts', 'GET', 'dir'],
  ['dir/other.ts', 'GET', 'dir/other'],
  ['v1.2.ts', 'GET', 'v1.2'],
  ['status.get', 'GET', 'status'],
  ['status', 'GET', 'status'],
])('the file %s is the route %s /%s', (file, method, path) => {
  const find = route([file]);
  expect(find(method, path)).toEqual([file, {}]);
  expect(find(method, `${path}x`)).toBeUndefined();
  expect(find(method === 'GET' ? 'POST' : 'GET', path)).toBeUndefined();
});

describe('dynamic segments', () => {
  test('[id] captures exactly one segment', () => {
    const find = route(['dir/[id].ts']);
    expect(find('GET', 'dir/42')).toEqual(['dir/[id].ts', { id: '42' }]);
    expect([find('GET', 'dir'), find('GET', 'dir/'), find('GET', 'dir/4/2')]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  test('[id] may stand before other segments, and its value is decoded', () => {
    const find = route(['[a]/b/[c].post.ts']);
    expect(find('POST', 'x%20y/b/a%2Fz')).toEqual(['[a]/b/[c].post.ts', { a: 'x y', c: 'a/z' }]);
  });

  test('[*] captures zero or more segments and keeps their slashes', () => {
    const find = route(['dir/[*].ts']);
    expect(find('GET', 'dir')).toEqual(['dir/[*].ts', { '*': '' }]);
    expect(find('GET', 'dir/a')).toEqual(['dir/[*].ts', { '*': 'a' }]);
    expect(find('GET', 'dir/a/b/c')).toEqual(['dir/[*].ts', { '*': 'a/b/c' }]);
    expect(find('GET', 'other')).toBeUndefined();
  });

  test('a path that is not percent-encoded matches no route', () => {
    expect(route(['[*].ts'])('GET', '%zz')).toBeUndefined();
  });
});

describe('precedence', () => {
  const files = [
    '[*].ts',
    'a/[*].ts',
    'a/[id].ts',
    'a/b.ts',
    '[x]/b.ts',
    'a/index.ts',
    '[id].ts',
    'index.ts',
  ];

  test.each([
    ['', 'index.ts'],
    ['a', 'a/index.ts'],
    ['z', '[id].ts'],
    ['a/b', 'a/b.ts'],
    ['a/c', 'a/[id].ts'],
    ['a/c/d', 'a/[*].ts'],
    ['z/b', '[x]/b.ts'],
    ['z/c', '[*].ts'],
  ])('static beats dynamic and dynamic beats catch-all for /%s', (path, file) => {
    expect(route(files)('GET', path)?.[0]).toBe(file);
    expect(route(files.toReversed())('GET', path)?.[0]).toBe(file);
  });

  test('a route of another method does not hide a less precise one', () => {
    expect(route(['a.post.ts', '[id].ts'])('GET', 'a')?.[0]).toBe('[id].ts');
  });

  test('packed endpoints share the namespace: the more precise route wins, and of equal ones the local', () => {
    const find = route(['[id].ts', 'same.ts'], ['status.get', 'same.get']);
    expect(find('GET', 'status')?.[0]).toBe('status.get');
    expect(find('GET', 'same')?.[0]).toBe('same.ts');
  });
});

test.each([
  [['a.ts', 'a.GET.ts'], 'The endpoints a.ts and a.GET.ts are both GET /a'],
  [['[a]/x.ts', '[b]/x.ts'], 'The endpoints [a]/x.ts and [b]/x.ts are both GET /[]/x'],
  [['[*]/a.ts'], 'The endpoint [*]/a.ts has a segment after [*]'],
  [['a//b.ts'], 'The endpoint a//b.ts has an empty segment'],
  [['/a.ts'], 'The endpoint /a.ts has an empty segment'],
])('the router refuses the files %j', (files, message) => {
  expect(() => route(files)).toThrow(message);
});

test('defineThreadEndpoint returns its handler and refuses anything else', () => {
  const handler = () => Response.json({});
  expect(defineThreadEndpoint(handler)).toBe(handler);
  expect(() => defineThreadEndpoint('x' as unknown as typeof handler)).toThrow(/needs a function/);
});
