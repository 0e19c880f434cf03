import { jetstream } from '@nats-io/jetstream';
import { headers as createHeaders, type NatsConnection } from '@nats-io/nats-core';
import type { Card } from '../../../../src/backends/utp/cards.ts';
import type { Clock } from '../../../../src/shared/clock.ts';
import { isRecord } from '../../../../src/shared/json.ts';
import { findViolations, type Message } from './command-rules.ts';
import type { MemoryCards } from './memory-cards.ts';
import { type InboxRow, type MemoryL0, readCallback } from './memory-l0.ts';

/** One tool call of a turn, as a test wishes it. */
export interface WishedCall {
  readonly toolName: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly afterExecution?: 'suspend' | 'terminate';
  /** The tool's own suspend timeout. Milliseconds. */
  readonly timeoutMs?: number;
}

/** A command that was published. */
export interface SentCall extends Message {
  readonly toolCallId: string;
  readonly cardId: string;
}

/** A result that the worker took into the turn. */
export interface AppliedResult {
  readonly toolCallId: string;
  readonly status: string;
  readonly afterExecution: string;
  readonly content: Readonly<Record<string, unknown>>;
}

export interface WorkerSettings {
  readonly nats: NatsConnection;
  readonly cards: MemoryCards;
  readonly l0: MemoryL0;
  readonly clock: Clock;
  readonly projectId: string;
  readonly channelId: string;
  readonly agentId: string;
  readonly workerTarget: string;
  /** Target of the tool service. */
  readonly target: string;
}

/** The worker suspends for at least this long. */
const SUSPEND_MS = 30_000;
const EARLY_RETRY_MS = 1_000;
const MISSING_CARD_RETRY_MS = 1_500;
const MAX_RETRIES = 3;

/** The worker of one agent with its watchdog, by the state machine of CommonGround. */
export class AgentWorker {
  status: 'idle' | 'running' | 'suspended' = 'idle';
  /** The ending of the last turn. */
  ending: string | undefined;
  turnId = '';
  epoch = 0;
  recursionDepth = 2;
  resumeDeadline = 0;
  readonly sent: SentCall[] = [];
  readonly applied: AppliedResult[] = [];
  readonly wakeups: Message[] = [];
  /** Rules that wakeups broke. A test expects none. */
  readonly violations: string[] = [];
  readonly #waiting = new Set<string>();
  readonly #retries = new Map<InboxRow, number>();
  readonly agentId: string;
  readonly #onResume: (() => void)[] = [];
  readonly #settings: WorkerSettings;
  #calls = 0;

  constructor(settings: WorkerSettings) {
    const { nats, projectId, agentId, workerTarget, l0 } = settings;
    this.#settings = settings;
    this.agentId = agentId;
    l0.roster.set(`${projectId}/${agentId}`, workerTarget);
    nats.subscribe(`cg.v1r4.${projectId}.*.cmd.agent.${workerTarget}.wakeup`, {
      callback: (_, received) => {
        const { subject, headers } = received;
        const record = Object.fromEntries([...(headers ?? [])].map(([name, [value = '']]) => [name, value]));
        const message = { subject, headers: record, payload: JSON.parse(received.string()) };
        this.#onWakeup(message);
      },
    });
  }

  /** Starts a turn with these calls, and suspends until they are answered. */
  async call(...wishes: readonly WishedCall[]): Promise<readonly SentCall[]> {
    this.startTurn();
    const sent = [];
    for (const wish of wishes) sent.push(await this.send(wish));
    const longest = Math.max(SUSPEND_MS, ...wishes.map(({ timeoutMs = 0 }) => timeoutMs));
    this.suspend(longest);
    return sent;
  }

  startTurn(): void {
    const { l0, projectId, agentId } = this.#settings;
    this.epoch += 1;
    this.turnId = `turn-${agentId}-${this.epoch}`;
    this.status = 'running';
    this.ending = undefined;
    this.#waiting.clear();
    l0.inbox.push({
      ...{ projectId, agentId, agentTurnId: this.turnId, turnEpoch: this.epoch },
      ...{ messageType: 'turn', correlationId: this.turnId, payload: {}, status: 'consumed' },
    });
  }

  /** Resolves when the turn is not suspended any more. */
  resumed(): Promise<void> {
    if (this.status !== 'suspended') return Promise.resolve();
    return new Promise((resolve) => this.#onResume.push(resolve));
  }

  /** Ends the turn without a further step. */
  rest(): void {
    this.status = 'idle';
  }

  /** Writes the card and the request edge, and then publishes the command. */
  async send(wish: WishedCall): Promise<SentCall> {
    const call = this.prepare(wish);
    const broken = findViolations(call);
    if (broken.length > 0) throw new Error(`The worker breaks the protocol: ${broken.join('; ')}`);
    await this.publish(call);
    this.sent.push(call);
    return call;
  }

  /** Everything of a call but its publication. A test may change the command before it publishes it. */
  prepare({ toolName, args = {}, afterExecution }: WishedCall): SentCall {
    const { cards, l0, clock, projectId, channelId, agentId, target } = this.#settings;
    this.#calls += 1;
    const toolCallId = `call-${agentId}-${this.#calls}`;
    const cardId = `card-${toolCallId}`;
    const stepId = `step-${this.epoch}`;
    const traceId = this.epoch.toString(16).padStart(32, 'a');
    cards.put({
      card_id: cardId,
      project_id: projectId,
      type: 'tool.call',
      content: { tool_name: toolName, arguments: args, status: 'called' },
      created_at: new Date(clock.now()).toISOString(),
      author_id: agentId,
      metadata: {
        agent_turn_id: this.turnId,
        tool_call_id: toolCallId,
        step_id: stepId,
        trace_id: traceId,
        parent_step_id: 'step-parent',
      },
      tool_call_id: toolCallId,
    });
    l0.edges.push({
      projectId,
      phase: 'request',
      correlationId: toolCallId,
      recursionDepth: this.recursionDepth,
    });
    this.#waiting.add(toolCallId);
    return {
      toolCallId,
      cardId,
      subject: `cg.v1r4.${projectId}.${channelId}.cmd.tool.${target}.call`,
      payload: {
        tool_call_card_id: cardId,
        tool_name: toolName,
        ...(afterExecution && { after_execution: afterExecution }),
      },
      headers: {
        'CG-Project-Id': projectId,
        'CG-Channel-Id': channelId,
        'CG-Agent-Id': agentId,
        'CG-Turn-Id': this.turnId,
        'CG-Turn-Epoch': String(this.epoch),
        'CG-Step-Id': stepId,
        'CG-Tool-Call-Id': toolCallId,
        'CG-Recursion-Depth': String(this.recursionDepth),
        'CG-Timestamp': String(clock.now()),
        'CG-Version': 'v1r4',
        'CG-Msg-Type': 'ToolCommandPayload',
        'CG-Sender': 'worker',
        traceparent: `00-${traceId}-00000000000000b7-01`,
      },
    };
  }

  /** Publishes a command, also a second time: JetStream delivers it again then. */
  async publish({ subject, headers, payload }: Message): Promise<void> {
    const natsHeaders = createHeaders();
    for (const [name, value] of Object.entries(headers)) natsHeaders.set(name, value);
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    await jetstream(this.#settings.nats).publish(subject, text, { headers: natsHeaders });
  }

  suspend(ms: number): void {
    this.status = 'suspended';
    this.resumeDeadline = this.#settings.clock.now() + ms;
    void this.#readInbox();
  }

  /** What the watchdog does every five seconds. */
  async watch(): Promise<void> {
    const { clock } = this.#settings;
    if (this.status === 'suspended' && clock.now() >= this.resumeDeadline) {
      for (const toolCallId of this.#waiting) await this.#timeOut(toolCallId);
    }
    // A wakeup may be lost, so the watchdog looks into the inbox too.
    await this.#readInbox();
  }

  async #timeOut(toolCallId: string): Promise<void> {
    const { cards, l0, clock, projectId, channelId, agentId } = this.#settings;
    const cardId = `timeout-${toolCallId}`;
    const message = 'No result arrived in time';
    const { saved } = await cards.saveResult({
      card_id: cardId,
      project_id: projectId,
      type: 'tool.result',
      content: {
        ...{ status: 'timeout', after_execution: 'suspend', result: null },
        error: { code: 'tool_timeout', message, source: 'worker' },
      },
      created_at: new Date(clock.now()).toISOString(),
      author_id: 'worker.watchdog',
      metadata: {
        ...{ agent_turn_id: this.turnId, tool_call_id: toolCallId, role: 'tool' },
        ...{ function_name: 'unknown', step_id: `step-${this.epoch}` },
      },
      tool_call_id: toolCallId,
    });
    if (!saved) return;
    await l0.report({
      ...{ projectId, channelId, sourceAgentId: 'sys.agent_worker.watchdog', targetAgentId: agentId },
      ...{ agentTurnId: this.turnId, turnEpoch: this.epoch, toolCallId, recursionDepth: this.recursionDepth },
      traceparent: `00-${'a'.repeat(32)}-00000000000000b8-01`,
      messageType: 'timeout',
      payload: { after_execution: 'suspend', status: 'timeout', tool_result_card_id: cardId },
    });
  }

  #onWakeup(message: Message): void {
    this.wakeups.push(message);
    this.violations.push(...findViolations(message));
    void this.#readInbox();
  }

  async #readInbox(): Promise<void> {
    const { l0, projectId, agentId } = this.#settings;
    const rows = l0.inbox.filter(
      (row) => row.projectId === projectId && row.agentId === agentId && row.status === 'pending',
    );
    for (const row of rows) await this.#takeRow(row);
  }

  async #takeRow(row: InboxRow): Promise<void> {
    const { cards, projectId } = this.#settings;
    if (row.status !== 'pending') return;
    const isOfTurn = row.agentTurnId === this.turnId && row.turnEpoch === this.epoch;
    if (!isOfTurn || this.status === 'idle' || !this.#waiting.has(row.correlationId)) {
      row.status = 'consumed';
      return;
    }
    if (this.status === 'running') {
      this.#defer(row, EARLY_RETRY_MS);
      return;
    }
    row.status = 'consumed';
    const cardId = readCallback(row.payload);
    if (cardId === undefined) {
      this.#end('failed');
      return;
    }
    const card = await cards.get(projectId, cardId);
    if (card) this.#apply(row, card);
    else this.#defer(row, MISSING_CARD_RETRY_MS);
  }

  #defer(row: InboxRow, ms: number): void {
    const retries = this.#retries.get(row) ?? 0;
    if (retries === MAX_RETRIES) {
      this.#end('failed');
      return;
    }
    row.status = 'pending';
    this.#retries.set(row, retries + 1);
    this.#settings.clock.after(ms, () => void this.#takeRow(row));
  }

  #apply({ correlationId, payload }: InboxRow, { content, metadata }: Card): void {
    if (!metadata.step_id || !isRecord(content)) {
      this.#end('failed');
      return;
    }
    this.#waiting.delete(correlationId);
    const control = isRecord(content.result) ? content.result.__cg_control : undefined;
    const override = isRecord(control) ? control.after_execution : undefined;
    const afterExecution = String(override ?? payload.after_execution);
    this.applied.push({ toolCallId: correlationId, status: String(content.status), afterExecution, content });
    if (this.#waiting.size > 0) return;
    for (const resolve of this.#onResume.splice(0)) queueMicrotask(resolve);
    const terminating = this.applied.filter((result) => result.afterExecution === 'terminate');
    if (terminating.length === 0) this.status = 'running';
    else this.#end(terminating.find(({ status }) => status !== 'success')?.status ?? 'success');
  }

  #end(ending: string): void {
    for (const resolve of this.#onResume.splice(0)) queueMicrotask(resolve);
    this.status = 'idle';
    this.ending = ending;
    this.#waiting.clear();
  }
}
