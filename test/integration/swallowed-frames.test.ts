/** Real sockets behind a proxy that swallows one frame and passes all others on, heartbeats included. */
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { createSocketTransport } from '../../src/core/transport/create-socket-transport.ts';
import type { SocketLike } from '../../src/core/transport/socket-like.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { createDeferred } from '../support/deferred.ts';
import { always, isAnswer } from './backend.ts';
import { reconnect } from './connect.ts';
import { createGate, findPending, isAwaiting, openChat, readStatuses, readText } from './open-chat.ts';
import { ownBackend } from './own-backend.ts';

/** A socket that loses the first frame with answers. */
function losingAnswers(socket: WebSocket, lose: () => boolean): SocketLike {
  const send = socket.send.bind(socket);
  socket.send = (data: string) => {
    if (JSON.parse(data).type !== 'continue' || !lose()) send(data);
  };
  return socket as unknown as SocketLike;
}

test('an answer whose frame a proxy swallows reaches the agent once, over the next connection', async () => {
  const clock = createManualClock();
  const swallowed = createDeferred();
  let connects = 0;
  const backend = await ownBackend('ws').open(always([{ call: 'ask' }], ['Thanks.']));
  const transport = createSocketTransport({
    clock,
    reconnect: { ...reconnect, initialDelayMs: 0 },
    connect() {
      connects += 1;
      const lose = connects === 1;
      return losingAnswers(new WebSocket(`ws://127.0.0.1:${backend.port}`), () => {
        if (lose) swallowed.resolve();
        return lose;
      });
    },
  });
  const { chat, until } = openChat({ transport, close: backend.close }, { ask: 'interactive' });
  void chat.sendMessage('Hi');
  findPending(await until(isAwaiting), 'ask').submit('yes');
  await swallowed.promise;
  await clock.advance(10_000);
  const state = await until(({ status }) => status === 'idle' || status === 'error');
  expect(state.error).toBeNull();
  expect([readText(state), readStatuses(state), connects]).toEqual(['Thanks.', ['done'], 2]);
  expect((await backend.readTranscript()).filter(isAnswer)).toEqual([{ answer: 'call-1', result: 'yes' }]);
  expect(backend.refusals).toEqual([]);
});

test('a socket that freezes before its first heartbeat is replaced, and its run goes on', async () => {
  const clock = createManualClock();
  const frozen = createDeferred();
  const gate = createGate();
  const backend = await ownBackend('ws').open(always(['Hello ', { hold: gate.hold }, 'there.']));
  const sockets: WebSocket[] = [];
  const transport = createSocketTransport({
    clock,
    reconnect: { ...reconnect, initialDelayMs: 0 },
    connect() {
      const socket = new WebSocket(`ws://127.0.0.1:${backend.port}`);
      sockets.push(socket);
      if (sockets.length > 1) return socket as unknown as SocketLike;
      // After the first frame nothing arrives any more, and the connection stays open.
      socket.once('message', () => {
        socket.pause();
        frozen.resolve();
      });
      return socket as unknown as SocketLike;
    },
  });
  const { chat, until } = openChat({ transport, close: backend.close });
  onTestFinished(() => sockets[0]?.terminate());
  void chat.sendMessage('Hi');
  await frozen.promise;
  gate.release();
  await clock.advance(35_000);
  const state = await until(({ status }) => status === 'idle' || status === 'error');
  expect(state.error).toBeNull();
  expect([readText(state), sockets.length]).toEqual(['Hello there.', 2]);
});
