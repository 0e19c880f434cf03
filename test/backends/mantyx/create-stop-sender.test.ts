/** A stop whose request failed: when and how often it is sent again. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import {
  createMantyxTransport,
  type MantyxTransportOptions,
} from '../../../src/backends/mantyx/create-mantyx-transport.ts';
import { collect, createIO, read, trigger } from '../../core/transport/support.ts';
import { createDeferred } from '../../support/deferred.ts';
import { settled } from '../../support/scripted-chat.ts';

const stop = { type: 'stop', executionId: 'run_1', cursor: '3' } as const;

let page: EventTarget & { online(): Promise<void> };

beforeEach(() => {
  page = Object.assign(new EventTarget(), {
    online: async () => {
      page.dispatchEvent(new Event('online'));
      await settled();
    },
  });
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
});
afterEach(() => vi.unstubAllGlobals());

/** A platform whose next cancels get these replies in turn; later cancels are accepted. */
function connect(cancels: readonly (number | 'lost')[], more: Partial<MantyxTransportOptions> = {}) {
  const left = [...cancels];
  const requests: string[] = [];
  const transport = createMantyxTransport({
    baseUrl: 'https://mantyx.test',
    workspace: 'w',
    reconnect: { maxAttempts: 2 },
    async fetch(input) {
      const path = String(input).replace(/^.*\/workspaces\/w\//, '');
      requests.push(path);
      if (path === 'agent-runs') return Response.json({ runId: 'run_2' });
      if (path.endsWith('/stream')) return new Response('data: {"type":"cancelled"}\n\n', events);
      const reply = left.shift() ?? 204;
      if (reply === 'lost') throw new TypeError('Failed to fetch');
      return new Response(null, { status: reply });
    },
    ...more,
  });
  const start = () => collect(transport.run(trigger, createIO()));
  return { transport, requests, start };
}

const events = { headers: { 'content-type': 'text/event-stream' } };
const cancel = 'agent-runs/run_1/cancel';
const another = ['agent-runs', 'agent-runs/run_2/stream'];

it('a failed stop is sent again once before the next run', async () => {
  const { transport, requests, start } = connect(['lost']);
  await expect(transport.stop?.(stop)).rejects.toMatchObject({ code: 'connection_failed' });
  await start();
  await start();
  expect(requests).toEqual([cancel, cancel, ...another, ...another]);
});

it('a failed stop is sent again once when the network is back', async () => {
  const { transport, requests, start } = connect([503]);
  await expect(transport.stop?.(stop)).rejects.toMatchObject({ code: 'http_error', status: 503 });
  await page.online();
  await page.online();
  await start();
  expect(requests).toEqual([cancel, cancel, ...another]);
});

it('a stop from before its run had an id is sent again when the network is back', async () => {
  const named = createDeferred<Response>();
  const requests: string[] = [];
  const { transport } = connect([], {
    async fetch(input) {
      requests.push(String(input).replace(/^.*\/workspaces\/w\//, ''));
      if (requests.length === 1) return named.promise;
      if (requests.length === 2) throw new TypeError('Failed to fetch');
      return new Response(null, { status: 204 });
    },
  });
  const io = createIO();
  const reading = read(transport.run(trigger, io));
  await settled();
  io.abort();
  await reading.done;
  named.resolve(Response.json({ runId: 'run_1' }));
  await settled();
  await page.online();
  expect(requests).toEqual(['agent-runs', cancel, cancel]);
});

it.each([
  ['as often as an answer', ['lost', 'lost', 'lost', 'lost'], {}, 3],
  ['once when reconnect is false', ['lost'], { reconnect: false }, 1],
  ['once when the refusal is permanent', [404], {}, 1],
] as const)('a failed stop is sent %s, and then no more', async (_, cancels, more, times) => {
  const { transport, requests } = connect(cancels, more);
  await expect(transport.stop?.(stop)).rejects.toThrow();
  for (let hint = 0; hint < 5; hint += 1) await page.online();
  expect(requests).toEqual(Array.from({ length: times }, () => cancel));
});

it('a stop ends a start that waits for an earlier stop to be sent', async () => {
  const requests: string[] = [];
  const { transport } = connect([], {
    async fetch(input) {
      requests.push(String(input));
      if (requests.length > 1) return new Promise<never>(() => {});
      throw new TypeError('Failed to fetch');
    },
  });
  await expect(transport.stop?.(stop)).rejects.toThrow();
  const io = createIO();
  const reading = read(transport.run(trigger, io));
  await settled();
  io.abort();
  await reading.done;
  expect([reading.events, reading.ending]).toEqual([[], 'returned']);
  expect(requests.map((url) => url.endsWith('/cancel'))).toEqual([true, true]);
});
