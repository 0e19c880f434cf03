import { describe, expect, it } from 'vitest';
import type { AgentEvent, SnapshotEvent } from '../../../src/core/protocol/events.ts';
import { uiMessageSchema } from '../../../src/core/state/message.ts';
import type { Agent, AgentContext } from '../../../src/server/agent.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { toUIMessages } from '../../../src/server/sessions/to-ui-messages.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
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
} from '../support.ts';

const ADA = { id: 'ada', name: 'Ada' };

function open(agent: Agent) {
  const store = createMemorySessionStore();
  const clock = createManualClock();
  const create = () => createAgentSession({ id: 's', agent, store, clock });
  const session = create();
  const send = (payload: unknown) => collect(session.execute(payload, { principal: ADA }));
  return { store, session, send, create };
}

function snapshotIn(events: readonly AgentEvent[]): SnapshotEvent {
  const [event] = events;
  if (event?.type !== 'snapshot') throw new Error(`the first event is ${event?.type}`);
  return event;
}

/** An agent whose text goes on when it is told to. */
function createSlowAgent() {
  let go = () => {};
  const agent = async function* (context: AgentContext) {
    const gate = new Promise<void>((resolve) => {
      go = resolve;
      context.signal.addEventListener('abort', () => resolve());
    });
    yield { type: 'text-start' as const, id: 't' };
    yield { type: 'text-delta' as const, id: 't', delta: 'Hel' };
    await gate;
    yield { type: 'text-delta' as const, id: 't', delta: 'lo' };
    yield { type: 'text-end' as const, id: 't' };
    yield stop;
  };
  return { agent, go: () => go() };
}

/** Reads events in the background. */
function read(events: AsyncIterable<AgentEvent>) {
  const got: AgentEvent[] = [];
  const ended = (async () => {
    for await (const event of events) got.push(event);
  })();
  return { got, ended };
}

describe('open', () => {
  it('an unknown session has an empty snapshot', async () => {
    const { send } = open(createListAgent([stop]));
    expect(await send({ type: 'open' })).toEqual([
      { type: 'snapshot', messages: [], openCalls: [], restsAt: { cursor: '0' } },
    ]);
  });

  it('a finished conversation is its messages', async () => {
    const { send } = open(createListAgent([...text('Hi Ada'), stop]));
    await send({ ...hello, idempotencyKey: 'm-1' });
    const events = await send({ type: 'open' });
    expect(types(events)).toEqual(['snapshot']);
    const { messages, openCalls, executionId } = snapshotIn(events);
    expect(messages).toMatchObject([
      {
        id: 'm-1',
        role: 'user',
        parts: [{ type: 'text', text: 'hello' }],
        sender: { id: 'ada', name: 'Ada' },
      },
      { role: 'assistant', status: 'done', parts: [{ type: 'text', text: 'Hi Ada' }] },
    ]);
    expect([openCalls, executionId]).toEqual([[], undefined]);
    for (const message of messages) expect(uiMessageSchema.parse(message)).toEqual(message);
  });

  it('the answer has the id that its run had', async () => {
    const { send } = open(createListAgent([...text('Hi'), stop]));
    const [start] = await send(hello);
    const { messages } = snapshotIn(await send({ type: 'open' }));
    expect(messages.at(-1)?.id).toBe(start?.type === 'start' ? start.messageId : '');
  });

  it('a conversation that waits has its open calls, and any device can answer them', async () => {
    const { send, create } = open(createListAgent(calls('ask'), [...text('Thanks'), stop]));
    const asked = await send(hello);
    const snapshot = snapshotIn(await send({ type: 'open' }));
    expect(snapshot).toMatchObject({
      executionId: requestIn(asked).executionId,
      cursor: asked.at(-1)?.cursor,
      openCalls: [{ toolCallId: 'ask-id', toolName: 'ask' }],
      messages: [{ role: 'user' }, { role: 'assistant', parts: [{ type: 'tool-call', status: 'running' }] }],
    });
    const { executionId = '', openCalls } = snapshot;
    const toolResults = openCalls.map(({ toolCallId }) => ({ toolCallId, result: 'from the phone' }));
    const last = await collect(
      create().execute({ type: 'continue', executionId, toolResults }, { principal: ADA }),
    );
    expect(last.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
  });

  it('a run under way follows the snapshot from its start, and its reader keeps it', async () => {
    const { agent, go } = createSlowAgent();
    const { session } = open(agent);
    const laptop = read(session.execute({ ...hello, idempotencyKey: 'm-1' }));
    await settle();
    const phone = read(session.execute({ type: 'open' }));
    await settle();
    expect(snapshotIn(phone.got)).toMatchObject({ messages: [{ role: 'user' }], openCalls: [] });
    expect(types(phone.got)).toEqual(['snapshot', 'start', 'text-start', 'text-delta']);
    go();
    await Promise.all([laptop.ended, phone.ended]);
    expect(phone.got.slice(1)).toEqual(laptop.got);
  });

  it('a run goes on while somebody watches it, though its reader has left', async () => {
    const { agent, go } = createSlowAgent();
    const { session } = open(agent);
    const laptop = session.execute(hello, { resumeWindowMs: 0 });
    await laptop.next();
    await laptop.next();
    const phone = read(session.execute({ type: 'open' }));
    await settle();
    await laptop.return();
    await settle();
    go();
    await phone.ended;
    expect(phone.got.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
  });

  it('a device that leaves does not end the run that others read', async () => {
    const { agent, go } = createSlowAgent();
    const { session } = open(agent);
    const laptop = read(session.execute(hello));
    await settle();
    const phone = session.execute({ type: 'open' });
    await phone.next();
    await phone.return();
    go();
    await laptop.ended;
    expect(laptop.got.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
  });

  it('a device that has everything up to a cursor gets what came after it instead of a snapshot', async () => {
    const { send } = open(createListAgent(calls('ask'), [...text('Thanks'), stop]));
    const asked = await send(hello);
    const { executionId } = requestIn(asked);
    const known = { type: 'open', executionId, cursor: asked.at(-1)?.cursor };
    expect(await send(known)).toEqual([]);
    await send(continueWith(asked));
    const later = await send(known);
    expect(types(later).slice(0, 2)).toEqual(['start', 'tool-result-acknowledged']);
    expect(later[1]).toMatchObject({ toolCallId: 'ask-id', answeredBy: { id: 'ada' }, result: 'ask ok' });
    expect(later.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
    const other = await send({ ...known, executionId: 'another' });
    expect(types(other)).toEqual(['snapshot']);
  });

  it('with follow, the answer of another device and the run after it arrive', async () => {
    const { session, send } = open(createListAgent(calls('ask'), [...text('Thanks'), stop]));
    const asked = await send(hello);
    const phone = read(session.execute({ type: 'open', follow: true }, { principal: ADA }));
    await settle();
    expect(types(phone.got)).toEqual(['snapshot']);
    await send(continueWith(asked));
    await settle();
    expect(types(phone.got)).toEqual([
      'snapshot',
      'start',
      'tool-result-acknowledged',
      'text-start',
      'text-delta',
      'text-end',
      'finish',
    ]);
    expect(phone.got[2]).toMatchObject({ status: 'expired', answeredBy: ADA, result: 'ask ok' });
  });

  it('with follow, a partial answer arrives while the others wait', async () => {
    const { session, send } = open(createListAgent(calls('a', 'b'), [stop]));
    const { executionId } = requestIn(await send(hello));
    const phone = session.execute({ type: 'open', follow: true }, { principal: ADA });
    await phone.next();
    const waiting = phone.next();
    const toolResults = [{ toolCallId: 'a-id', result: 1 }];
    await send({ type: 'continue', executionId, partial: true, toolResults });
    expect((await waiting).value).toMatchObject({ type: 'tool-result-acknowledged', toolCallId: 'a-id' });
    expect((await phone.next()).value).toMatchObject({ toolCalls: [{ toolCallId: 'b-id' }] });
    await phone.return();
  });

  it('with follow, a device at rest gets the later turns, each as a snapshot and its run', async () => {
    const agent = createListAgent([...text('One'), stop], [...text('Two'), stop], [...text('Three'), stop]);
    const { session, send } = open(agent);
    const phone = read(session.execute({ type: 'open', follow: true }, { principal: ADA }));
    await settle();
    expect(phone.got).toMatchObject([{ type: 'snapshot', messages: [], restsAt: { cursor: '0' } }]);
    for (const count of [1, 2, 3]) {
      const before = phone.got.length;
      await send(hello);
      await settle();
      const later = phone.got.slice(before);
      expect(types(later)).toEqual(['snapshot', 'start', 'text-start', 'text-delta', 'text-end', 'finish']);
      // The messages of the earlier turns, and the one that began this turn.
      expect(snapshotIn(later).messages).toHaveLength(count * 2 - 1);
    }
  });

  it('with follow, a message that takes the place of a run under way ends that run and shows its own', async () => {
    const slow = createSlowAgent();
    const { session, send } = open(slow.agent);
    const phone = read(session.execute({ type: 'open', follow: true }, { principal: ADA }));
    const first = send(hello);
    await settle();
    const second = send(hello);
    await settle();
    slow.go();
    await Promise.all([first, second]);
    await settle();
    const snapshots = phone.got.flatMap((event, index) => (event.type === 'snapshot' ? [index] : []));
    expect(phone.got[(snapshots.at(-1) ?? 0) - 1]).toMatchObject({ type: 'finish', finishReason: 'stop' });
    const later = phone.got.slice(snapshots.at(-1));
    expect(snapshotIn(later).messages).toHaveLength(3);
    expect(later.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
    expect(types(later).filter((type) => type === 'text-delta')).toHaveLength(2);
  });

  it('with follow, a message that takes the place of earlier ones shows without them', async () => {
    const { session, send } = open(createListAgent([...text('One'), stop], [...text('Two'), stop]));
    await send({ ...hello, idempotencyKey: 'm-1' });
    const phone = read(session.execute({ type: 'open', follow: true }, { principal: ADA }));
    await settle();
    await send({ ...hello, idempotencyKey: 'm-2', rewindTo: 'm-1' });
    await settle();
    const [before, after] = phone.got.filter((event) => event.type === 'snapshot');
    expect([before?.messages.length, after?.messages.map(({ id }) => id)]).toEqual([2, ['m-2']]);
  });

  it('with follow, a device that knows where the conversation rests gets nothing until there is something new', async () => {
    const { session, send } = open(createListAgent([...text('One'), stop], calls('ask'), [stop]));
    await send(hello);
    const { restsAt } = snapshotIn(await send({ type: 'open' }));
    const phone = read(session.execute({ type: 'open', follow: true, ...restsAt }, { principal: ADA }));
    await settle();
    expect(phone.got).toEqual([]);
    await send(hello);
    await settle();
    expect(phone.got.at(-1)).toMatchObject({ type: 'finish', finishReason: 'client-tool-calls' });
    await send({ type: 'stop' });
    await settle();
    expect(phone.got.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
  });

  it('a follower ends when it leaves, when its signal aborts, and when it is refused', async () => {
    const { session, store } = open(createListAgent([stop]));
    const left = session.execute({ type: 'open', follow: true }, { principal: ADA });
    await left.next();
    const waiting = left.next();
    await left.return();
    expect(await waiting).toEqual({ done: true, value: undefined });
    const controller = new AbortController();
    const aborted = read(
      session.execute({ type: 'open', follow: true }, { principal: ADA, signal: controller.signal }),
    );
    await settle();
    controller.abort();
    await aborted.ended;
    expect(types(aborted.got)).toEqual(['snapshot']);
    const closed = createAgentSession({ id: 's', agent: createListAgent(), store, mayOpen: () => false });
    await collect(session.execute(hello, { principal: ADA }));
    const refused = await collect(closed.execute({ type: 'open', follow: true }, { principal: ADA }));
    expect(refused).toMatchObject([{ type: 'error', code: 'not_allowed' }]);
  });

  it('the run of a process that died is restarted and followed', async () => {
    const { store, agent } = {
      store: createMemorySessionStore(),
      agent: createListAgent([...text('Hi'), stop]),
    };
    const dead = createAgentSession({ id: 's', agent: createSlowAgent().agent, store });
    read(dead.execute(hello));
    await settle();
    const record = await store.load('s');
    if (record === null) throw new Error('nothing was stored');
    const after = createMemorySessionStore();
    await after.save('s', record);
    const events = await collect(
      createAgentSession({ id: 's', agent, store: after }).execute({ type: 'open' }),
    );
    expect(snapshotIn(events).messages).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'finish', finishReason: 'stop' });
  });
});

describe('toUIMessages', () => {
  it('shows who answered, and what is still open', async () => {
    const { send, store } = open(createListAgent(calls('ask'), calls('more')));
    await send(continueWith(await send(hello)));
    const record = await store.load('s');
    expect(record && toUIMessages(record)).toMatchObject([
      { role: 'user' },
      {
        role: 'assistant',
        parts: [
          { toolName: 'ask', status: 'done', result: 'ask ok', outcome: 'submitted', answeredBy: ADA },
          { toolName: 'more', status: 'running', executedBy: 'client' },
        ],
      },
    ]);
  });
});

it.each([
  ['declined', { outcome: 'declined' } as const, 'done'],
  ['submitted', { outcome: 'submitted' } as const, 'running'],
])('a snapshot shows an approval as %s while another one still waits', async (outcome, answer, status) => {
  const tool = defineServerTool({ approval: 'always', execute: () => 'ran' });
  const session = createAgentSession({
    id: 's',
    agent: createListAgent(calls('pay', 'ship')),
    tools: { pay: tool, ship: tool },
  });
  const { executionId } = requestIn(await run(session, hello));
  const toolResults = [{ toolCallId: 'pay-id', ...answer }];
  await run(session, { type: 'continue', executionId, partial: true, toolResults });
  const [snapshot] = await run(session, { type: 'open' });
  expect(snapshot).toMatchObject({
    messages: [
      { role: 'user' },
      {
        parts: [
          { toolName: 'pay', outcome, status },
          { toolName: 'ship', status: 'running' },
        ],
      },
    ],
  });
});
