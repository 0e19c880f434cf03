import { describe, expect, it } from 'vitest';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import type { SessionRecord, SessionStore } from '../../../src/server/store/session-store.ts';
import {
  calls,
  collect,
  continueWith,
  createListAgent,
  createSession,
  createTestClock,
  hello,
  run,
  settle,
  stop,
  text,
  types,
  withoutCursors,
} from '../support.ts';

const failed = {
  type: 'error',
  errorType: 'rate_limit_error',
  message: 'Busy',
  source: 'provider',
  retryable: true,
} as const;
const keyed = { ...hello, idempotencyKey: 'message-1' };
const later = { ...hello, input: { USER_MESSAGE: 'later' }, idempotencyKey: 'message-2' };

/** The texts of the person in the history of the latest invocation. */
const saidTo = ({ contexts }: ReturnType<typeof createListAgent>) =>
  contexts.at(-1)?.messages.flatMap((message) => (message.role === 'user' ? [message.content] : []));

describe('a message that is sent again under its key', () => {
  it('a message sent again after its run ended gets the events of that run, and the agent is not called', async () => {
    let charged = 0;
    const agent = createListAgent(calls('charge'), [...text('Paid'), stop]);
    const session = createSession(agent, { charge: () => ++charged });
    const first = await run(session, keyed);
    expect(await run(session, keyed)).toEqual(first);
    expect(first[0]).toMatchObject({ type: 'start', idempotencyKey: 'message-1' });
    expect([charged, agent.contexts.length]).toEqual([1, 2]);
  });

  it('a message sent again while its question is open gets the question again', async () => {
    const agent = createListAgent(calls('ask'), [...text('Done'), stop]);
    const session = createSession(agent);
    const asked = await run(session, keyed);
    const again = await run(session, keyed);
    expect(again).toEqual(asked);
    expect(types(await run(session, continueWith(again)))).toContain('text-delta');
    expect(agent.contexts).toHaveLength(2);
  });

  it('a message sent again after the server lost its log gets the answer from the history', async () => {
    const agent = createListAgent([...text('Hm'), ...calls('charge')], [...text('Paid'), stop]);
    const store = createMemorySessionStore();
    const open = (current: SessionStore) =>
      createAgentSession({ id: 's', agent, store: current, tools: { charge: () => 7 } });
    const ending = (await run(open(store), keyed)).at(-1);
    const restarted = createMemorySessionStore();
    await restarted.save('s', (await store.load('s')) as SessionRecord);
    const again = await run(open(restarted), keyed);
    expect(withoutCursors(again)).toMatchObject([
      { type: 'start' },
      ...text('Hm', 'step-0'),
      { type: 'tool-input-available', toolName: 'charge', input: { of: 'charge' } },
      { type: 'tool-output-available', output: 7 },
      ...text('Paid', 'step-1'),
      { type: 'finish', finishReason: 'stop' },
    ]);
    expect(again.at(-1)).toEqual(ending);
    expect(agent.contexts).toHaveLength(2);
  });

  it('a message sent again reads the whole answer whose rest could not be resumed', async () => {
    const agent = createListAgent([...text('Paid'), stop]);
    const store = createMemorySessionStore();
    const first = await run(createAgentSession({ id: 's', agent, store }), keyed);
    const restarted = createMemorySessionStore();
    await restarted.save('s', (await store.load('s')) as SessionRecord);
    const session = createAgentSession({ id: 's', agent, store: restarted });
    const { executionId } = first[0] as { executionId: string };
    const expired = await run(session, { type: 'resume', executionId, cursor: first[2]?.cursor });
    expect(expired).toMatchObject([{ code: 'cursor_expired', retryable: true }]);
    expect(withoutCursors(await run(session, keyed))).toMatchObject([
      { type: 'start' },
      ...text('Paid', 'step-0'),
      { type: 'finish', finishReason: 'stop' },
    ]);
    expect(agent.contexts).toHaveLength(1);
  });

  it('a message sent again while its run goes on reads that run', async () => {
    const agent = createListAgent([...text('One'), ...text('Two', 'u'), stop]);
    const session = createSession(agent);
    const lost = session.execute(keyed);
    await lost.next();
    const again = run(session, keyed);
    expect((await collect(lost)).at(-1)).toMatchObject({ code: 'resumed_elsewhere' });
    expect(types(await again)).toEqual([
      'start',
      ...[...text('One'), ...text('Two')].map(({ type }) => type),
      'finish',
    ]);
    expect(agent.contexts).toHaveLength(1);
  });

  it.each([
    ['its run failed', false],
    ['its run failed and another client sent stop', true],
  ])('a message sent again after %s restarts the run with one message in the history', async (_, stops) => {
    const agent = createListAgent([failed], [...text('Now'), stop]);
    const session = createSession(agent);
    await run(session, keyed);
    if (stops) await run(session, { type: 'stop' });
    expect(types(await run(session, keyed))).toContain('text-delta');
    expect(saidTo(agent)).toEqual(['hello']);
  });

  it('a message sent again after a later message is refused, and the later run stays', async () => {
    const agent = createListAgent([...text('One'), stop]);
    const session = createSession(agent);
    await run(session, keyed);
    const latest = await run(session, later);
    expect(await run(session, keyed)).toMatchObject([{ type: 'error', code: 'already_received' }]);
    expect(await run(session, later)).toEqual(latest);
    expect(agent.contexts).toHaveLength(2);
  });

  it('the same text under another key is another message', async () => {
    const agent = createListAgent([failed], [...text('Twice'), stop]);
    const session = createSession(agent);
    await run(session, keyed);
    await run(session, { ...keyed, idempotencyKey: 'message-2' });
    expect(saidTo(agent)).toEqual(['hello', 'hello']);
  });

  it('a stop that names a message by its key ends no other run', async () => {
    const agent = createListAgent(calls('ask'));
    const session = createSession(agent);
    const asked = await run(session, keyed);
    await run(session, { type: 'stop', idempotencyKey: 'message-2' });
    expect(await run(session, keyed)).toEqual(asked);
    await run(session, { type: 'stop', idempotencyKey: 'message-1' });
    expect(await run(session, continueWith(asked))).toMatchObject([{ code: 'execution_closed' }]);
  });
});

describe('a run whose client goes away', () => {
  const long = [...text('One'), ...text('Two', 'u'), stop];
  const leave = async (payload: object) => {
    const agent = createListAgent(long);
    const clock = createTestClock();
    const session = createAgentSession({ id: 's', agent, clock });
    const events = session.execute(payload);
    const first = await events.next();
    await events.return();
    await settle();
    const { executionId } = first.value as { executionId?: string };
    const resumed = await run(session, { type: 'resume', executionId, cursor: '1' });
    return { agent, resumed };
  };

  it('a run whose client names its messages goes on without a reader, and its answer can be read later', async () => {
    const { agent, resumed } = await leave(keyed);
    expect(types(resumed)).toEqual(long.map(({ type }) => type));
    expect(agent.contexts[0]?.signal.aborted).toBe(false);
  });

  it('a run whose client sends no keys ends when its client goes away', async () => {
    const { resumed } = await leave(hello);
    expect(resumed).toMatchObject([{ code: 'run_interrupted' }]);
  });

  it('a run without a reader ends after a minute', async () => {
    const clock = createTestClock();
    const signals: AbortSignal[] = [];
    const session = createAgentSession({
      id: 's',
      clock,
      async *agent({ signal }) {
        signals.push(signal);
        yield* text('One');
        await new Promise(() => {});
      },
    });
    const events = session.execute(keyed);
    await events.next();
    await events.return();
    await settle();
    clock.advance(59_999);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    clock.advance(1);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  });
});

describe('a message that takes the place of an earlier one', () => {
  const rewinding = { ...later, rewindTo: 'message-1', idempotencyKey: 'message-3' };

  it('the agent gets the history before that message', async () => {
    const agent = createListAgent([...text('A'), stop], [...text('B'), stop], [...text('C'), stop]);
    const session = createSession(agent);
    for (const message of [keyed, later, rewinding]) await run(session, message);
    expect(agent.contexts.at(-1)?.messages).toMatchObject([
      { role: 'user', id: 'message-3', content: 'later' },
    ]);
  });

  it('sent again, it is the same message: the run is read again', async () => {
    const agent = createListAgent([...text('A'), stop], [...text('B'), stop]);
    const session = createSession(agent);
    await run(session, keyed);
    const first = await run(session, rewinding);
    expect(await run(session, rewinding)).toEqual(first);
    expect(agent.contexts).toHaveLength(2);
  });

  it('it ends the run that is going on, and its open question', async () => {
    const agent = createListAgent(calls('ask'), [...text('B'), stop]);
    const session = createSession(agent);
    const asked = await run(session, keyed);
    await run(session, rewinding);
    expect(saidTo(agent)).toEqual(['later']);
    expect((await run(session, continueWith(asked))).at(-1)).toMatchObject({ code: 'unknown_execution' });
  });

  it('a message that is not there is refused, and a run goes on', async () => {
    const agent = createListAgent(calls('ask'), [...text('B'), stop]);
    const session = createSession(agent);
    const asked = await run(session, keyed);
    const refused = await run(session, { ...rewinding, rewindTo: 'nothing' });
    expect(refused).toMatchObject([{ type: 'error', code: 'unknown_message' }]);
    expect(types(await run(session, continueWith(asked)))).toContain('text-delta');
  });

  it('a message that was removed cannot be sent again', async () => {
    const agent = createListAgent([...text('A'), stop], [...text('B'), stop]);
    const session = createSession(agent);
    await run(session, keyed);
    await run(session, rewinding);
    expect(await run(session, keyed)).toMatchObject([{ code: 'already_received' }]);
  });
});
