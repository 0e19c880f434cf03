import { createParser } from 'eventsource-parser';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import { toSSEResponse, toSSEStream } from '../../../src/server/http/to-sse-stream.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { createDeferred } from '../../support/deferred.ts';
import { createListAgent, createTestClock, hello, settle, stop, text } from '../support.ts';

const note = (name: string, cursor?: string): AgentEvent => ({
  type: 'notice',
  code: 'n',
  text: name,
  ...(cursor === undefined ? {} : { cursor }),
});

async function* listed(...events: AgentEvent[]) {
  yield* events;
}

const read = (stream: ReadableStream<Uint8Array>) => new Response(stream).text();

async function* never(): AsyncGenerator<never> {
  await new Promise(() => {});
}

describe('toSSEStream', () => {
  it('toSSEStream writes an id line for the cursor, data lines of JSON, and [DONE]', async () => {
    expect(await read(toSSEStream(listed(note('a', '7'), note('two\nlines'))))).toBe(
      [
        'id: 7\ndata: {"type":"notice","code":"n","text":"a"}\n\n',
        'data: {"type":"notice","code":"n","text":"two\\nlines"}\n\n',
        'data: [DONE]\n\n',
      ].join(''),
    );
  });

  it.each(['1\ndata: forged', '1\rdata: forged', '1\0'])(
    'toSSEStream leaves out the id %j, which a line cannot carry',
    async (id) => {
      expect(await read(toSSEStream(listed(note('a', id))))).toBe(
        'data: {"type":"notice","code":"n","text":"a"}\n\ndata: [DONE]\n\n',
      );
    },
  );

  it('an SSE parser reads the events that toSSEStream wrote', async () => {
    const session = createAgentSession({ id: 's', agent: createListAgent([...text('Grüße 👋'), stop]) });
    const messages: { id?: string | undefined; data: string }[] = [];
    const parser = createParser({ onEvent: ({ id, data }) => messages.push({ id, data }) });
    parser.feed(await read(toSSEStream(session.execute(hello))));
    expect(messages.map(({ id }) => id)).toEqual(['1', '2', '3', '4', '5', undefined]);
    expect(JSON.parse(messages[2]?.data ?? '')).toEqual({ type: 'text-delta', id: 't', delta: 'Grüße 👋' });
  });

  it('toSSEStream turns a thrown error into one error event without [DONE] and calls onError', async () => {
    const gone = new Error('gone');
    async function* failing() {
      yield note('a');
      throw gone;
    }
    const reported: unknown[] = [];
    const onError = (thrown: unknown) => reported.push(thrown);
    expect((await read(toSSEStream(failing(), { onError }))).split('\n\n').slice(1)).toEqual([
      'data: {"type":"error","errorType":"internal_error","message":"gone","source":"platform","retryable":false}',
      '',
    ]);
    expect(reported).toEqual([gone]);
  });

  it('toSSEStream sends the error event when the clean-up throws as well', async () => {
    const failing: AsyncIterable<AgentEvent> = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.reject(new Error('gone')),
        return() {
          throw new Error('closed already');
        },
      }),
    };
    expect(await read(toSSEStream(failing))).toContain('"message":"gone"');
  });

  it('toSSEStream turns an event that JSON cannot carry into an error and cancels the events', async () => {
    let released = false;
    async function* broken() {
      try {
        yield { type: 'resource-update', name: 'n', value: 1n } satisfies AgentEvent;
      } finally {
        released = true;
      }
    }
    expect(await read(toSSEStream(broken()))).toContain('"errorType":"internal_error"');
    expect(released).toBe(true);
  });

  it('toSSEStream accepts an iterator without return()', async () => {
    const failing = { [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('gone')) }) };
    expect(await read(toSSEStream(failing))).toContain('"message":"gone"');
    await expect(toSSEStream(failing).cancel()).resolves.toBeUndefined();
  });

  it('toSSEStream pulls nothing before it is read, and one event per read', async () => {
    let pulled = 0;
    async function* counting() {
      for (;;) yield note(String(++pulled));
    }
    const reader = toSSEStream(counting()).getReader();
    await settle();
    expect(pulled).toBe(0);
    await reader.read();
    await settle();
    expect(pulled).toBe(1);
    await reader.cancel();
  });

  it('cancel() of toSSEStream ends the run at once, also while the agent is silent', async () => {
    let signal: AbortSignal | undefined;
    const session = createAgentSession({
      id: 's',
      async *agent(context) {
        signal = context.signal;
        await new Promise<never>(() => {});
      },
    });
    const reader = toSSEStream(session.execute(hello)).getReader();
    await reader.read();
    const waiting = reader.read();
    await settle();
    expect(signal?.aborted).toBe(false);
    await reader.cancel();
    expect(signal?.aborted).toBe(true);
    expect((await waiting).done).toBe(true);
  });

  it('toSSEStream sends heartbeats while idle, one at a time, and none after the end', async () => {
    const clock = createTestClock();
    const gate = createDeferred();
    async function* slow() {
      await gate.promise;
      yield note('a');
    }
    const reader = toSSEStream(slow(), { clock }).getReader();
    const decode = async () => new TextDecoder().decode((await reader.read()).value);
    const first = decode();
    await settle();
    clock.advance(14_999);
    clock.advance(1);
    expect(await first).toBe(': heartbeat\n\n');
    // Without a reader, two periods leave at most one heartbeat in the queue.
    clock.advance(45_000);
    gate.resolve();
    expect([await decode(), await decode(), await decode()]).toEqual([
      ': heartbeat\n\n',
      expect.stringContaining('notice'),
      'data: [DONE]\n\n',
    ]);
    await reader.closed;
    expect(clock.waiting()).toBe(0);
  });

  it('toSSEStream sends no heartbeat after a cancel, also when the events never end', async () => {
    const clock = createTestClock();
    const reader = toSSEStream(never(), { clock }).getReader();
    void reader.read();
    await settle();
    expect(clock.waiting()).toBe(1);
    void reader.cancel();
    expect(clock.waiting()).toBe(0);
  });

  it('toSSEStream sends no heartbeat when heartbeatMs is 0', async () => {
    const clock = createTestClock();
    void toSSEStream(never(), { clock, heartbeatMs: 0 }).getReader().read();
    await settle();
    expect(clock.waiting()).toBe(0);
  });
});

describe('toSSEResponse', () => {
  it('toSSEResponse has the headers that keep proxies from buffering events', async () => {
    const response = toSSEResponse(listed(note('a')), { headers: { 'x-mine': '1' }, status: 202 });
    expect(response.status).toBe(202);
    expect(Object.fromEntries(response.headers)).toEqual({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
      'x-mine': '1',
    });
    expect(await response.text()).toContain('[DONE]');
  });
});
