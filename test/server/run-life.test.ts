import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/protocol/events.ts';
import type { Agent, AgentContext } from '../../src/server/agent.ts';
import { createAgentSession } from '../../src/server/agent-session.ts';
import { collect, createGate, createTestClock, hello, run, settle, text, types } from './support.ts';

/** Says 'one', then waits for ever without listening to its signal. */
function createDeafAgent() {
  const contexts: AgentContext[] = [];
  const agent: Agent = async function* (context) {
    contexts.push(context);
    yield* text('one');
    await new Promise<never>(() => {});
  };
  return { agent, contexts };
}

async function startRun(resumeWindowMs?: number) {
  const clock = createTestClock();
  const { agent, contexts } = createDeafAgent();
  const more = resumeWindowMs === undefined ? {} : { resumeWindowMs };
  const session = createAgentSession({ id: 's', agent, clock, ...more });
  const events = session.execute(hello);
  const seen: AgentEvent[] = [];
  for (let count = 0; count < 4; count += 1) {
    const { value } = await events.next();
    if (value) seen.push(value);
  }
  const executionId = seen[0]?.type === 'start' ? (seen[0].executionId ?? '') : '';
  return { clock, session, events, seen, executionId, signal: contexts[0]?.signal, contexts };
}

describe('a run is pulled', () => {
  it('does nothing before the first next, and never runs ahead', async () => {
    let yielded = 0;
    const session = createAgentSession({
      id: 's',
      async *agent() {
        for (;;) {
          yielded += 1;
          yield { type: 'notice', code: 'n', text: String(yielded) };
        }
      },
    });
    const events = session.execute(hello);
    await settle();
    expect(yielded).toBe(0);
    for (let count = 0; count < 4; count += 1) await events.next();
    await settle();
    expect(yielded).toBe(3);
    await events.return();
  });

  it('return() before the first next starts nothing', async () => {
    const { agent, contexts } = createDeafAgent();
    const events = createAgentSession({ id: 's', agent }).execute(hello);
    await events.return();
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(contexts).toEqual([]);
  });
});

describe('a reader that goes away', () => {
  it('ends the run at once, also while an event is awaited', async () => {
    const { events, signal, session, executionId } = await startRun();
    const waiting = events.next();
    await events.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
    expect(signal?.aborted).toBe(true);
    const resumed = await run(session, { type: 'resume', executionId, cursor: '4' });
    expect(resumed).toEqual([expect.objectContaining({ code: 'run_interrupted', retryable: true })]);
  });

  it('leaves the run for a resume inside the window', async () => {
    const { clock, events, signal, session, executionId, seen } = await startRun(5_000);
    const waiting = events.next();
    await events.return();
    expect((await waiting).done).toBe(true);
    clock.advance(4_999);
    expect(signal?.aborted).toBe(false);
    const resumed = session.execute({ type: 'resume', executionId, cursor: '2' });
    expect((await resumed.next()).value).toEqual(seen[2]);
    clock.advance(60_000);
    expect(signal?.aborted).toBe(false);
    await resumed.return();
    clock.advance(5_000);
    expect(signal?.aborted).toBe(true);
  });

  it('loses nothing of what the agent said meanwhile', async () => {
    const gate = createGate();
    const session = createAgentSession({
      id: 's',
      resumeWindowMs: 1_000,
      clock: createTestClock(),
      async *agent() {
        await gate.opened;
        yield* text('late');
      },
    });
    const events = session.execute(hello);
    const start = (await events.next()).value;
    const executionId = start?.type === 'start' ? (start.executionId ?? '') : '';
    const waiting = events.next();
    await events.return();
    await waiting;
    gate.open();
    await settle();
    const rest = await run(session, { type: 'resume', executionId, cursor: '1' });
    expect(types(rest)).toEqual(['text-start', 'text-delta', 'text-end', 'finish']);
  });
});

describe('an aborted signal', () => {
  it('ends the run, and the stream with finish stop', async () => {
    const { agent, contexts } = createDeafAgent();
    const controller = new AbortController();
    const session = createAgentSession({ id: 's', agent, resumeWindowMs: 60_000, clock: createTestClock() });
    const events = collect(session.execute(hello, { signal: controller.signal }));
    await settle();
    controller.abort();
    expect((await events).at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
    expect(contexts[0]?.signal.aborted).toBe(true);
  });

  it('that was aborted before starts nothing', async () => {
    const { agent, contexts } = createDeafAgent();
    const signal = AbortSignal.abort();
    const events = await collect(createAgentSession({ id: 's', agent }).execute(hello, { signal }));
    expect(events).toEqual([{ type: 'finish', finishReason: 'stop' }]);
    expect(contexts).toEqual([]);
  });

  it('reaches server tools, and a deaf one does not hold the run', async () => {
    let toolSignal: AbortSignal | undefined;
    const session = createAgentSession({
      id: 's',
      async *agent() {
        yield { type: 'tool-request', toolCalls: [{ toolCallId: 'a', toolName: 'slow', args: {} }] };
      },
      tools: {
        slow: (_, { signal }) => {
          toolSignal = signal;
          return new Promise(() => {});
        },
      },
    });
    const controller = new AbortController();
    const events = collect(session.execute(hello, { signal: controller.signal }));
    await settle();
    controller.abort();
    expect(types(await events)).toEqual(['start', 'finish']);
    expect(toolSignal?.aborted).toBe(true);
  });
});

describe('stop', () => {
  it.each([0, 60_000])('ends the run at once with a window of %i ms', async (window) => {
    const { session, events, signal, executionId } = await startRun(window);
    const waiting = events.next();
    expect(await run(session, { type: 'stop', executionId })).toEqual([]);
    expect((await waiting).value).toMatchObject({
      type: 'finish',
      finishReason: 'stop',
      executionId,
      cursor: '5',
    });
    expect((await events.next()).done).toBe(true);
    expect(signal?.aborted).toBe(true);
  });

  it('ends a run nobody reads', async () => {
    const { session, events, signal, executionId } = await startRun(60_000);
    await events.return();
    await run(session, { type: 'stop' });
    expect(signal?.aborted).toBe(true);
    const resumed = await run(session, { type: 'resume', executionId, cursor: '4' });
    expect(resumed).toMatchObject([{ type: 'finish', finishReason: 'stop' }]);
  });

  it('without a run does nothing', async () => {
    const { agent } = createDeafAgent();
    expect(await run(createAgentSession({ id: 's', agent }), { type: 'stop' })).toEqual([]);
  });
});

describe('one execution at a time', () => {
  it('a new message ends the run before it, and the agent knows what it had said', async () => {
    const { session, events, contexts } = await startRun();
    const waiting = events.next();
    const next = session.execute({ ...hello, input: { USER_MESSAGE: 'again' } });
    expect((await next.next()).value).toMatchObject({ type: 'start' });
    expect((await waiting).value).toMatchObject({ type: 'finish', finishReason: 'stop' });
    await next.next();
    expect(contexts[0]?.signal.aborted).toBe(true);
    expect(contexts[1]?.messages.map((message) => message.role === 'tool' || message.content)).toEqual([
      'hello',
      'one',
      'again',
    ]);
    await next.return();
  });

  it('an interrupted answer is kept for the agent when another message follows', async () => {
    const { session, events, contexts } = await startRun();
    await events.return();
    const next = session.execute({ ...hello, input: { USER_MESSAGE: 'again' } });
    await next.next();
    await next.next();
    expect(contexts[1]?.messages).toHaveLength(3);
    await next.return();
  });
});
