import { isCallOver } from '../../shared/answer-refusals.ts';
import type { Clock } from '../../shared/clock.ts';
import { deepEqual } from '../../shared/deep-equal.ts';
import { AgentChatError } from '../../shared/errors.ts';
import { compact } from '../../shared/json.ts';
import type { OpenCall } from '../protocol/open-calls.ts';
import type { ToolCall, ToolCallAnswer } from '../state/tool-call.ts';
import type { InteractiveTool, Settlement } from '../tools/client-tool.ts';
import { createInteractiveTool } from '../tools/create-interactive-tool.ts';
import { toConnectionError } from '../transport/http-error.ts';
import { deliverAnswer } from './deliver-answer.ts';
import { type InboxCall, type ListedCall, toListedCall } from './inbox-call.ts';
import type { InboxOptions } from './inbox-options.ts';

/** A call with its place in the life of an answer. `accepted`: the server has the answer, and its list may still have the call. */
interface Entry extends ListedCall {
  readonly status: InboxCall['status'] | 'accepted';
  readonly tool: InteractiveTool;
  readonly error?: AgentChatError;
  readonly refusals: number;
}

interface InboxCallsContext {
  readonly clock: Clock;
  readonly random: () => number;
  readonly getOptions: () => InboxOptions;
  /** Called after each change but that of `receive`. */
  readonly onChange: () => void;
}

/** The calls of an inbox, and the answers to them. */
export class InboxCalls {
  readonly #context: InboxCallsContext;
  #entries: ReadonlyMap<string, Entry> = new Map();
  #cancelTimer: (() => void) | undefined;
  #isStarted = false;

  constructor(context: InboxCallsContext) {
    this.#context = context;
  }

  start(): void {
    this.#isStarted = true;
    this.#watchDeadlines();
  }

  /** Stops the timers. An answer that is on its way goes on. */
  stop(): void {
    this.#isStarted = false;
    this.#cancelTimer?.();
  }

  /** The calls to show, the oldest first. */
  list(): readonly InboxCall[] {
    return [...this.#entries]
      .sort(([, one], [, other]) => one.call.requestedAt - other.call.requestedAt)
      .flatMap(([key, entry]) => toInboxCall(key, entry) ?? []);
  }

  /** Takes the list of the server in place of the one before. */
  receive(list: readonly OpenCall[]): void {
    const { clientTools = {} } = this.#context.getOptions();
    const now = this.#context.clock.now();
    const asked = list
      .flatMap((openCall) => toListedCall(openCall, clientTools) ?? [])
      .filter(({ call }) => !isExpired(call, now));
    const listed = new Set(asked.map(({ call }) => call.key));
    const entries = new Map<string, Entry>();
    for (const [key, entry] of this.#entries) {
      const left = listed.has(key) ? entry : toUnlisted(entry);
      if (left !== undefined) entries.set(key, left);
    }
    for (const each of asked) {
      const { key } = each.call;
      const known = entries.get(key);
      if (known === undefined)
        entries.set(key, { ...each, tool: this.#bind(each), status: 'waiting', refusals: 0 });
      else if (isChanged(known, each)) entries.set(key, this.#toAskedAnew(known, each));
    }
    this.#entries = entries;
    this.#watchDeadlines();
  }

  /** What the person is asked was changed, so the question is another one: its card begins anew. An answer that is on its way is refused, and then too. */
  #toAskedAnew(known: Entry, listed: ListedCall): Entry {
    const { request } = listed.call;
    // The time makes it a new question to people: they have not read this one.
    const requestedAt = Math.max(listed.call.requestedAt, known.call.requestedAt + 1);
    const asked = { ...known, ...listed, call: { ...known.call, request, requestedAt } };
    return known.status === 'waiting' ? { ...asked, tool: this.#bind(asked) } : asked;
  }

  dismiss(key: string): void {
    if (this.#entries.get(key)?.status === 'ended') this.#put(key, undefined);
  }

  #bind({ call, args, definition }: ListedCall): InteractiveTool {
    const tool: InteractiveTool = createInteractiveTool(
      call,
      args,
      definition,
      {},
      {
        store: { read: () => ({ calls: [...this.#entries.values()].map((entry) => entry.call) }) },
        clock: this.#context.clock,
        actions: () => this.#actions,
        isEarlier: () => this.#entries.get(call.key)?.tool !== tool,
      },
    );
    return tool;
  }

  readonly #actions = {
    settle: (key: string, answer: ToolCallAnswer): Settlement => this.#settle(key, answer),
    // No handler of this page waits to be allowed.
    approve: (): Settlement => ({ settled: false, reason: 'already-settled' }),
    saveInput: (key: string, savedInput: unknown) => {
      const entry = this.#entries.get(key);
      // The typed input is no part of what is shown, so nothing is published.
      if (entry)
        this.#entries = new Map(this.#entries).set(key, { ...entry, call: { ...entry.call, savedInput } });
    },
  };

  #settle(key: string, answer: ToolCallAnswer): Settlement {
    const entry = this.#entries.get(key);
    if (entry?.status !== 'waiting') return { settled: false, reason: 'already-settled' };
    if (answer.outcome === 'expired') {
      this.#put(key, { ...entry, status: 'ended', call: toEnded(entry.call) });
      return { settled: true };
    }
    // A page that cannot show the question must not answer it for the other people who can.
    if (answer.outcome === 'failed') return { settled: false, reason: 'already-settled' };
    const { error: _, ...rest } = entry;
    const sending: Entry = { ...rest, status: 'sending', call: { ...entry.call, stage: 'settled', answer } };
    this.#put(key, sending);
    void this.#send(sending, answer);
    return { settled: true };
  }

  async #send({ openCall, call }: Entry, answer: ToolCallAnswer): Promise<void> {
    const { clock, random, getOptions } = this.#context;
    const { key } = call;
    try {
      await deliverAnswer(openCall, answer, { route: getOptions(), clock, random });
      this.#update(key, { status: 'accepted' });
    } catch (thrown) {
      const error = AgentChatError.isInstance(thrown) ? thrown : toConnectionError(thrown);
      this.#refuse(key, error);
    }
  }

  /** The call waits again, or has ended. Its tool is another object, so that its card begins anew. */
  #refuse(key: string, error: AgentChatError): void {
    const entry = this.#entries.get(key);
    if (entry === undefined) return;
    const isOver = isCallOver(error.backendCode);
    const { answer: _, ...rest } = entry.call;
    const call: ToolCall = isOver
      ? toEnded(entry.call)
      : { ...rest, stage: 'waiting', refusal: error.message };
    const refused = { ...entry, call, error, refusals: entry.refusals + 1 };
    this.#put(key, { ...refused, tool: this.#bind(refused), status: isOver ? 'ended' : 'waiting' });
  }

  #update(key: string, change: Partial<Entry>): void {
    const entry = this.#entries.get(key);
    if (entry) this.#put(key, { ...entry, ...change });
  }

  #put(key: string, entry: Entry | undefined): void {
    const entries = new Map(this.#entries);
    if (entry) entries.set(key, entry);
    else entries.delete(key);
    this.#change(entries);
  }

  #change(entries: ReadonlyMap<string, Entry>): void {
    this.#entries = entries;
    this.#watchDeadlines();
    this.#context.onChange();
  }

  /** A call leaves the inbox when its time is over. The server sends no new list then. */
  #watchDeadlines(): void {
    this.#cancelTimer?.();
    if (!this.#isStarted) return;
    const { clock } = this.#context;
    const deadlines = [...this.#entries.values()].flatMap(({ status, call }) =>
      status === 'waiting' ? (call.expiresAt ?? []) : [],
    );
    if (deadlines.length > 0)
      this.#cancelTimer = clock.after(Math.min(...deadlines) - clock.now(), this.#expire);
  }

  readonly #expire = (): void => {
    const now = this.#context.clock.now();
    const entries = new Map<string, Entry>();
    for (const [key, entry] of this.#entries) {
      const left = entry.status === 'waiting' && isExpired(entry.call, now) ? toUnlisted(entry) : entry;
      if (left !== undefined) entries.set(key, left);
    }
    this.#change(entries);
  };
}

function isExpired({ expiresAt }: ToolCall, now: number): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

/** True if a person reads something else than before, or something else would happen. */
function isChanged({ call: { request: before } }: ListedCall, { call: { request } }: ListedCall): boolean {
  const { args, definition, question } = before;
  return !deepEqual([args, definition, question], [request.args, request.definition, request.question]);
}

/** A call that the list no longer has. It stays if this person has typed or answered. */
function toUnlisted(entry: Entry): Entry | undefined {
  const { status, call } = entry;
  if (status === 'sending' || status === 'ended') return entry;
  if (status === 'accepted' || call.savedInput === undefined) return undefined;
  return { ...entry, status: 'ended', call: toEnded(call) };
}

function toEnded(call: ToolCall): ToolCall {
  return { ...call, stage: 'settled', answer: { outcome: 'expired' } };
}

function toInboxCall(key: string, { status, tool, openCall, error, refusals }: Entry): InboxCall | undefined {
  if (status === 'accepted') return undefined;
  const { sessionId, executionId, startedBy } = openCall;
  return { key, sessionId, executionId, ...compact({ startedBy, error }), tool, status, refusals };
}
