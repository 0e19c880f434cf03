/**
 * One case in a process of its own: `node --expose-gc nodes.mjs <case> <url of Redis>`, prints one line of JSON.
 *
 * Both nodes are in this process, each with a connection and a store of its own, so the CPU is that of both. That of Redis does not count.
 */
import { getHeapStatistics } from 'node:v8';
import { createAgentChat, createHttpTransport } from 'handrail/core';
import { createRedisSessionStore } from 'handrail/redis';
import {
  type Agent,
  type AgentEvent,
  type AgentSession,
  createAgentSession,
  createMemorySessionStore,
  handleAgentRequest,
  type SessionStore,
} from 'handrail/server';
import { createClient } from 'redis';

const EVENTS = 5_000;
const RUNS = 1_000;
const TURNS = 250;
const OPENINGS = 50;
const GO = { type: 'trigger', triggerName: 'go' };
const DELTA = { type: 'text-delta', id: 't', delta: 'the agent reads a long line of text ' } as const;

const talk: Agent = async function* () {
  for (;;) yield DELTA;
};

interface Row {
  /** Per event, or per opening. */
  readonly 'CPU µs': number;
  readonly 'wall µs': number;
  readonly 'held heap MB'?: number;
}

async function connect(url: string) {
  const client = createClient({ url });
  await client.on('error', console.error).connect();
  return client;
}

/** The lease outlasts the pauses of a process that runs a thousand agents on a busy machine. */
async function openNode(url: string): Promise<SessionStore> {
  return createRedisSessionStore({ client: await connect(url), prefix: `${process.pid}:`, leaseMs: 60_000 });
}

/** @param count how often the task does its work */
async function measure(count: number, task: () => Promise<unknown>): Promise<Row> {
  const [cpu, begin] = [process.cpuUsage(), performance.now()];
  await task();
  const { user, system } = process.cpuUsage(cpu);
  return {
    'CPU µs': Number(((user + system) / count).toFixed(1)),
    'wall µs': Number((((performance.now() - begin) * 1_000) / count).toFixed(1)),
  };
}

async function read(events: AsyncGenerator<AgentEvent>, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) {
    const { value, done } = await events.next();
    if (done || value.type === 'error') throw new Error(`The run ended early: ${JSON.stringify(value)}`);
  }
}

/** Begins a run at one node and goes on reading it at another. */
async function relay(owner: AgentSession, reader: AgentSession): Promise<AsyncGenerator<AgentEvent>> {
  const owned = owner.execute(GO, { resumeWindowMs: 60_000 });
  const { value: start } = await owned.next();
  if (start?.type !== 'start') throw new Error('The run did not start');
  const { executionId, cursor } = start;
  await owned.return();
  return reader.execute({ type: 'resume', executionId, cursor });
}

async function measureRun(url: string, isRelayed: boolean): Promise<Row> {
  const nodes = [await openNode(url), await openNode(url)];
  const [owner, other] = nodes.map((store) => createAgentSession({ id: 'run', agent: talk, store }));
  if (owner === undefined || other === undefined) throw new Error('There are no nodes');
  const events = isRelayed ? await relay(owner, other) : owner.execute(GO);
  await read(events, 1_000);
  return measure(EVENTS, () => read(events, EVENTS));
}

/** What a run holds must not grow with its events: the log is in Redis. */
async function measureRuns(url: string, eventsPerRun: number): Promise<Row> {
  const nodes = [await openNode(url), await openNode(url)];
  globalThis.gc?.();
  const heapBefore = getHeapStatistics().used_heap_size;
  const runs: AsyncGenerator<AgentEvent>[] = [];
  for (let index = 0; index < RUNS; index += 1) {
    const [owner, other] = [index % 2, 1 - (index % 2)].map((node) =>
      createAgentSession({
        id: `run-${index}`,
        agent: talk,
        store: nodes[node] as SessionStore,
        onError: console.error,
      }),
    );
    if (owner === undefined || other === undefined) throw new Error('There are no nodes');
    runs.push(index % 4 < 2 ? owner.execute(GO) : await relay(owner, other));
  }
  await Promise.all(runs.map((run) => read(run, 1)));
  const row = await measure(RUNS * eventsPerRun, async () => {
    for (let round = 0; round < eventsPerRun; round += 1) await Promise.all(runs.map((run) => read(run, 1)));
  });
  globalThis.gc?.();
  const held = (getHeapStatistics().used_heap_size - heapBefore) / 2 ** 20;
  return { ...row, 'held heap MB': Number(held.toFixed(1)) };
}

/** A conversation of 500 messages: each turn is one of a person and one of the agent. */
async function createConversation(): Promise<AgentSession & { readonly store: SessionStore }> {
  const store = createMemorySessionStore();
  const agent: Agent = async function* () {
    for (let index = 0; index < 10; index += 1) yield DELTA;
    yield { type: 'finish', finishReason: 'stop' };
  };
  const session = createAgentSession({ id: 'long', agent, store });
  for (let turn = 0; turn < TURNS; turn += 1) {
    const input = { USER_MESSAGE: `Question ${turn}: what does the agent read next, and why?` };
    const run = session.execute({ type: 'trigger', triggerName: 'user-message', input });
    while (!(await run.next()).done);
  }
  return { ...session, store };
}

function post(session: AgentSession): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ type: 'open' });
  return handleAgentRequest(
    new Request('http://localhost', { method: 'POST', headers, body }),
    () => session,
  );
}

async function repeat(task: () => unknown): Promise<void> {
  for (let opening = 0; opening < OPENINGS; opening += 1) await task();
}

async function measureOpening(task: () => unknown): Promise<Row> {
  await repeat(task);
  return measure(OPENINGS, () => repeat(task));
}

async function readSnapshot(): Promise<string> {
  return (await post(await createConversation())).text();
}

async function measureOpenServerFloor(): Promise<Row> {
  const { store } = await createConversation();
  const record = JSON.stringify(await store.load('long'));
  return measureOpening(() => JSON.stringify(JSON.parse(record).messages));
}

async function measureOpenServer(): Promise<Row> {
  const session = await createConversation();
  return measureOpening(async () => (await post(session)).text());
}

async function measureOpenClientFloor(): Promise<Row> {
  const frame = /^data: (.*)$/m.exec(await readSnapshot())?.[1] ?? '';
  return measureOpening(() => JSON.parse(frame));
}

async function measureOpenClient(): Promise<Row> {
  const bytes = await readSnapshot();
  const headers = { 'content-type': 'text/event-stream' };
  const fetch = async () => new Response(bytes, { headers });
  return measureOpening(async () => {
    const chat = createAgentChat({ transport: createHttpTransport({ url: 'http://localhost', fetch }) });
    await chat.open?.();
    const { length } = chat.getState().messages;
    if (length !== TURNS * 2) throw new Error(`The chat has ${length} messages`);
  });
}

/** The least that a node must do for a durable event. */
async function measureRedisFloor(url: string): Promise<Row> {
  const client = await connect(url);
  const event = JSON.stringify(DELTA);
  const add = async (count: number) => {
    for (let seq = 0; seq < count; seq += 1) await client.sendCommand(['XADD', 'floor', '*', 'event', event]);
  };
  await add(1_000);
  return measure(EVENTS, () => add(EVENTS));
}

const cases: Readonly<Record<string, (url: string) => Promise<Row>>> = {
  'redis-floor': measureRedisFloor,
  direct: (url) => measureRun(url, false),
  relayed: (url) => measureRun(url, true),
  'runs-short': (url) => measureRuns(url, 5),
  'runs-long': (url) => measureRuns(url, 25),
  'open-server-floor': measureOpenServerFloor,
  'open-server': measureOpenServer,
  'open-client-floor': measureOpenClientFloor,
  'open-client': measureOpenClient,
};
const [name = '', url = ''] = process.argv.slice(2);
const measured = await cases[name]?.(url);
if (measured === undefined)
  throw new Error(`There is no case ${name}. Known: ${Object.keys(cases).join(', ')}`);
process.stdout.write(`${JSON.stringify(measured)}\n`, () => process.exit(0));
