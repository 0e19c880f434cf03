/**
 * The calls of a thread that the browser answers. Each call settles once: with the first answer, at its deadline, or when the person
 * stops the thread.
 */
import type { Clock } from '../../../../shared/clock.ts';
import { createId } from '../../../../shared/ids.ts';
import { compact, type JsonValue, readOwn } from '../../../../shared/json.ts';
import type { ClientCallStore, KitState } from './client-call-store.ts';
import type { ClientAnswer } from './to-tool-result.ts';

/** A call as the browser gets it. JSON. */
export interface ClientToolRequest {
  readonly id: string;
  readonly name: string;
  readonly args: JsonValue;
  /** Milliseconds since the epoch. After it the agent no longer waits. */
  readonly deadline?: number | undefined;
}

/** A call that a tool is about to make. */
export interface NewCall extends ClientToolRequest {
  /** The message in which the model made the call, if the runtime has stored that message. */
  readonly messageId?: string | undefined;
}

/** A call as it is stored. JSON. */
export interface ClientCall extends NewCall {
  /** Milliseconds since the epoch. */
  readonly requestedAt: number;
  readonly status: 'pending' | 'answered';
  readonly answer?: ClientAnswer;
  /** True once nothing is left to do: the answer is on its way to the agent, or the agent will not hear of it. */
  readonly isDone?: boolean;
}

/** A settled call, and whether this very answer settled it. */
export interface Settlement {
  readonly isFirst: boolean;
  readonly call: ClientCall;
}

/** The tool that gives the agent an answer which came after the execution had stopped. */
export const ANSWER_TOOL = 'client_tool_answer';

/** Ids of the calls that may be pending, oldest first. */
const INDEX_KEY = 'clienttools';

export class ClientCalls {
  readonly #store: ClientCallStore;
  readonly #clock: Clock;
  readonly #resumes: boolean;

  /** @param resumes True if answers start a new execution, false if a tool waits for them. */
  constructor(store: ClientCallStore, clock: Clock, resumes: boolean) {
    this.#store = store;
    this.#clock = clock;
    this.#resumes = resumes;
  }

  /** Stores a call and asks the browser. A tool that runs again after a crash finds its call and asks for that one again. */
  request(state: KitState, asked: NewCall): Promise<ClientCall> {
    return this.#store.withLock(state, async () => {
      const known = await this.find(state, asked.id);
      const isKnown = known !== undefined && known.messageId === asked.messageId;
      // Some models use the same id in several messages. Such a call must not get the answer of the earlier one.
      const id = known === undefined || isKnown ? asked.id : createId();
      const call: ClientCall = isKnown
        ? known
        : { ...asked, id, requestedAt: this.#clock.now(), status: 'pending' };
      // A person who stopped the thread while this call waited for the lock must not be asked.
      if (state.execution?.abortSignal?.aborted) return { ...call, answer: { outcome: 'aborted' } };
      // The index comes first: an id without a call is skipped, and a call without an index would never be listed.
      const others = (await this.#list(state)).filter((other) => other.id !== id && !other.isDone);
      await this.#store.setValue(state, INDEX_KEY, [...others.map((other) => other.id), id]);
      await this.#put(state, call);
      if (call.status === 'pending') {
        const { name, args, deadline } = call;
        state.emit('client_tool_request', compact({ id, name, args, deadline }));
      }
      return call;
    });
  }

  async find(state: KitState, id: string): Promise<ClientCall | undefined> {
    return ((await this.#store.getValue(state, keyOf(id))) ?? undefined) as ClientCall | undefined;
  }

  /**
   * Returns the calls that wait for an answer, oldest first. Before that it ends calls whose deadline has passed, and delivers answers
   * that a process which died has left.
   */
  pending(state: KitState): Promise<readonly ClientCall[]> {
    return this.#store.withLock(state, async () => {
      await this.#expire(state);
      await this.#deliver(state);
      return (await this.#list(state)).filter(isPending);
    });
  }

  /** Settles a call with its first answer. Returns undefined if there is no such call. */
  answer(state: KitState, id: string, answer: ClientAnswer): Promise<Settlement | undefined> {
    return this.#store.withLock(state, async () => {
      await this.#expire(state);
      const call = await this.find(state, id);
      if (call === undefined) return undefined;
      const settled = isPending(call) ? await this.#settle(state, call, answer) : call;
      // A repeated answer delivers too: the process may have died between storing the first one and delivering it. After a stop
      // the agent must rest.
      if (answer.outcome !== 'aborted') await this.#deliver(state);
      return { isFirst: isPending(call), call: settled };
    });
  }

  /** Settles all pending calls as aborted. The agent does not hear of them, nor of answers that waited for them. */
  abort(state: KitState): Promise<void> {
    return this.#store.withLock(state, async () => {
      for (const call of await this.#list(state)) {
        if (isPending(call)) await this.#settle(state, call, { outcome: 'aborted' });
        else await this.#put(state, { ...call, isDone: true });
      }
    });
  }

  async #expire(state: KitState): Promise<void> {
    const now = this.#clock.now();
    for (const call of await this.#list(state)) {
      const { deadline, requestedAt } = call;
      if (!isPending(call) || deadline === undefined || deadline > now) continue;
      const reason = `Timed out after ${(deadline - requestedAt) / 1_000} s without an answer`;
      await this.#settle(state, call, { outcome: 'timed-out', reason });
    }
  }

  async #settle(state: KitState, call: ClientCall, answer: ClientAnswer): Promise<ClientCall> {
    // A blocking tool reads its answer by itself, and the agent does not hear of an abort.
    const isDone = !this.#resumes || answer.outcome === 'aborted';
    const settled: ClientCall = { ...call, status: 'answered', answer, isDone };
    await this.#put(state, settled);
    state.emit('client_tool_answered', { id: call.id, outcome: answer.outcome });
    return settled;
  }

  /** Starts the agent with all answers once no call is pending: it should not go on with half of what it asked for. */
  async #deliver(state: KitState): Promise<void> {
    const calls = await this.#list(state);
    if (calls.some(isPending)) return;
    const due = calls.filter((call) => !call.isDone);
    await Promise.all(due.map(({ id }) => state.queueTool(ANSWER_TOOL, { id })));
    for (const call of due) await this.#put(state, { ...call, isDone: true });
  }

  async #list(state: KitState): Promise<readonly ClientCall[]> {
    const ids = ((await this.#store.getValue(state, INDEX_KEY)) ?? []) as readonly string[];
    const calls = await Promise.all(ids.map((id) => this.find(state, id)));
    return calls.filter((call) => call !== undefined);
  }

  #put(state: KitState, call: ClientCall): Promise<unknown> {
    return this.#store.setValue(state, keyOf(call.id), call);
  }
}

/** Returns the calls among the durable values of a thread that wait for an answer, oldest first. */
export function readPendingCalls(values: Readonly<Record<string, JsonValue>>): readonly ClientCall[] {
  const ids = readOwn(values, INDEX_KEY);
  if (!Array.isArray(ids)) return [];
  const calls = ids.map((id) => readOwn(values, keyOf(String(id))) as ClientCall | undefined);
  return calls.filter((call) => call !== undefined).filter(isPending);
}

function keyOf(id: string): string {
  return `clienttool:${id}`;
}

function isPending({ status }: ClientCall): boolean {
  return status === 'pending';
}
