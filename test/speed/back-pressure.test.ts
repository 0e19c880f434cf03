/** Counts the events and bytes that a server buffers for clients that do not read, because they use its memory. */
import { describe, expect, it } from 'vitest';
import type { Agent } from '../../src/server/agent.ts';
import { toSSEStream } from '../../src/server/http/to-sse-stream.ts';
import { createAgentSession } from '../../src/server/sessions/create-agent-session.ts';
import type { ServerSocket } from '../../src/server/socket/listen-to-socket.ts';
import { serveSocket } from '../../src/server/socket/serve-socket.ts';
import { createTestClock, hello, settle } from '../server/support.ts';

const READERS = 10;
const BUFFER = 16 * 1024;

/** An agent that sends text for ever. */
function createTalker(): { agent: Agent; made(): number } {
  let made = 0;
  return {
    made: () => made,
    agent: async function* () {
      for (;;) {
        made += 1;
        yield { type: 'text-delta', id: 't', delta: 'a long line of text '.repeat(50) };
      }
    },
  };
}

/** A socket whose peer reads nothing. */
function createStalledSocket() {
  let deliver = (_: unknown) => {};
  let held = 0;
  let last = 0;
  const socket: ServerSocket = {
    readyState: 1,
    get bufferedAmount() {
      return held;
    },
    send(frame) {
      last = frame.length;
      held += last;
    },
    on(type, listener) {
      if (type === 'message') deliver = listener;
    },
  };
  return {
    socket,
    deliver: (payload: object) => deliver(JSON.stringify(payload)),
    bytes: () => ({ held, last }),
  };
}

describe('a client that stops reading', () => {
  it('the server makes no events ahead of the reader of a response', async () => {
    const talkers = Array.from({ length: READERS }, createTalker);
    const readers = talkers.map(({ agent }, index) =>
      toSSEStream(createAgentSession({ id: `${index}`, agent }).execute(hello)).getReader(),
    );
    for (const reader of readers) for (let event = 0; event < 10; event += 1) await reader.read();
    await settle();
    // The first of the ten events is the `start` of the session.
    expect(talkers.map(({ made }) => made())).toEqual(Array.from({ length: READERS }, () => 9));
    for (const reader of readers) await reader.cancel();
  });

  it('the server buffers 16 Ki and one more frame for each socket, however long it waits', async () => {
    const clock = createTestClock();
    const stalled = Array.from({ length: READERS }, createStalledSocket);
    const handles = stalled.map(({ socket }, index) =>
      serveSocket(socket, createAgentSession({ id: `${index}`, agent: createTalker().agent, clock }), {
        clock,
      }),
    );
    for (const { deliver } of stalled) deliver(hello);
    const total = () => stalled.reduce((sum, { bytes }) => sum + bytes().held, 0);
    for (let before = -1; before !== total(); await settle()) before = total();
    for (const { bytes } of stalled) {
      const { held, last } = bytes();
      expect(held).toBeGreaterThan(BUFFER);
      expect(held - last).toBeLessThanOrEqual(BUFFER);
    }
    const full = total();
    clock.advance(1_000);
    await settle();
    expect(total()).toBe(full);
    for (const handle of handles) handle.dispose();
  });
});
