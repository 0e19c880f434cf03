import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import type { AgentContext, ModelEvent } from '../../../src/server/agent.ts';
import { readHistory } from '../../../src/server/runs/history.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import type { LoggedEvent } from '../../../src/server/store/event-log.ts';
import type { SessionRecord, SessionStore } from '../../../src/server/store/session-store.ts';
import {
  calls,
  continueWith,
  createListAgent,
  hello,
  requestIn,
  run,
  stop,
  text,
  types,
} from '../support.ts';

type Fault = 'dies before' | 'dies after' | 'throws before' | 'throws after';

/** A database of records and events that outlives a process. */
function createDatabase() {
  const rows = new Map<string, string>();
  const logs = new Map<string, LoggedEvent[]>();
  const readRow = (id: string): SessionRecord | null => JSON.parse(rows.get(id) ?? 'null');
  /** The store of one process; its `at`-th write has the fault. */
  return (at = 0, fault?: Fault) => {
    let writes = 0;
    let die = (_: 'dead') => {};
    const death = new Promise<'dead'>((resolve) => {
      die = resolve;
    });
    async function write<Value>(change: () => Value): Promise<Value> {
      writes += 1;
      if (writes < at || fault === undefined || (writes > at && fault.startsWith('throws'))) return change();
      if (writes === at && fault.endsWith('after')) change();
      if (fault.startsWith('throws')) throw new Error('offline');
      die('dead');
      return new Promise(() => {});
    }
    const store: SessionStore = {
      load: async (id) => readRow(id),
      save: (id, record) =>
        write(() => {
          if ((readRow(id)?.revision ?? 0) >= record.revision) return false;
          rows.set(id, JSON.stringify(record));
          return true;
        }),
      openLog(_, executionId) {
        const log = logs.get(executionId) ?? [];
        logs.set(executionId, log);
        return {
          append: (entry) => write(() => void log.push(entry)),
          read: (seq) => log.filter((entry) => entry.seq > seq),
        };
      },
    };
    return { store, death, readRow, countWrites: () => writes };
  };
}

/** Calls a client tool and a server tool in each of two rounds. Each call has a new id. */
function createAgent() {
  let open = 0;
  async function* agent({ messages }: AgentContext): AsyncGenerator<ModelEvent> {
    open += 1;
    try {
      const turn = messages.slice(messages.findLastIndex((message) => message.role === 'user'));
      const rounds = turn.filter((message) => message.role === 'assistant').length;
      yield* text(`round ${rounds}`);
      if (rounds === 2) return;
      const made = messages.filter((message) => message.role === 'assistant').length;
      const toolCalls = ['ask', 'charge'].map((toolName) => {
        return { toolCallId: `${toolName}-${made}`, toolName, args: {} };
      });
      yield { type: 'tool-request', toolCalls };
    } finally {
      open -= 1;
    }
  }
  return { agent, countOpen: () => open };
}

/** Plays a turn like a client that resumes, or repeats its request, when a response is cut or fails. */
async function playTurn(at: number, fault?: Fault, resumes = true) {
  const openProcess = createDatabase();
  const { agent, countOpen } = createAgent();
  const charged: string[] = [];
  const tools = { charge: (_: object, call: { toolCallId: string }) => charged.push(call.toolCallId) };
  let process = openProcess(at, fault);
  const createSession = () => createAgentSession({ id: 's', agent, tools, store: process.store });
  let session = createSession();
  const trace: string[] = [];
  const given = new Map<string, string>();
  const answered = new Set<string>();
  let executionId: string | undefined;
  let cursor = 0;
  let request: AgentEvent | undefined;

  async function send(payload: object): Promise<AgentEvent | undefined> {
    trace.push(JSON.stringify(payload));
    const events = session.execute(payload);
    let last: AgentEvent | undefined;
    for (;;) {
      const step = await Promise.race([events.next(), process.death]);
      if (step === 'dead') {
        process = openProcess();
        session = createSession();
        return undefined;
      }
      if (step.done) {
        expect(['finish', 'error'], trace.join('\n')).toContain(last?.type);
        return last;
      }
      last = step.value;
      if (last.type === 'tool-output-available') answered.add(last.toolCallId);
      trace.push(JSON.stringify(last));
      if (last.type === 'client-tool-request') request = last;
      if (last.type === 'start' && last.executionId !== executionId) {
        executionId = last.executionId;
        cursor = 0;
      }
      if (last.cursor === undefined) continue;
      // A client ignores events up to its cursor, because it has them.
      expect(Number(last.cursor), trace.join('\n')).toBeGreaterThan(cursor);
      cursor = Number(last.cursor);
    }
  }
  function answer(): object {
    if (request?.type !== 'client-tool-request') throw new Error(`Nothing to answer\n${trace.join('\n')}`);
    const toolResults = request.toolCalls.map(({ toolCallId }) => ({
      toolCallId,
      result: `of ${toolCallId}`,
    }));
    for (const { toolCallId, result } of toolResults) given.set(toolCallId, result);
    for (const { toolCallId } of request.serverToolResults ?? []) answered.add(toolCallId);
    expect([...answered].at(-1), trace.join('\n')).toBe(toolResults[0]?.toolCallId.replace('ask', 'charge'));
    return { type: 'continue', executionId, toolResults };
  }

  let asked: object = hello;
  let next = asked;
  while (trace.length < 200) {
    const last = await send(next);
    if (last?.type === 'finish' && last.finishReason === 'stop') {
      const row = process.readRow('s');
      const messages = row ? readHistory(row) : [];
      return { messages, trace: trace.join('\n'), charged, given, countOpen, writes: process.countWrites() };
    }
    const code = last?.type === 'error' ? last.code : undefined;
    const isLost = last === undefined || code === 'store_failed';
    if (last?.type === 'finish') next = asked = answer();
    else if (executionId !== undefined && (code === 'already_answered' || (isLost && resumes)))
      next = { type: 'resume', executionId, cursor };
    else next = asked;
  }
  throw new Error(`The turn never ends\n${trace.join('\n')}`);
}

describe('a store that keeps its own log', () => {
  it.each([
    ['dies before', true],
    ['dies before', false],
    ['dies after', true],
    ['dies after', false],
    ['throws before', true],
    ['throws before', false],
    ['throws after', true],
    ['throws after', false],
  ] as const)(
    'a store that %s any one of its writes (client resumes: %s) does not prevent the end of the turn, with each answer once',
    async (fault, resumes) => {
      const { writes } = await playTurn(0);
      expect(writes).toBe(29);
      for (let at = 1; at <= writes; at += 1) {
        const { messages, trace, charged, given, countOpen } = await playTurn(at, fault, resumes);
        const calls = messages.flatMap(
          (message) => (message.role === 'assistant' && message.toolCalls) || [],
        );
        const answers = messages.filter((message) => message.role === 'tool');
        const why = `${fault} write ${at}\n${trace}`;
        expect(
          answers.map(({ toolCallId }) => toolCallId),
          why,
        ).toEqual(calls.map(({ toolCallId }) => toolCallId));
        const accepted = answers.filter(({ toolCallId }) => given.has(toolCallId));
        expect(
          accepted.map(({ toolCallId, result }) => [toolCallId, result]),
          why,
        ).toEqual([...given]);
        expect(charged, why).toEqual([...new Set(charged)]);
        if (fault.startsWith('throws')) expect(countOpen(), why).toBe(0);
      }
    },
  );

  it('a log that lost the client-tool-request has it again after the next resume', async () => {
    const { store } = createDatabase()(12, 'throws before');
    const agent = createListAgent(calls('ask'), calls('more'));
    const session = createAgentSession({ id: 's', agent, store });
    const first = await run(session, hello);
    const second = await run(session, continueWith(first));
    expect(types(second)).toEqual(['start', 'error']);
    expect(await run(session, continueWith(first))).toMatchObject([{ code: 'already_answered' }]);
    const { executionId } = requestIn(first);
    const resumeAfter = (event?: AgentEvent) =>
      run(session, { type: 'resume', executionId, cursor: event?.cursor });
    const received = await resumeAfter(second[0]);
    expect(received.slice(-2)).toMatchObject([
      { type: 'client-tool-request', toolCalls: [{ toolCallId: 'more-id' }] },
      { type: 'finish', finishReason: 'client-tool-calls' },
    ]);
    expect((await resumeAfter(first.at(-1))).slice(-2)).toEqual(received.slice(-2));
    expect(agent.contexts).toHaveLength(2);
  });

  it.each(['load', 'save', 'openLog'] as const)(
    'the page does not read the message of a store that fails to %s, and onError gets it',
    async (method) => {
      const thrown = new Error('connect ECONNREFUSED postgres://admin@db.internal:5432');
      const store = { ...createDatabase()().store, [method]: () => Promise.reject(thrown) };
      if (method === 'openLog')
        store.openLog = () => ({ append: () => Promise.reject(thrown), read: () => [] });
      const failures: unknown[] = [];
      const agent = createListAgent([...text('Hi'), stop]);
      const onError = (reported: unknown) => failures.push(reported);
      const events = await run(createAgentSession({ id: 's', agent, store, onError }), hello);
      expect(events.at(-1)).toMatchObject({
        code: 'store_failed',
        message: 'The session store failed. Repeat the request.',
        retryable: true,
      });
      expect(failures).toEqual([thrown]);
    },
  );

  it('a store that fails in the middle of a run ends the run, and the client can repeat its continue', async () => {
    const { store } = createDatabase()();
    let fails = false;
    const save: SessionStore['save'] = (...args) =>
      fails ? Promise.reject(new Error('offline')) : store.save(...args);
    const agent = createListAgent(calls('ask'), calls('more'));
    const flaky = { ...store, save };
    const session = createAgentSession({ id: 's', agent, store: flaky, resumeWindowMs: 60_000 });
    const first = await run(session, hello);
    for await (const { type } of session.execute(continueWith(first))) {
      fails = type === 'start';
      if (type === 'error') break;
    }
    expect(types(await run(session, continueWith(first)))).toEqual([
      'start',
      'client-tool-request',
      'finish',
    ]);
  });

  it.each([
    ['its end', createListAgent([...text('Hi'), stop]), ['finish']],
    ['its question', createListAgent([...text('Hi'), ...calls('ask')]), ['client-tool-request', 'finish']],
  ])(
    'a resume sends the saved events when a store saved %s and threw all the same',
    async (_, agent, end) => {
      const { store } = createDatabase()();
      let fails = false;
      async function save(...[id, record]: Parameters<SessionStore['save']>) {
        const saved = await store.save(id, record);
        if (fails && record.execution?.state !== 'running') throw new Error('offline');
        return saved;
      }
      const session = createAgentSession({ id: 's', agent, store: { ...store, save } });
      const events: AgentEvent[] = [];
      for await (const event of session.execute(hello)) {
        events.push(event);
        fails = true;
      }
      expect(events.at(-1)).toMatchObject({ type: 'error', code: 'store_failed' });
      const { executionId } = events[0] as { executionId: string };
      expect(types(await run(session, { type: 'resume', executionId, cursor: 1 }))).toEqual([
        'text-start',
        'text-delta',
        'text-end',
        ...end,
      ]);
    },
  );
});
