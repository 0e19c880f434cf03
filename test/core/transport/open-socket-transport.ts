/** Opens a socket transport whose server is the test, with a clock that the test moves. */

import {
  createSocketTransport,
  type SocketTransportSettings,
} from '../../../src/core/transport/create-socket-transport.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createFakeServer } from './fake-socket.ts';
import { createIO, read, trigger } from './support.ts';

export const start = { type: 'start', executionId: 'e1' };
export const finish = { type: 'finish', finishReason: 'stop' };
export const delta = (text: string, id = 't') => ({ type: 'text-delta', id, delta: text });
export const numbered = (seq: number, event: object, executionId = 'e1') => ({ ...event, seq, executionId });
export const resume = (cursor: string) => ({ type: 'resume', executionId: 'e1', cursor });

export function openSocketTransport(settings: SocketTransportSettings = {}) {
  const server = createFakeServer();
  const clock = createManualClock();
  const transport = createSocketTransport({
    connect: () => server.connect(),
    clock,
    random: () => 1,
    ...settings,
  });
  const states: string[] = [];
  transport.connection?.subscribe(({ state }) => states.push(state));
  const { connection } = transport;
  if (connection === undefined) throw new Error('a socket transport has a connection');
  return { server, clock, transport, connection, states };
}

/** Begins a run, and waits until its reader has the first event. */
export async function beginRun(
  { server, clock, transport }: ReturnType<typeof openSocketTransport>,
  io = createIO(),
) {
  const reading = read(transport.run(trigger, io));
  await clock.advance(0);
  server.socket.say(numbered(1, start));
  await reading.until(1);
  return reading;
}
