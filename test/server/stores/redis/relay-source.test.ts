/** A process reads the reply of another one, and its store fails meanwhile. */
import { expect, test } from 'vitest';
import { followSession } from '../../../../src/server/sessions/follow-session.ts';
import { RelaySource, type ReplyPage } from '../../../../src/server/stores/redis/relay-source.ts';
import { createManualClock } from '../../../../src/testing/manual-clock.ts';
import { settle } from '../../support.ts';

const offline = new Error('The client is closed');
const page = (...entries: [field: string, value: string][]): ReplyPage => ({
  token: '1',
  isReturned: false,
  isFull: false,
  entries: entries.map(([field, value], index) => ({ number: index + 1, field, value })),
});

/** The reply to a request, in a process whose store refuses all writes. */
function openReply(more: { signal?: AbortSignal; read?: () => Promise<ReplyPage> } = {}) {
  const reported: unknown[] = [];
  let ring = () => {};
  const source = new RelaySource({
    signal: undefined,
    clock: createManualClock(),
    report: (thrown) => reported.push(thrown),
    pollMs: 1_000,
    read: async () => page(['taken', '1']),
    tell: async () => {
      throw offline;
    },
    onMore(listener) {
      ring = listener;
      return () => {};
    },
    reopen: async () => {
      throw offline;
    },
    forget() {},
    ...more,
  });
  return { source, reported, ring: () => ring() };
}

test('a reader that leaves while the store refuses writes gets no rejection, and the failure is reported', async () => {
  const { source, reported } = openReply();
  await source.close();
  expect(reported).toEqual([offline]);
});

test('a follower whose request ends with a refusal while the store refuses writes leaves no unhandled rejection', async () => {
  const refusal = {
    type: 'error',
    errorType: 'validation_error',
    message: 'No',
    source: 'platform',
    retryable: false,
  };
  const { source, reported, ring } = openReply({
    read: async () => page(['taken', '1'], ['event', JSON.stringify(refusal)]),
  });
  const following = followSession(
    { executionId: 'e', after: 1 },
    { open: async () => source, watch: () => () => {}, signal: undefined },
  );
  const event = following.next();
  await settle();
  ring();
  expect(await event).toMatchObject({ type: 'error' });
  await settle();
  expect(reported).toEqual([offline]);
});

test('a follower that is aborted while the store refuses writes leaves no unhandled rejection', async () => {
  const abort = new AbortController();
  const { source, reported } = openReply();
  const following = followSession(
    { executionId: 'e', after: 1 },
    { open: async () => source, watch: () => () => {}, signal: abort.signal },
  );
  const event = following.next();
  await settle();
  abort.abort();
  expect(await event).toBeNull();
  await settle();
  expect(reported).toEqual([offline]);
});

test('a request that shall be stopped while the store refuses writes ends for its reader, and the failure is reported', async () => {
  const abort = new AbortController();
  const { source, reported } = openReply({ signal: abort.signal });
  abort.abort();
  expect(await source.next()).toMatchObject({ type: 'finish', finishReason: 'stop' });
  await settle();
  expect(reported).toEqual([offline]);
});

test('a reply that cannot be read is an error event without the words of the store, which are reported', async () => {
  const { source, reported, ring } = openReply({
    read: async () => {
      throw offline;
    },
  });
  const event = source.next();
  ring();
  expect(await event).toMatchObject({ type: 'error', code: 'store_failed' });
  await settle();
  expect(reported).toEqual([offline, offline]);
});
