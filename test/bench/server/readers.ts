/**
 * One case of the server half in a process of its own: `node --expose-gc readers.mjs <case>`, prints one line of JSON.
 *
 * Slow readers are a thousand that take a hundred events each and then stop reading, of an agent that would talk for
 * ever. What counts is how far it got ahead of them, and what that holds in memory.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { getHeapStatistics } from 'node:v8';
import { createAgentSession, serveSocket, toSSEStream } from 'handrail/server';
import { type WebSocket, WebSocketServer } from 'ws';

const FAST_EVENTS = 200_000;
const SLOW_READERS = 1_000;
const SLOW_EVENTS = 100;
const GO = { type: 'trigger', triggerName: 'go' };
const DELTA = { type: 'text-delta', id: 't', delta: 'the agent reads a long line of text ' } as const;

/** What happens to the events that are made; the first, `start`, is the session's own. */
interface Traffic {
  made: number;
  read: number;
}

/** A reader: takes so many events. */
type Read = (count: number) => Promise<void>;

const task = () => new Promise<void>((resolve) => setImmediate(resolve));

async function* talk(traffic: Traffic) {
  for (;;) {
    traffic.made += 1;
    yield DELTA;
  }
}

const createSession = (traffic: Traffic) => createAgentSession({ id: 'session', agent: () => talk(traffic) });

function openStream(traffic: Traffic): Read {
  const reader = toSSEStream(createSession(traffic).execute(GO)).getReader();
  return async (count) => {
    for (let read = 0; read < count; read += 1) {
      await reader.read();
      traffic.read += 1;
      if (read % 100 === 99) await task();
    }
  };
}

/** A socket as `ws` has it, whose peer takes frames only when asked to. */
function openSocket(traffic: Traffic): Read {
  const listeners = new Map<string, (data: unknown) => void>();
  let frames: string[] = [];
  const socket = {
    readyState: 1,
    bufferedAmount: 0,
    send(frame: string) {
      frames.push(frame);
      socket.bufferedAmount += frame.length;
    },
    on: (type: string, listener: (data: unknown) => void) => void listeners.set(type, listener),
    off() {},
  };
  serveSocket(socket, createSession(traffic));
  listeners.get('message')?.(JSON.stringify(GO));
  return async (count) => {
    for (let left = count; left > 0; ) {
      await task();
      const taken = frames.slice(0, left);
      frames = frames.slice(left);
      for (const frame of taken) socket.bufferedAmount -= frame.length;
      traffic.read += taken.length;
      left -= taken.length;
    }
  };
}

/** A client in a process of its own, so that its work does not count. It leaves after the last event. */
const CLIENT = `
  import WebSocket from 'ws';
  const socket = new WebSocket(process.argv[1]);
  let read = 0;
  socket.on('open', () => socket.send('${JSON.stringify(GO)}'));
  socket.on('message', () => ++read === ${FAST_EVENTS} && process.exit());
`;

/** Serves one client over a real connection until it leaves. */
async function measureSocket(serve: (socket: WebSocket) => unknown) {
  const server = new WebSocketServer({ port: 0 }).on('connection', serve);
  await once(server, 'listening');
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = spawn(process.execPath, ['--input-type=module', '-e', CLIENT, url], { stdio: 'inherit' });
  await once(server, 'connection');
  const [cpu, begin] = [process.cpuUsage(), performance.now()];
  await once(client, 'exit');
  const { user, system } = process.cpuUsage(cpu);
  return {
    'events/s of CPU': Math.round(FAST_EVENTS / ((user + system) / 1_000_000)),
    'events/s': Math.round(FAST_EVENTS / ((performance.now() - begin) / 1_000)),
    readers: 1,
  };
}

/** The least work for the same frames: no session and no log. */
async function sendFrames(socket: WebSocket): Promise<void> {
  await once(socket, 'message');
  const executionId = crypto.randomUUID();
  for (let seq = 1; seq <= FAST_EVENTS; seq += 1) {
    const frame = JSON.stringify({ ...DELTA, seq, executionId });
    if (socket.bufferedAmount > 2 ** 16) await new Promise((resolve) => socket.send(frame, resolve));
    else socket.send(frame);
  }
}

async function measure(open: (traffic: Traffic) => Read, count: number, events: number) {
  globalThis.gc?.();
  const heapBefore = getHeapStatistics().used_heap_size;
  const traffics = Array.from({ length: count }, (): Traffic => ({ made: 1, read: 0 }));
  const cpu = process.cpuUsage();
  const readers = traffics.map(open);
  await Promise.all(readers.map((read) => read(events)));
  const { user, system } = process.cpuUsage(cpu);
  await untilStill(traffics);
  globalThis.gc?.();
  const made = traffics.reduce((sum, traffic) => sum + traffic.made, 0);
  return {
    'events/s of CPU': Math.round(made / ((user + system) / 1_000_000)),
    'made ahead of a reader, at most': Math.max(...traffics.map((traffic) => traffic.made - traffic.read)),
    'held heap MB': Number(((getHeapStatistics().used_heap_size - heapBefore) / 2 ** 20).toFixed(1)),
    readers: readers.length,
  };
}

/** Nothing more is made, because nobody reads. */
async function untilStill(traffics: readonly Traffic[]): Promise<void> {
  let before = -1;
  for (;;) {
    const made = traffics.reduce((sum, traffic) => sum + traffic.made, 0);
    if (made === before) return;
    before = made;
    await new Promise((resolve) => setTimeout(resolve, 300));
  }
}

const cases: Readonly<Record<string, () => Promise<object>>> = {
  'stream-fast': () => measure(openStream, 1, FAST_EVENTS),
  'stream-slow': () => measure(openStream, SLOW_READERS, SLOW_EVENTS),
  'socket-fast': () => measure(openSocket, 1, FAST_EVENTS),
  'socket-slow': () => measure(openSocket, SLOW_READERS, SLOW_EVENTS),
  'ws-floor': () => measureSocket(sendFrames),
  'ws-fast': () => measureSocket((socket) => serveSocket(socket, createSession({ made: 0, read: 0 }))),
};
const [name = ''] = process.argv.slice(2);
const measured = await cases[name]?.();
if (measured === undefined)
  throw new Error(`There is no case ${name}. Known: ${Object.keys(cases).join(', ')}`);
process.stdout.write(`${JSON.stringify(measured)}\n`, () => process.exit(0));
