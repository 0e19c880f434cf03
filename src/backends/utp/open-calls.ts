/** The calls of a tool service that wait for a person: who may answer, whose answer counts, when the time is up. */
import { invalidOptions } from '../../shared/errors.ts';
import { compact } from '../../shared/json.ts';
import { buildToolResult, findBrokenRule, type ToolEnding } from './build-tool-result.ts';
import type { UtpToolCall } from './call.ts';
import type { Card } from './cards.ts';
import { LEASE_MS } from './claim.ts';
import type { ExecutorSettings } from './create-executor.ts';
import { deliverResult } from './deliver-result.ts';
import type { PendingCall, PendingChange } from './pending-calls.ts';
import { isInScope } from './read-command.ts';
import { inStep, StepFailure } from './step-failure.ts';
import { retry } from './timing.ts';
import { toEnding, type UtpAnswer } from './to-ending.ts';
import { expired, toReceipt, type UtpReceipt } from './utp-receipt.ts';
import { findUtpTool } from './utp-tool.ts';

/** A call that waits for a person. */
export interface UtpOpenCall extends UtpToolCall {
  /** The conversation that asks the call, if one does. */
  readonly askedBy?: string;
  /** When the command arrived. Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** When the call times out. Milliseconds since the epoch. */
  readonly deadline: number;
}

/** Names an open call. */
type CallName = Pick<UtpToolCall, 'toolCallId' | 'projectId'>;

/** Keeps the open calls of one service object in step with the stored rows. */
export class OpenCalls {
  readonly #settings: ExecutorSettings;
  readonly #rows = new Map<string, PendingCall>();
  /** Keys of calls that this process has settled. Their rows may still be on the way to say so. */
  readonly #settled = new Set<string>();
  readonly #timers = new Map<string, () => void>();
  readonly #notify: () => void;

  /** @param notify called when the list may have changed */
  constructor(settings: ExecutorSettings, notify: () => void) {
    this.#settings = settings;
    this.#notify = notify;
  }

  /** Reads the stored rows: goes on waiting for answers, and delivers those that an earlier run could not deliver. */
  async start(): Promise<void> {
    const { pending, signal, onFailure } = this.#settings;
    const stop = await pending.watch(
      (change) => {
        if (!signal.aborted) this.#onChange(change);
      },
      (thrown) => onFailure(thrown, { step: 'pending' }),
    );
    signal.addEventListener('abort', () => {
      stop();
      for (const cancel of this.#timers.values()) cancel();
      this.#timers.clear();
    });
  }

  /** The calls that wait, oldest first. */
  list(): readonly UtpOpenCall[] {
    return this.#openRows()
      .sort((left, right) => left.receivedAt - right.receivedAt)
      .map(({ call, receivedAt, deadline, askedBy }) => compact({ ...call, receivedAt, deadline, askedBy }));
  }

  /** Notes the conversation that asks a call. @throws StepFailure `pending` if that could not be stored */
  async assign({ toolCallId, projectId }: CallName, sessionId: string): Promise<void> {
    const { pending } = this.#settings;
    const row = this.#find(toolCallId, projectId);
    if (row && row.askedBy !== sessionId) {
      await inStep('pending', async () => pending.assign?.(row.key, sessionId));
    }
  }

  /** Answers a call, see `UtpToolService.answer`. */
  async answer(toolCallId: string, answer: UtpAnswer, principal: unknown): Promise<UtpReceipt> {
    const ending = toEnding(answer);
    const row = this.#find(toolCallId, answer.projectId);
    if (row === undefined) return expired(`The call ${toolCallId} is not open.`);
    if (!(await this.#mayAnswer(row, principal))) {
      return { status: 'forbidden', reason: `This person may not answer the call ${toolCallId}.` };
    }
    if (ending) return this.#settle(row, ending);
    await this.#settings.pending.remove(row.key);
    return expired(`The call ${toolCallId} was closed without an answer.`);
  }

  /** Nobody may answer here if only another process of the service has the tool, because only that one knows who may. */
  async #mayAnswer({ call }: PendingCall, principal: unknown): Promise<boolean> {
    const tool = findUtpTool(this.#settings.tools, call.toolName);
    if (typeof tool !== 'object') return false;
    return tool.mayAnswer === undefined || (await tool.mayAnswer(principal, call));
  }

  #openRows(): PendingCall[] {
    return [...this.#rows.values()].filter((row) => !row.answer && !this.#settled.has(row.key));
  }

  #find(toolCallId: string, projectId: string | undefined): PendingCall | undefined {
    const [row, other] = this.#openRows().filter(
      ({ call }) =>
        call.toolCallId === toolCallId && (projectId === undefined || call.projectId === projectId),
    );
    if (row && other) {
      throw invalidOptions(
        `answer: several open calls have the id ${toolCallId}, in the projects ${row.call.projectId} and ${other.call.projectId}. Pass projectId.`,
      );
    }
    return row;
  }

  #onChange({ key, row, isEarlier }: PendingChange): void {
    // The rows of a target are those of all its services: another one has the tools and the rules of another project.
    if (row && !isInScope(this.#settings, row.call.projectId)) return;
    this.#disarm(key);
    if (row === undefined) {
      this.#rows.delete(key);
      this.#settled.delete(key);
    } else {
      this.#rows.set(key, row);
      if (!this.#settled.has(key)) this.#watchOver(row, isEarlier);
    }
    this.#notify();
  }

  #watchOver(row: PendingCall, isEarlier: boolean): void {
    const { answer, deadline, key } = row;
    if (answer) this.#adopt(row, answer, isEarlier);
    else this.#arm(key, deadline - this.#settings.clock.now(), () => this.#timeOut(row));
  }

  /**
   * Delivers an answer that another run of the service took. A run that is over left the row behind. One that goes on in another process
   * gets time to deliver by itself.
   */
  #adopt(row: PendingCall, answer: Card, isEarlier: boolean): void {
    this.#arm(row.key, isEarlier ? 0 : LEASE_MS, () => this.#deliverAgain(row, answer));
  }

  async #timeOut(row: PendingCall): Promise<void> {
    const seconds = (row.deadline - row.receivedAt) / 1000;
    const reason = `Timed out after ${seconds} s without an answer`;
    const ending = toEnding({ outcome: 'timed-out', reason });
    if (ending) await this.#retry(row, () => this.#settle(row, ending));
  }

  /** Writes the answer into the row, where the first one wins, and delivers it. */
  async #settle(row: PendingCall, ending: ToolEnding): Promise<UtpReceipt> {
    const { actor, clock, createId } = this.#settings;
    const fields = { cardId: createId(), createdAt: new Date(clock.now()), authorId: actor };
    const answer = buildToolResult(row.call, ending, fields);
    if (!(await this.#write(row, answer))) {
      return expired(`The call ${row.call.toolCallId} has another answer.`);
    }
    const brokenRule = findBrokenRule(answer);
    if (brokenRule) this.#note(row, new StepFailure('execute', brokenRule));
    this.#disarm(row.key);
    this.#settled.add(row.key);
    this.#notify();
    try {
      return await this.#deliver(row, answer);
    } catch (thrown) {
      this.#note(row, thrown);
      void this.#deliverAgain(row, answer);
      return { status: 'undelivered', reason: (thrown as Error).message };
    }
  }

  /** Returns true if the answer is the one in the row. @throws StepFailure `pending` if that is unknown; the call is open then. */
  async #write({ key }: PendingCall, answer: Card): Promise<boolean> {
    const { pending } = this.#settings;
    try {
      return await pending.settle(key, answer);
    } catch (thrown) {
      // The connection may have broken after the row was written.
      const row = await pending.get(key).catch(() => undefined);
      if (row?.answer === undefined) throw new StepFailure('pending', thrown);
      return row.answer.card_id === answer.card_id;
    }
  }

  async #deliver(row: PendingCall, answer: Card): Promise<UtpReceipt> {
    const delivered = await deliverResult(this.#settings, row.call, row.key, answer);
    if (delivered.status === 'refused')
      this.#note(row, new StepFailure('report', new Error(delivered.reason)));
    // The agent has its result, so nobody needs to wait for this.
    void this.#retry(row, () => this.#settings.pending.remove(row.key));
    return toReceipt(delivered, row.call);
  }

  async #deliverAgain(row: PendingCall, answer: Card): Promise<void> {
    const { pending } = this.#settings;
    const delivered = await this.#retry(row, () => deliverResult(this.#settings, row.call, row.key, answer));
    if (delivered) await this.#retry(row, () => pending.remove(row.key));
  }

  /** Repeats the work until it succeeds. Resolves to undefined if the service stops first: the row is there for the next start. */
  #retry<Value>(row: PendingCall, work: () => Promise<Value>): Promise<Value | undefined> {
    const { clock, signal } = this.#settings;
    const onFailure = (thrown: unknown) => this.#note(row, thrown);
    return retry(work, { clock, signal, onFailure }).catch(() => undefined);
  }

  #arm(key: string, delayMs: number, callback: () => unknown): void {
    this.#timers.set(key, this.#settings.clock.after(Math.max(0, delayMs), callback));
  }

  #disarm(key: string): void {
    this.#timers.get(key)?.();
    this.#timers.delete(key);
  }

  #note({ call }: PendingCall, thrown: unknown): void {
    const [step, cause] =
      thrown instanceof StepFailure ? [thrown.step, thrown.cause] : (['pending', thrown] as const);
    this.#settings.onFailure(cause, {
      step,
      projectId: call.projectId,
      toolCallId: call.toolCallId,
    });
  }
}
