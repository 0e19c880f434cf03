// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { StrictMode } from 'react';
import { expect, test } from 'vitest';
import { type PendingInboxOptions, usePendingInbox } from '../../src/react/use-pending-inbox.ts';
import { createInboxServer, type InboxServer } from '../core/inbox/inbox-server.ts';
import { settle } from '../server/support.ts';

const optionsFor = (server: InboxServer): PendingInboxOptions => ({
  url: 'http://localhost/inbox',
  fetch: server.fetch,
  clock: server.clock,
  clientTools: { ask: 'interactive' },
});

test('the hook reads the list, and ends its stream and its timers with the component', async () => {
  const server = createInboxServer();
  await server.ask('a', { deadline: server.clock.now() + 60_000 });
  const { result, unmount } = renderHook(() => usePendingInbox(optionsFor(server)), { wrapper: StrictMode });
  expect(result.current.status).toBe('loading');
  await act(settle);
  expect(result.current.calls.map(({ sessionId }) => sessionId)).toEqual(['a']);
  unmount();
  await settle();
  expect(server.clock.waiting).toBe(0);
});

test('the hook renders once for a list, and not at all for what a person types', async () => {
  const server = createInboxServer();
  await server.ask('a');
  let renders = 0;
  const { result } = renderHook(() => {
    renders += 1;
    return usePendingInbox(optionsFor(server));
  });
  await act(settle);
  expect(renders).toBe(2);
  act(() => result.current.calls[0]?.tool.saveInput({ text: 'half' }));
  expect(renders).toBe(2);
});

test('the hook uses the latest headers for its next request, and keeps the inbox', async () => {
  const server = createInboxServer();
  const tokens: (string | null)[] = [];
  server.onRequest = ({ headers }) => {
    tokens.push(headers.get('authorization'));
    return undefined;
  };
  const { result, rerender } = renderHook(
    ({ token }) => usePendingInbox({ ...optionsFor(server), headers: { authorization: token } }),
    { initialProps: { token: 'one' } },
  );
  await act(settle);
  rerender({ token: 'two' });
  await act(settle);
  expect(tokens).toEqual(['one']);
  act(() => result.current.refresh());
  await act(settle);
  expect(tokens).toEqual(['one', 'two']);
});

test('another url begins another inbox', async () => {
  const server = createInboxServer();
  await server.ask('a');
  const other = createInboxServer();
  const { result, rerender } = renderHook(
    ({ url }) =>
      usePendingInbox({
        ...optionsFor(server),
        url,
        fetch: url.endsWith('other') ? other.fetch : server.fetch,
      }),
    { initialProps: { url: 'http://localhost/inbox' } },
  );
  await act(settle);
  expect(result.current.calls).toHaveLength(1);
  rerender({ url: 'http://localhost/other' });
  expect(result.current).toMatchObject({ calls: [], status: 'loading' });
  await act(settle);
  expect(result.current).toMatchObject({ calls: [], status: 'ready' });
  expect(other.requests).toEqual(['GET stream']);
});
