/** What a whole session needs of its store: an open question is answered once, also after a restart. */
import type { AgentEvent } from '../../core/protocol/events.ts';
import type { Agent, AgentMessage } from '../../server/agent.ts';
import { createAgentSession } from '../../server/sessions/create-agent-session.ts';
import { createId } from '../../shared/ids.ts';
import { appendAll, assertGoesOn, createEntry, hasLog, openSampleLog } from './log-checks.ts';
import { assertOneWins } from './record-checks.ts';
import { createSampleRecord } from './sample-record.ts';
import { assertEqual, type OpenSessionStore, type StoreCheck } from './store-check.ts';

export const sessionChecks: readonly StoreCheck[] = [
  {
    name: 'a session asks, and takes the answer once',
    async check(openStore) {
      const store = await openStore();
      await assertAnsweredOnce(() => store);
    },
  },
];

/** Each `openStore` in these checks stands for another process. */
export const durableChecks: readonly StoreCheck[] = [
  { name: 'another process finds the record and its revision', check: loadElsewhere },
  {
    name: 'of saves of one revision by two processes at the same time, one wins',
    check: async (openStore) => assertOneWins([await openStore(), await openStore()]),
  },
  { name: 'another process finds the log and goes on with it', check: readElsewhere },
  {
    name: 'a process that still reads an earlier execution leaves the current log alone',
    check: readEarlier,
  },
  {
    name: 'a session asks, and takes the answer once, with a restart before each request',
    check: assertAnsweredOnce,
  },
];

async function loadElsewhere(openStore: OpenSessionStore): Promise<void> {
  const sessionId = createId();
  const record = createSampleRecord(1, 'first process');
  await (await openStore()).save(sessionId, record);
  const other = await openStore();
  assertEqual(await other.load(sessionId), record, 'load() in another process must return the record');
  const saved = await other.save(sessionId, createSampleRecord(1, 'second process'));
  assertEqual(saved, false, 'save() in another process must refuse a revision that is taken');
}

async function readElsewhere(openStore: OpenSessionStore): Promise<void> {
  const sessionId = createId();
  const [store, other] = [await openStore(), await openStore()];
  if (!hasLog(store) || !hasLog(other)) return;
  await appendAll(await openSampleLog(store, sessionId, 'execution-1'), [createEntry(1), createEntry(2)]);
  await assertGoesOn(other, sessionId);
}

/** A process may have loaded a record just before another process saved the next execution. */
async function readEarlier(openStore: OpenSessionStore): Promise<void> {
  const sessionId = createId();
  const [store, late] = [await openStore(), await openStore()];
  if (!hasLog(store) || !hasLog(late)) return;
  await appendAll(await openSampleLog(store, sessionId, 'execution-1'), [createEntry(1)]);
  await appendAll(await openSampleLog(store, sessionId, 'execution-2', 2), [createEntry(1)]);

  const earlier = late.openLog(sessionId, 'execution-1', 1);
  await earlier.read(0);
  await earlier.append(createEntry(2));
  const current = await store.openLog(sessionId, 'execution-2', 1).read(0);
  assertEqual(current, [createEntry(1)], 'The log of the current execution must still have its events');
}

/** Runs one conversation, and opens the store for each request of the client. */
async function assertAnsweredOnce(openStore: OpenSessionStore): Promise<void> {
  const id = createId();
  const { agent, seen } = createAskingAgent();
  const send = async (payload: unknown) => {
    const session = createAgentSession({ id, agent, store: await openStore() });
    return collect(session.execute(payload));
  };

  const asked = await send({ type: 'trigger', triggerName: 'user-message', input: { USER_MESSAGE: 'Hi' } });
  const request = findRequest(asked);
  const { executionId } = request;
  const resumed = await send({ type: 'resume', executionId, cursor: asked[0]?.cursor });
  assertEqual(findRequest(resumed), request, 'A page that is reloaded must get the open question again');

  const result = { confirmed: true };
  const toolResults = request.toolCalls.map(({ toolCallId, toolName }) => ({ toolCallId, toolName, result }));
  const answered = await send({ type: 'continue', executionId, toolResults });
  const ending = answered.at(-1);
  const reason = ending?.type === 'finish' ? ending.finishReason : ending;
  assertEqual(reason, 'stop', 'The answer must be accepted and the turn must go on to its end');

  const [refusal] = await send({ type: 'continue', executionId, toolResults });
  const code = refusal?.type === 'error' ? refusal.code : refusal;
  assertEqual(code, 'already_answered', 'The same answer must be refused the second time');
  const results = seen.map((messages) =>
    messages.flatMap((item) => (item.role === 'tool' ? [item.result] : [])),
  );
  assertEqual(results, [[], [result]], 'The agent must run twice and see the answer once');
}

/** An agent that asks one question, and stops when it is answered. Records the history of each invocation. */
function createAskingAgent(): { agent: Agent; seen: (readonly AgentMessage[])[] } {
  const seen: (readonly AgentMessage[])[] = [];
  const agent: Agent = async function* ({ messages }) {
    seen.push(messages);
    yield { type: 'text-start', id: 't' };
    yield { type: 'text-delta', id: 't', delta: 'One moment' };
    yield { type: 'text-end', id: 't' };
    if (messages.at(-1)?.role === 'tool') {
      yield { type: 'finish', finishReason: 'stop' };
      return;
    }
    yield { type: 'tool-request', toolCalls: [{ toolCallId: 'ask-1', toolName: 'ask', args: {} }] };
    yield { type: 'finish', finishReason: 'tool-calls' };
  };
  return { agent, seen };
}

export async function collect(events: AsyncIterable<AgentEvent>): Promise<readonly AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

function findRequest(events: readonly AgentEvent[]) {
  const request = events.find((event) => event.type === 'client-tool-request');
  if (request === undefined)
    throw new Error(`The session must ask its question. Received: ${JSON.stringify(events)}.`);
  return request;
}
