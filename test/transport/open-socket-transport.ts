/** A socket transport with a server and a clock that the test controls. */
import { createManualClock } from '../../src/testing/manual-clock.ts';
import {
  createSocketTransport,
  type SocketTransportSettings,
} from '../../src/transport/create-socket-transport.ts';
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

/** Starts a run and waits until its reader has got the first event. */
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
