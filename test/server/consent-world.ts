/** Agents, tools, people and processes for the properties of consent: they do anything, and the world notes what everybody was shown. */
import * as z from 'zod';
import type { AgentEvent, PendingToolCall, ToolResult } from '../../src/core/protocol/events.ts';
import type { Agent, AgentMessage, ModelEvent } from '../../src/server/agent.ts';
import type { Receipts } from '../../src/server/receipts/receipts.ts';
import { type AgentSession, createAgentSession } from '../../src/server/sessions/create-agent-session.ts';
import type { CallRecord } from '../../src/server/store/call-record.ts';
import { createMemorySessionStore } from '../../src/server/store/create-memory-session-store.ts';
import type { SessionRecord, SessionStore } from '../../src/server/store/session-store.ts';
import { defineServerTool } from '../../src/server/tools/define-server-tool.ts';
import type { ServerTools } from '../../src/server/tools/server-tool.ts';
import { QuestionNotAnswered } from '../../src/server/tools/step-errors.ts';
import type { Principal } from '../../src/shared/principal.ts';
import { collect, createTestClock, settle } from './support.ts';

export const ADA: Principal = { id: 'ada', name: 'Ada' };
export const BOB: Principal = { id: 'bob' };
export type Person = Principal | undefined;

/** Typed by people into the secret field of a question. */
export const PLANTED = 'hunter2-planted';

export interface WorldOptions {
  /** The tools that the agent calls, round by round. */
  readonly rounds: readonly (readonly string[])[];
  /** The numbers of the model invocations that fail. */
  readonly failing: readonly number[];
  readonly receipts: Receipts | undefined;
  readonly redacts: boolean;
  /** Bob may open the conversation that Ada has started. */
  readonly isShared: boolean;
  /** Questions of tools expire. */
  readonly expires: boolean;
}

/**
 * What the next deployment knows: all tools; none that asks; the tools with another description; the tools without their rules of who may
 * answer.
 */
export type Version = 'same' | 'missing' | 'changed' | 'unruled';

/** An answer that a person has sent. */
export interface Sent {
  readonly by: Person;
  readonly answer: ToolResult;
}

/** A tool got this from `ask`. */
export interface Heard {
  readonly toolCallId: string;
  readonly outcome: string;
  readonly value?: unknown;
}

interface Process {
  readonly session: AgentSession;
  readonly version: Version;
  isDead(): boolean;
  dieAfter(saves: number, isSaved: boolean): void;
}

const DUE = '2026-03-01T00:00:00.000Z';
/** The schema makes a coerced number, a default and a `Date` of what the agent sends. */
const SENT_ARGS = { amount: '80', due: '2026-03-01' };
export const EDITED_ARGS = { amount: 40, currency: 'EUR', due: DUE };

export class World {
  readonly clock = createTestClock();
  /** Every record that a process has saved, as JSON. */
  readonly saved: string[] = [];
  readonly events: AgentEvent[] = [];
  /** The events that each person has got. */
  readonly seen = new Map<Person, AgentEvent[]>();
  /** The calls that went out to a person who may answer them. */
  readonly shown: { readonly to: Person; readonly call: PendingToolCall }[] = [];
  readonly sent: Sent[] = [];
  /** The calls that ran, with what they ran with, and how many answers had been sent by then. */
  readonly runs: { readonly toolCallId: string; readonly args: unknown; readonly sent: number }[] = [];
  readonly heard: Heard[] = [];
  /** The ids of the calls whose arguments somebody has changed in the store. */
  readonly tampered = new Set<string>();
  history: readonly AgentMessage[] = [];
  readonly #options: WorldOptions;
  readonly #store = createMemorySessionStore();
  #process: Process;
  #invocations = 0;

  constructor(options: WorldOptions) {
    this.#options = options;
    this.#process = this.#start('same');
  }

  get version(): Version {
    return this.#process.version;
  }

  async load(): Promise<SessionRecord | null> {
    return this.#store.load('s');
  }

  /** Another process goes on with what is stored. */
  deploy(version: Version): void {
    this.#process.dieAfter(0, false);
    this.#process = this.#start(version);
  }

  /** The process dies at one of its next saves, before or after it. */
  crash(saves: number, isSaved: boolean): void {
    this.#process.dieAfter(saves, isSaved);
  }

  /** Sends a request, and reads its events to their end. A process that died meanwhile is followed by another one. */
  async request(by: Person, payload: object): Promise<readonly AgentEvent[]> {
    const { session, isDead, version } = this.#process;
    const { toolResults = [] } = payload as { toolResults?: readonly ToolResult[] };
    this.sent.push(...toolResults.map((answer) => ({ by, answer })));
    const events = await collect(session.execute(structuredClone(payload), { principal: by }));
    await settle();
    if (isDead()) this.#process = this.#start(version);
    this.events.push(...events);
    this.seen.set(by, [...(this.seen.get(by) ?? []), ...events]);
    for (const call of events.flatMap(callsIn))
      if (call.mayAnswer !== false) this.shown.push({ to: by, call });
    return events;
  }

  /** Changes the arguments of a stored call, as somebody could who writes to the database. */
  async tamper(index: number, change: (call: CallRecord) => CallRecord | Promise<CallRecord>): Promise<void> {
    const record = await this.load();
    const keys = Object.keys(record?.calls ?? {}).filter((key) => record?.calls[key]?.toolName === 'pay');
    const key = keys[index % Math.max(1, keys.length)];
    const call = key === undefined ? undefined : record?.calls[key];
    if (record === null || key === undefined || call === undefined) return;
    this.tampered.add(call.toolCallId);
    const calls = { ...record.calls, [key]: await change(call) };
    await this.#store.save('s', { ...record, revision: record.revision + 1, calls });
  }

  async wait(ms: number): Promise<void> {
    this.clock.advance(ms);
    for (let turn = 0; turn < 10; turn += 1) await settle();
    if (this.#process.isDead()) this.#process = this.#start(this.#process.version);
  }

  #start(version: Version): Process {
    const { receipts, redacts, isShared } = this.#options;
    const { store, ...life } = this.#createMortalStore();
    const session = createAgentSession({
      id: 's',
      agent: this.#agent,
      tools: this.#createTools(version, life.isDead),
      store,
      clock: this.clock,
      onError: () => {},
      ...(receipts && { receipts }),
      ...(isShared && { mayOpen: () => true }),
      ...(redacts && { redactStored: withoutNote }),
    });
    return { session, version, ...life };
  }

  /** A store for one process. */
  #createMortalStore() {
    let left = Number.POSITIVE_INFINITY;
    let isSavedLast = false;
    let isDead = false;
    const die = (): never => {
      isDead = true;
      throw new Error('the process is dead');
    };
    const store: SessionStore = {
      load: async (id) => (isDead ? die() : this.#store.load(id)),
      save: async (id, record) => {
        if (isDead || left <= 0) return die();
        left -= 1;
        if (left === 0 && !isSavedLast) return die();
        this.saved.push(JSON.stringify(record));
        const isTaken = await this.#store.save(id, record);
        return left === 0 ? die() : isTaken;
      },
    };
    const dieAfter = (saves: number, isSaved: boolean) => {
      left = saves;
      isSavedLast = isSaved;
      if (saves === 0) isDead = true;
    };
    return { store, isDead: () => isDead, dieAfter };
  }

  #createTools(version: Version, isDead: () => boolean): ServerTools {
    const add = () => 3;
    if (version === 'missing') return { add };
    const { expires } = this.#options;
    const pay = defineServerTool({
      description: version === 'changed' ? 'Pays twice' : 'Pays',
      input: z.object({
        amount: z.coerce.number(),
        currency: z.string().default('EUR'),
        due: z.coerce.date(),
      }),
      approval: 'always',
      editable: true,
      ...(version !== 'unruled' && { mayAnswer: ({ id }: Principal) => id === ADA.id }),
      execute: async (args, { toolCallId, once }) => {
        // What a dead process would still do, nobody would see.
        if (isDead()) throw new Error('dead');
        const plain: unknown = JSON.parse(JSON.stringify(args));
        this.runs.push({ toolCallId, args: plain, sent: this.sent.length });
        return once('pay', ({ idempotencyKey }) => ({ paid: args.amount, idempotencyKey }));
      },
    });
    const survey = defineServerTool({
      execute: async (_args, { toolCallId, ask }) => {
        const question = { key: 'why', message: 'Why?', output: SURVEY };
        const asking = ask({ ...question, ...(expires && { expiresInMs: 60_000 }) });
        const value = await asking.catch((thrown: unknown) => {
          if (thrown instanceof QuestionNotAnswered && !isDead())
            this.heard.push({ toolCallId, outcome: thrown.outcome });
          throw thrown;
        });
        if (!isDead()) this.heard.push({ toolCallId, outcome: 'submitted', value });
        return { confirmed: value.confirmed };
      },
    });
    return { add, pay, survey };
  }

  /** Decides by the history alone, because it may be called again after a crash. */
  readonly #agent: Agent = (context) => this.#invoke(context.messages);

  async *#invoke(messages: readonly AgentMessage[]): AsyncGenerator<ModelEvent> {
    this.#invocations += 1;
    if (this.#options.failing.includes(this.#invocations)) throw new Error('the model is busy');
    this.history = messages;
    const round = messages.filter(({ role }) => role === 'assistant').length;
    const names = this.#options.rounds[round];
    if (names === undefined) return;
    const toolCalls = names.map((toolName, index) => ({
      toolCallId: `${toolName}-${round}-${index}`,
      toolName,
      args: toolName === 'pay' ? SENT_ARGS : { of: toolName },
    }));
    yield { type: 'tool-request', toolCalls };
  }
}

const SURVEY = z.object({
  confirmed: z.boolean(),
  note: z.string(),
  password: z.string().meta({ format: 'password' }),
});

/** Replaces what people have noted, so that the store has less than the whole answer by the rule of the app, too. */
function withoutNote(result: unknown): unknown {
  return typeof result === 'object' && result !== null && 'note' in result ? { ...result, note: '' } : result;
}

export function callsIn(event: AgentEvent): readonly PendingToolCall[] {
  if (event.type === 'client-tool-request') return event.toolCalls;
  return event.type === 'snapshot' ? event.openCalls : [];
}
