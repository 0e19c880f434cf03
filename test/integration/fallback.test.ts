/** A socket with HTTP as its fallback in front of our own server: a conversation moves between the two. */
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { createFallbackTransport } from '../../src/core/transport/create-fallback-transport.ts';
import { createSocketTransport } from '../../src/core/transport/create-socket-transport.ts';
import type { SocketLike } from '../../src/core.ts';
import { type AgentScript, always, type Backend, type BackendKind, isAnswer } from './backend.ts';
import { connect, reconnect } from './connect.ts';
import { createGate, findPending, openChat, readText } from './open-chat.ts';
import { ownBackend } from './own-backend.ts';
import { describeAnswers } from './suites/answer-suite.ts';
import { describeBrokenConnections } from './suites/broken-connection-suite.ts';
import { describeConversations } from './suites/conversation-suite.ts';
import { describeCuts } from './suites/cut-suite.ts';
import { describeInterruptions } from './suites/interruption-suite.ts';
import { describeRandomConversations } from './suites/random-suite.ts';

interface FallbackBackend extends Backend {
  /** Cuts the socket; it cannot be opened again until `restoreSocket`. */
  breakSocket(): void;
  restoreSocket(): void;
  /** How requests arrived: `socket` or `http`. */
  readonly ways: readonly string[];
}

interface FallbackKind extends BackendKind {
  open(...args: Parameters<BackendKind['open']>): Promise<FallbackBackend>;
}

/** @param alternates true: each cut blocks the socket or restores it, in turn */
function fallbackBackend(alternates: boolean): FallbackKind {
  return {
    name: `handrail/server over a socket with HTTP fallback${alternates ? ', in turns' : ''}`,
    resumes: true,
    keepsRuns: true,
    numbersEvents: true,
    async open(script: AgentScript, serverTools) {
      const backend = await ownBackend('http').open(script, serverTools);
      const sockets = new Set<WebSocket>();
      const ways: string[] = [];
      let isBroken = false;
      const socket = createSocketTransport({
        reconnect,
        connect() {
          if (isBroken) throw new Error('blocked by a proxy');
          const opened = new WebSocket(`ws://127.0.0.1:${backend.port}`);
          sockets.add(opened);
          const send = opened.send.bind(opened);
          opened.send = (data: string) => {
            ways.push('socket');
            send(data);
          };
          return opened as SocketLike;
        },
      });
      const http = connect('http', backend.port, () => ways.push('http'));
      const breakSocket = () => {
        isBroken = true;
        for (const opened of sockets) opened.terminate();
        sockets.clear();
      };
      const restoreSocket = () => {
        isBroken = false;
      };
      return {
        ...backend,
        transport: createFallbackTransport([socket, http]),
        ways,
        breakSocket,
        restoreSocket,
        cut() {
          if (alternates) {
            if (isBroken) restoreSocket();
            else breakSocket();
          }
          backend.cut();
        },
      };
    },
  };
}

describeBrokenConnections(fallbackBackend(false));
for (const kind of [fallbackBackend(false), fallbackBackend(true)]) {
  describeConversations(kind);
  describeAnswers(kind);
  describeInterruptions(kind);
  describeRandomConversations(kind);
  describeCuts(kind);
}

describe('a live conversation moves from the socket to HTTP and back', () => {
  it('a fallback in the middle of a text resumes the text at its cursor', async () => {
    const gate = createGate();
    const backend = await fallbackBackend(false).open(always(['Hello, ', { hold: gate.hold }, 'world.']));
    const { chat, until, callbacks } = openChat(backend);
    const sent = chat.sendMessage('hi');
    await until((state) => readText(state) === 'Hello, ');
    backend.breakSocket();
    gate.release();
    await sent;
    expect(readText(chat.getState())).toBe('Hello, world.');
    expect(callbacks).toEqual(['finish stop']);
    expect(backend.ways).toEqual(['socket', 'http']);
    backend.restoreSocket();
    await chat.connect?.();
    await chat.sendMessage('again');
    expect(backend.ways).toEqual(['socket', 'http', 'socket']);
    expect((await backend.readTranscript()).filter((line) => 'user' in line)).toEqual([
      { user: 'hi' },
      { user: 'again' },
    ]);
  });

  it('a fallback with open questions keeps them, and each answer is sent once over HTTP', async () => {
    const ask = { call: 'ask' };
    const backend = await fallbackBackend(false).open(always(['Two things. ', ask, ask], ['Thanks.']));
    const { chat, until } = openChat(backend, { ask: 'interactive' });
    await chat.sendMessage('hi');
    const [first, second] = chat.getState().pendingClientTools.ask ?? [];
    expect(first?.submit(1)).toEqual({ settled: true });
    backend.breakSocket();
    await until(({ connectionState }) => connectionState !== 'connected');
    expect(chat.getState().pendingClientTools.ask).toEqual([second]);
    expect(second?.submit(2)).toEqual({ settled: true });
    await until(({ status }) => status === 'idle');
    expect(readText(chat.getState())).toBe('Two things. Thanks.');
    // The first answer did not arrive over the socket. The run says so over HTTP, and then gets both.
    expect(backend.ways).toEqual(['socket', 'http', 'http']);
    expect((await backend.readTranscript()).filter(isAnswer)).toMatchObject([{ result: 1 }, { result: 2 }]);
  });

  it('a fallback while an answer is sent delivers it once, whether or not the socket had delivered it', async () => {
    for (const isDelivered of [true, false]) {
      const gate = createGate();
      const backend = await fallbackBackend(false).open(
        always([{ call: 'ask' }], [{ hold: gate.hold }, 'Thanks.']),
      );
      const { chat, until } = openChat(backend, { ask: 'interactive' });
      await chat.sendMessage('hi');
      findPending(chat.getState(), 'ask').submit('yes');
      if (isDelivered) await gate.reached;
      backend.breakSocket();
      gate.release();
      await until(({ status }) => status === 'idle');
      expect(readText(chat.getState())).toBe('Thanks.');
      expect((await backend.readTranscript()).filter(isAnswer)).toMatchObject([{ result: 'yes' }]);
      expect(backend.refusals).toEqual([]);
    }
  });

  it('a conversation moves to HTTP and back within one turn', async () => {
    const ask = { call: 'ask' };
    const backend = await fallbackBackend(false).open(always([ask], [ask], [ask], ['Done.']));
    const { chat, until } = openChat(backend, { ask: 'interactive' });
    await chat.sendMessage('hi');
    const answer = async () => {
      const tool = findPending(chat.getState(), 'ask');
      tool.submit(true);
      await until(
        ({ status, pendingClientTools }) => status === 'idle' || pendingClientTools.ask?.[0] !== tool,
      );
      await until(({ status }) => status === 'idle' || status === 'awaiting-input');
    };
    const breakSocket = async () => {
      backend.breakSocket();
      await until(({ connectionState }) => connectionState !== 'connected');
    };
    await breakSocket();
    await answer();
    backend.restoreSocket();
    await chat.connect?.();
    await answer();
    await breakSocket();
    await answer();
    expect(readText(chat.getState())).toBe('Done.');
    expect(backend.ways).toEqual(['socket', 'http', 'socket', 'http']);
    expect((await backend.readTranscript()).filter(isAnswer)).toHaveLength(3);
    expect(backend.refusals).toEqual([]);
  });
});
