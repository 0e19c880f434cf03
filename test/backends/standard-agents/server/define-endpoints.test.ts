/** Thread endpoints and controllers, and how a loader of files tells one from the other. */
import { expect, test } from 'vitest';
import { defineController } from '../../../../src/backends/standard-agents/server/define-controller.ts';
import {
  defineThreadEndpoint,
  isThreadEndpoint,
} from '../../../../src/backends/standard-agents/server/define-thread-endpoint.ts';

test('isThreadEndpoint knows the handlers of defineThreadEndpoint, which stay the same functions', () => {
  const handler = () => new Response();
  const endpoint = defineThreadEndpoint(handler);
  expect([endpoint === handler, isThreadEndpoint(endpoint), Object.keys(endpoint)]).toEqual([true, true, []]);
});

test.each([
  ['a function', () => new Response()],
  ['a controller', defineController(() => 'Hi')],
  ['a value that has a handler as its prototype', Object.create(defineThreadEndpoint(() => new Response()))],
  ['nothing', undefined],
])('isThreadEndpoint does not take %s for one', (_, value) => {
  expect(isThreadEndpoint(value)).toBe(false);
});

test('defineController returns the controller, and refuses what is none', async () => {
  const controller = defineController(({ params, url }) => ({ id: params.id, path: url.pathname }));
  const url = new URL('http://localhost/orders/7');
  expect(await controller({ req: new Request(url), params: { id: '7' }, env: {}, url })).toEqual({
    id: '7',
    path: '/orders/7',
  });
  expect(() => defineController({} as never)).toThrow('defineController needs a function');
});
