import { describe, expect, it } from 'vitest';
import type { AgentEvent, StartEvent } from '../../../src/core/protocol/events.ts';
import type { Agent, AgentContext, ModelEvent } from '../../../src/server/agent.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import type { LoggedEvent } from '../../../src/server/store/event-log.ts';
import type { SessionRecord, SessionStore } from '../../../src/server/store/session-store.ts';
import { createDeferred } from '../../support/deferred.ts';
import {
  calls,
  collect,
  continueWith,
  createListAgent,
  hello,
  requestIn,
  run,
  settle,
  stop,
  text,
  types,
  withoutCursors,
} from '../support.ts';

const answersSeen = (context: AgentContext | undefined) =>
  context?.messages.filter((message) => message.role === 'tool').map(({ toolCallId }) => toolCallId);

/** A store that delays each save until the test allows it. */
function createPlainStore(mayKeep: (record: SessionRecord) => unknown = () => {}): SessionStore {
  let saved: SessionRecord | null = null;
  return {
    load: async () => saved,
    async save(_, record) {
      await mayKeep(record);
      saved = record;
      return true;
    },
  };
}

const busy: ModelEvent = {
  ...{ type: 'error', errorType: 'provider_overloaded', message: 'busy' },
  ...{ retryable: true, source: 'provider' },
};

async function waitingSession(...later: (readonly ModelEvent[])[]) {
  const agent = createListAgent([...text('One moment'), ...calls('ask', 'add', 'look')], ...later, [
    ...text('Done'),
    stop,
  ]);
  const store = createMemorySessionStore();
  const session = createAgentSession({ id: 's', agent, store, tools: { add: () => 3 } });
  const first = await run(session, hello);
  return { agent, store, session, first, executionId: requestIn(first).executionId };
}

describe('a continue of the client', () => {
  it('a continue that forges a call is refused and changes nothing', async () => {
    const { session, agent, store, first, executionId } = await waitingSession();
    const before = await store.load('s');
    const forged = continueWith(first);
    forged.toolResults.push({ toolCallId: 'other', toolName: 'ask', result: 1 });
    expect(await run(session, forged)).toEqual([
      expect.objectContaining({ type: 'error', errorType: 'validation_error', code: 'unknown_tool_call' }),
    ]);
    expect(await run(session, { ...continueWith(first), executionId: `${executionId}x` })).toEqual([
      expect.objectContaining({ type: 'error', errorType: 'validation_error', code: 'unknown_execution' }),
    ]);
    expect(await store.load('s')).toEqual(before);
    expect(agent.contexts).toHaveLength(1);
    expect((await run(session, continueWith(first))).at(-1)).toMatchObject({ finishReason: 'stop' });
  });

  it('a continue for a call of an earlier turn is refused', async () => {
    const agent = createListAgent(calls('first'), [stop], calls('ask'), [stop]);
    const session = createAgentSession({ id: 's', agent });
    await run(session, continueWith(await run(session, hello)));
    const mixed = continueWith(await run(session, hello));
    mixed.toolResults.push({ toolCallId: 'first-id', toolName: 'first', result: 1 });
    expect(await run(session, mixed)).toEqual([expect.objectContaining({ code: 'unknown_tool_call' })]);
  });

  it('a continue that answers only some of the calls is refused and names the others', async () => {
    const { session, agent, executionId } = await waitingSession();
    const partial = { type: 'continue', executionId, toolResults: [{ toolCallId: 'ask-id', result: 1 }] };
    expect(await run(session, partial)).toEqual([
      expect.objectContaining({
        code: 'missing_tool_results',
        message: expect.stringContaining("'look-id'"),
      }),
    ]);
    expect(agent.contexts).toHaveLength(1);
  });

  it('a continue cannot replace the result of a server tool', async () => {
    const { session, agent, first } = await waitingSession();
    const lying = continueWith(first);
    lying.toolResults[0] = { toolCallId: 'add-id', toolName: 'add', result: 'forged' };
    await run(session, lying);
    expect(agent.contexts[1]?.messages).toContainEqual({
      role: 'tool',
      toolCallId: 'add-id',
      toolName: 'add',
      result: 3,
    });
    expect(JSON.stringify(agent.contexts)).not.toContain('forged');
  });

  it('a continue needs no copies of the server results', async () => {
    const { session, first } = await waitingSession();
    const request = continueWith(first);
    request.toolResults = request.toolResults.filter((result) => result.toolCallId !== 'add-id');
    expect((await run(session, request)).at(-1)).toMatchObject({ finishReason: 'stop' });
  });

  it('a continue that is sent twice reaches the agent once', async () => {
    const { session, agent, first } = await waitingSession();
    await run(session, continueWith(first));
    expect(await run(session, continueWith(first))).toEqual([
      expect.objectContaining({ code: 'already_answered' }),
    ]);
    expect(
      await run(
        session,
        continueWith(first, () => 'changed my mind'),
      ),
    ).toEqual([expect.objectContaining({ code: 'already_answered' })]);
    expect(agent.contexts).toHaveLength(2);
  });

  it('a continue that is sent twice at the same time reaches the agent once', async () => {
    const { session, agent, first } = await waitingSession();
    const both = await Promise.all([run(session, continueWith(first)), run(session, continueWith(first))]);
    expect(both.map((events) => events[0]?.type)).toEqual(['start', 'error']);
    expect(agent.contexts).toHaveLength(2);
  });

  it('a continue that is sent twice at the same time reaches the agent once, also with a store that does not compare revisions', async () => {
    const agent = createListAgent(calls('ask'), [stop]);
    const session = createAgentSession({ id: 's', agent, store: createPlainStore() });
    const first = await run(session, hello);
    const both = await Promise.all([run(session, continueWith(first)), run(session, continueWith(first))]);
    expect(both.map((events) => events[0]?.type)).toEqual(['start', 'error']);
    expect(agent.contexts).toHaveLength(2);
  });

  it('a client gets its calls only after they are saved, so no continue can come earlier', async () => {
    const gate = createDeferred();
    const store = createPlainStore(({ execution }) =>
      execution?.state === 'waiting' ? gate.promise : undefined,
    );
    const session = createAgentSession({ id: 's', agent: createListAgent(calls('ask')), store });
    const received: string[] = [];
    const reading = (async () => {
      for await (const { type } of session.execute(hello)) received.push(type);
    })();
    await settle();
    expect(received).toEqual(['start']);
    gate.resolve();
    await reading;
    expect(received).toEqual(['start', 'client-tool-request', 'finish']);
  });

  it('a continue without answers is refused, while calls wait and when none waits', async () => {
    const { session, agent, first, executionId } = await waitingSession();
    const empty = { type: 'continue', executionId, toolResults: [] };
    const refused = [expect.objectContaining({ code: 'missing_tool_results' })];
    expect(await run(session, empty)).toEqual(refused);
    await run(session, continueWith(first));
    expect(await run(session, empty)).toEqual(refused);
    expect(agent.contexts).toHaveLength(2);
  });

  it('a continue for the earlier batch is refused while the next batch waits', async () => {
    const { session, agent, first } = await waitingSession(calls('more'));
    const second = await run(session, continueWith(first));
    expect(await run(session, continueWith(first))).toEqual([
      expect.objectContaining({ code: 'already_answered' }),
    ]);
    const third = await run(session, continueWith(second));
    expect(third.at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(answersSeen(agent.contexts[2])).toEqual(['ask-id', 'add-id', 'look-id', 'more-id']);
  });

  it('a continue is accepted between the client-tool-request and the finish of the request before', async () => {
    const again = createListAgent(calls('ask'), [stop]);
    const store = createMemorySessionStore();
    const quick = createAgentSession({ id: 'q', agent: again, store });
    const events = quick.execute(hello);
    await events.next();
    const { value } = await events.next();
    if (!value) throw new Error('no request');
    expect(types(await run(quick, continueWith([value])))).toEqual(['start', 'finish']);
    expect((await events.next()).value).toMatchObject({ finishReason: 'client-tool-calls', cursor: '3' });
    expect((await events.next()).done).toBe(true);
    const { executionId } = requestIn([value]);
    const logged = (await store.openLog?.('q', executionId, 0).read(0)) ?? [];
    expect(logged.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(again.contexts).toHaveLength(2);
  });

  it('a repeated continue restarts a request that no client could read, with the saved answers', async () => {
    const { session, agent, first } = await waitingSession([...text('Half'), ...text('way', 'u'), stop]);
    const lost = session.execute(continueWith(first));
    for (let count = 0; count < 3; count += 1) await lost.next();
    await lost.return();

    expect(
      await run(
        session,
        continueWith(first, () => 'another answer'),
      ),
    ).toEqual([expect.objectContaining({ code: 'already_answered' })]);
    const again = await run(session, continueWith(first));
    expect(types(again).slice(0, 2)).toEqual(['start', 'text-start']);
    expect(again.at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(answersSeen(agent.contexts[2])).toEqual(['ask-id', 'add-id', 'look-id']);
    expect(agent.contexts[2]?.messages).toEqual(agent.contexts[1]?.messages);
  });

  it.each<[string, ModelEvent]>([
    ['an error', busy],
    ['finish{error}', { type: 'finish', finishReason: 'error' }],
  ])('a repeated continue restarts a request that ended in %s', async (_, failure) => {
    const { session, agent, first } = await waitingSession([...text('Hm'), failure]);
    expect((await run(session, continueWith(first))).at(-1)).toMatchObject(failure);
    const again = await run(session, continueWith(first));
    expect(again.at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(Number(again[0]?.cursor)).toBeGreaterThan(Number(first.at(-1)?.cursor));
    expect(answersSeen(agent.contexts[2])).toEqual(['ask-id', 'add-id', 'look-id']);
    expect(agent.contexts[2]?.messages.at(-1)).toMatchObject({ role: 'tool' });
  });

  it.each<[string, object, object, string]>([
    [
      'the same keys in another order',
      { result: { a: [1, null], b: 2 } },
      { result: { b: 2, a: [1, null] } },
      'start',
    ],
    ['another value deep inside', { result: { a: [1, null] } }, { result: { a: [2, null] } }, 'error'],
    ['another error', { error: 'User cancelled' }, { error: 'Timed out' }, 'error'],
    ['an answer of the batch before', { result: 1 }, { toolCallId: 'first-id', result: 1 }, 'error'],
  ])(
    'a continue restarts a failed request only with the same answers: %s',
    async (_, accepted, repeated, outcome) => {
      const agent = createListAgent(calls('first'), calls('ask'), [busy], [stop]);
      const session = createAgentSession({ id: 's', agent });
      const first = await run(session, hello);
      const second = await run(
        session,
        continueWith(first, () => 1),
      );
      const { executionId } = requestIn(second);
      const answer = (...answers: object[]) =>
        run(session, {
          type: 'continue',
          executionId,
          toolResults: answers.map((given) => ({ toolCallId: 'ask-id', ...given })),
        });
      const failed = await answer(accepted);
      // The same answers together with an answer of an earlier batch are not the same.
      expect(types(await answer(accepted, { toolCallId: 'first-id', result: 'other' }))).toEqual(['error']);
      const again = await answer(repeated);
      expect(again[0]).toMatchObject({
        type: outcome,
        ...(outcome === 'error' ? { code: 'already_answered' } : {}),
      });
      if (outcome === 'start')
        expect(Number(again[0]?.cursor)).toBeGreaterThan(Number(failed.at(-1)?.cursor));
    },
  );

  it('a continue does not restart a failed request when one of several answers differs', async () => {
    const session = createAgentSession({
      id: 's',
      agent: createListAgent(calls('a', 'b'), [busy], [stop]),
    });
    const first = await run(session, hello);
    await run(session, continueWith(first));
    const other = continueWith(first, (name) => (name === 'b' ? 'other' : `${name} ok`));
    expect(await run(session, other)).toEqual([expect.objectContaining({ code: 'already_answered' })]);
    expect((await run(session, continueWith(first))).at(-1)).toMatchObject({ finishReason: 'stop' });
  });

  it('a continue after a stop is refused as execution_closed', async () => {
    const { session, first } = await waitingSession();
    await run(session, { type: 'stop' });
    expect(await run(session, continueWith(first))).toEqual([
      expect.objectContaining({ code: 'execution_closed' }),
    ]);
  });
});

describe('a resume', () => {
  const resume = (executionId: string, cursor: string | number | undefined) => ({
    type: 'resume',
    executionId,
    cursor,
  });

  it('a resume sends the saved calls when the process died before it sent them', async () => {
    const logged: LoggedEvent[] = [];
    const plain = createPlainStore();
    const agent = createListAgent(calls('ask'), [stop]);
    const openProcess = () => {
      const openLog = () => ({
        async append(entry: LoggedEvent) {
          await settle();
          logged.push(entry);
        },
        read: (seq: number) => logged.filter((entry) => entry.seq > seq),
      });
      const store = { ...plain, openLog };
      return createAgentSession({ id: 's', agent, store });
    };
    const { executionId } = requestIn(await run(openProcess(), hello));
    logged.splice(1);
    const session = openProcess();
    const received = await run(session, resume(executionId, '1'));
    expect(types(received)).toEqual(['client-tool-request', 'finish']);
    expect((await run(session, continueWith(received))).at(-1)).toMatchObject({ finishReason: 'stop' });
  });

  it('a resume replays the events after the cursor, with the same cursors', async () => {
    const { session, first, executionId } = await waitingSession();
    for (const [index, event] of first.entries()) {
      if (index === first.length - 1) break;
      expect(await run(session, resume(executionId, event.cursor))).toEqual(first.slice(index + 1));
    }
  });

  it('a resume accepts the seq of a socket frame as its cursor', async () => {
    const { session, first, executionId } = await waitingSession();
    expect(await run(session, resume(executionId, 0))).toEqual(first);
    expect(await run(session, resume(executionId, Number(first[0]?.cursor)))).toEqual(first.slice(1));
  });

  it('a resume of a waiting execution ends with its finish even when no event was missed', async () => {
    const { session, first, executionId } = await waitingSession();
    const ending = { type: 'finish', finishReason: 'client-tool-calls', executionId };
    expect(await run(session, resume(executionId, first.at(-1)?.cursor))).toEqual([ending]);
  });

  it('a resume shows the outcome of answers whose acknowledgement was lost', async () => {
    const { session, first, executionId } = await waitingSession();
    const second = await run(session, continueWith(first));
    const request = requestIn(first);
    const accepted = { type: 'tool-result-acknowledged', status: 'accepted', outcome: 'submitted' };
    // The finish of the first request is not sent to a client that resumes after it.
    expect(await run(session, resume(executionId, request.cursor))).toEqual([
      ...second.slice(0, 1),
      { ...accepted, toolCallId: 'ask-id', result: 'ask ok', cursor: '9' },
      { ...accepted, toolCallId: 'look-id', result: 'look ok', cursor: '10' },
      ...second.slice(1),
    ]);
    expect(await run(session, resume(executionId, second.at(-1)?.cursor))).toEqual(
      withoutCursors(second.slice(-1)),
    );
  });

  it('a resume shows the error of a failed request, and none of its events after a restart', async () => {
    const { session, first, executionId } = await waitingSession([...text('Half'), busy]);
    const failed = await run(session, continueWith(first));
    const acknowledged = ['tool-result-acknowledged', 'tool-result-acknowledged'];
    const received = await run(session, resume(executionId, failed[0]?.cursor));
    expect(types(received)).toEqual([...acknowledged, 'text-start', 'text-delta', 'text-end', 'error']);
    const again = await run(session, continueWith(first));
    const restarted = ['start', ...acknowledged, ...types(again.slice(1))];
    expect(types(await run(session, resume(executionId, 0)))).toEqual([
      ...types(first.slice(0, -1)),
      ...restarted,
    ]);
    for (const { cursor } of [...first.slice(-1), ...failed])
      expect(types(await run(session, resume(executionId, cursor)))).toEqual(restarted);
  });

  it('a resume during the restart of a request shows no event of the failed attempt', async () => {
    const { agent, store, session, first, executionId } = await waitingSession([...text('Half'), busy]);
    const failed = await run(session, continueWith(first));
    const waits = createAgentSession({ id: 's', agent, store, resumeWindowMs: 60_000 });
    const restarted = waits.execute(continueWith(first));
    const started = restarted.next();
    const received = await run(waits, resume(executionId, failed[1]?.cursor));
    expect(received[0]).toMatchObject({ type: 'start', restarted: true });
    expect(received.filter(({ type }) => type === 'text-delta')).toMatchObject([{ delta: 'Done' }]);
    await started;
    await restarted.return();
  });

  it('a resume shows the text before a stop', async () => {
    const gate = createDeferred();
    const session = createAgentSession({
      id: 's',
      async *agent() {
        yield* text('Half');
        await gate.promise;
      },
    });
    const lost = session.execute(hello);
    const { value: start } = await lost.next();
    for (let count = 0; count < 3; count += 1) await lost.next();
    await lost.return();
    await run(session, { type: 'stop' });
    const { executionId = '' } = start as { executionId?: string };
    expect(types(await run(session, resume(executionId, start?.cursor)))).toEqual([
      ...['text-start', 'text-delta', 'text-end'],
      'finish',
    ]);
    gate.resolve();
  });

  it.each([
    ['goes on', 60_000, ['text-start', 'text-delta', 'text-end', 'finish']],
    ['was interrupted', 0, ['text-start', 'error']],
  ])(
    'a resume into a later request that %s gets no ending of the earlier request',
    async (_, resumeWindowMs, rest) => {
      const agent = createListAgent(calls('ask'), [...text('Done'), stop]);
      const session = createAgentSession({ id: 's', agent, resumeWindowMs });
      const first = await run(session, hello);
      for await (const { type } of session.execute(continueWith(first))) if (type === 'text-start') break;
      const { executionId, cursor } = requestIn(first);
      expect(types(await run(session, resume(executionId, cursor)))).toEqual([
        'start',
        'tool-result-acknowledged',
        ...rest,
      ]);
    },
  );

  it('the reader that a resume displaces gets each event once, also when the rest was logged meanwhile', async () => {
    const agent = createListAgent(calls('add', 'more', 'ask'));
    const session = createAgentSession({ id: 's', agent, tools: { add: () => 3, more: () => 4 } });
    const reader = session.execute(hello);
    const { value: start } = await reader.next();
    const { value: output } = await reader.next();
    const { executionId } = start as { executionId: string };
    await run(session, resume(executionId, 1));
    expect([start?.cursor, output?.cursor, ...(await collect(reader)).map(({ cursor }) => cursor)]).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
    ]);
  });

  it('a resume continues live, and the earlier reader gets resumed_elsewhere', async () => {
    const gate = createDeferred();
    const session = createAgentSession({
      id: 's',
      async *agent() {
        yield* text('one');
        await gate.promise;
        yield* text('two', 'u');
      },
    });
    const old = session.execute(hello);
    const start = (await old.next()).value;
    const executionId = start?.type === 'start' ? (start.executionId ?? '') : '';
    await old.next();
    await old.next();
    const fresh = collect(session.execute(resume(executionId, '0')));
    await settle();
    expect((await old.next()).value).toMatchObject({
      type: 'error',
      code: 'resumed_elsewhere',
      retryable: false,
    });
    // The displaced reader cannot end the run any more.
    await old.return();
    gate.resolve();
    expect(types(await fresh)).toEqual([
      'start',
      ...['text-start', 'text-delta', 'text-end'],
      ...['text-start', 'text-delta', 'text-end'],
      'finish',
    ]);
    expect((await fresh).map((event) => Number(event.cursor))).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect((await old.next()).done).toBe(true);
  });

  it('a resume of an execution that is not the current one explains the refusal', async () => {
    const { session } = await waitingSession();
    const fresh = createAgentSession({ id: 's', agent: createListAgent([stop]) });
    const refusals = [
      ...(await run(session, resume('other', '1'))),
      ...(await run(fresh, resume('other', '1'))),
    ];
    expect(refusals).toEqual([
      expect.objectContaining({ errorType: 'not_found_error', code: 'unknown_execution' }),
      expect.objectContaining({ errorType: 'not_found_error', code: 'unknown_execution' }),
    ]);
    expect(refusals).toMatchObject([
      { message: expect.stringMatching(/gone on with another.*send a message/) },
      { message: expect.stringMatching(/started anew without its sessions.*send a message/) },
    ]);
  });

  it.each([
    ['waits for an answer', createListAgent(calls('ask'))],
    ['has ended', createListAgent([...text('Hi'), stop])],
  ])('a resume from a cursor beyond the last event of an execution that %s is refused', async (_, agent) => {
    const session = createAgentSession({ id: 's', agent });
    const events = await run(session, hello);
    const { executionId } = events[0] as { executionId: string };
    const last = Number(events.at(-1)?.cursor);
    const refused = {
      code: 'invalid_request',
      message: `The cursor '${last + 1}' is beyond the last event of the execution '${executionId}', which is ${last}. Nothing was changed.`,
    };
    expect(await run(session, { type: 'resume', executionId, cursor: last + 1 })).toMatchObject([refused]);
    // A client that has every event gets the ending again.
    const again = await run(session, { type: 'resume', executionId, cursor: last });
    expect(types(again)).toEqual(['finish']);
  });

  it('a resume from a cursor beyond the last event of a run under way is refused, and its reader goes on', async () => {
    const hold = createDeferred();
    const agent: Agent = async function* () {
      yield* text('Hi');
      await hold.promise;
      yield stop;
    };
    const session = createAgentSession({ id: 's', agent });
    const reader = session.execute(hello);
    const start = (await reader.next()).value as StartEvent;
    await reader.next();
    const { executionId } = start;
    const resumed = session.execute({ type: 'resume', executionId, cursor: 3 });
    const answer = await Promise.race([resumed.next(), settle()]);
    expect(answer).toMatchObject({ value: { type: 'error', code: 'invalid_request' } });
    hold.resolve();
    expect(types(await collect(reader))).toEqual(['text-delta', 'text-end', 'finish']);
  });

  it('a resume from a cursor whose events were dropped is refused as cursor_expired', async () => {
    const words = Array.from({ length: 40 }, (_, index) => text(`w${index}`, `t${index}`)).flat();
    const agent = createListAgent([...words, stop]);
    const store = createMemorySessionStore({ maxEvents: 10 });
    const session = createAgentSession({ id: 's', agent, store });
    const reader = session.execute(hello);
    const events = [];
    for (let count = 0; count < 100; count += 1) events.push((await reader.next()).value as AgentEvent);
    const { executionId } = events[0] as { executionId: string };
    const expired = expect.objectContaining({ errorType: 'not_found_error', code: 'cursor_expired' });
    expect(await run(session, resume(executionId, '3'))).toEqual([expired]);
    // The refusal does not disturb the run.
    events.push(...(await collect(reader)));
    expect(events).toHaveLength(122);
    expect(await run(session, resume(executionId, '3'))).toEqual([expired]);
    expect(await run(session, resume(executionId, events.at(-5)?.cursor))).toEqual(events.slice(-4));
  });

  it('a resume of an interrupted execution replays it and ends in run_interrupted', async () => {
    const { session, first, executionId } = await waitingSession([...text('Half'), stop]);
    const lost = session.execute(continueWith(first));
    const seen = [];
    for (let count = 0; count < 4; count += 1) seen.push((await lost.next()).value);
    await lost.return();
    const events = await run(session, resume(executionId, first.at(-1)?.cursor));
    expect(types(events)).toEqual([
      ...['start', 'tool-result-acknowledged', 'tool-result-acknowledged'],
      ...['text-start', 'text-delta', 'text-end', 'error'],
    ]);
    expect(events).toEqual(expect.arrayContaining(seen));
    expect(events.at(-1)).toMatchObject({ type: 'error', code: 'run_interrupted', retryable: true });
  });
});

describe('a new message', () => {
  it('a new message closes the calls that wait', async () => {
    const { session, agent, first } = await waitingSession();
    await run(session, hello);
    expect(agent.contexts[1]?.messages.slice(2)).toMatchObject([
      { toolCallId: 'ask-id', error: 'Superseded by a new message' },
      { toolCallId: 'add-id', result: 3 },
      { toolCallId: 'look-id', error: 'Superseded by a new message' },
      { role: 'user' },
    ]);
    expect(await run(session, continueWith(first))).toEqual([
      expect.objectContaining({ code: 'unknown_execution' }),
    ]);
  });

  it('a new message after a stop finds the calls closed already', async () => {
    const { session, agent, store, first, executionId } = await waitingSession();
    const waiting = await store.load('s');
    expect(await run(session, { type: 'stop', executionId: 'another' })).toEqual([]);
    expect(await store.load('s')).toEqual(waiting);
    expect(await run(session, { type: 'stop', executionId })).toEqual([]);
    const last = String(Number(first.at(-1)?.cursor) + 1);
    expect(await run(session, { type: 'resume', executionId, cursor: last })).toEqual([
      { type: 'finish', finishReason: 'stop', executionId },
    ]);
    expect(await run(session, { type: 'resume', executionId, cursor: requestIn(first).cursor })).toEqual([
      { type: 'finish', finishReason: 'stop', executionId, cursor: last },
    ]);
    const stopped = await store.load('s');
    await run(session, { type: 'stop', executionId });
    expect(await store.load('s')).toEqual(stopped);
    await run(session, hello);
    expect(agent.contexts[1]?.messages[2]).toMatchObject({
      toolCallId: 'ask-id',
      error: 'Stopped by the user',
    });
  });
});
