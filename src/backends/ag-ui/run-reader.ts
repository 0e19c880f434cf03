import type { AgentEvent, FinishReason, PendingToolCall, TokenUsage } from '../../core/protocol/events.ts';
import { addTokenUsage, readTokenUsage } from '../../core/protocol/token-usage.ts';
import type { TransportIO } from '../../core/transport/agent-transport.ts';
import { isRecord } from '../../shared/json.ts';
import { Activities } from './activities.ts';
import { announceCall, byWorker, decodeEvent, toOutput } from './decode-event.ts';
import { createChunkExpander } from './expand-chunks.ts';
import { toLegacyInterrupt } from './legacy-interrupt.ts';
import { type AgUiMemory, writeMemory } from './memory.ts';
import {
  type AgUiEvent,
  type AgUiToolCall,
  currentTurn,
  type Interrupt,
  unansweredCalls,
} from './messages.ts';
import { OpenMessages } from './open-messages.ts';
import { type ClientCall, parseArgs, toInterruptCall } from './questions.ts';
import { ThreadBuilder } from './thread-builder.ts';

/** Reads the events of one response: what the page shows of them, the thread that the next run posts, and who has to answer what. */
export class RunReader {
  readonly #memory: AgUiMemory;
  readonly #io: TransportIO;
  /** The names of the tools that the request named. The agent's other open calls are none of the page's business. */
  readonly #tools: ReadonlySet<string>;
  readonly #thread: ThreadBuilder;
  readonly #activities: Activities;
  readonly #expand = createChunkExpander();
  /** Texts, calls and results that the page has seen, by id. */
  readonly #shown = new Set<string>();
  readonly #agents = new Map<string, string>();
  readonly #legacy: Interrupt[] = [];
  readonly #open = new OpenMessages();
  /** The usage of the turn: each answer is a run of its own, and some servers end a run, go on, and end it again. */
  #usage: TokenUsage | undefined;
  #isOpened = false;
  #hasRunStarted = false;
  /** True once the thread is whole. From then on the memory belongs to the next request. */
  #isKept = false;
  #finished: AgUiEvent | undefined;

  /** @param memory the thread as the request posted it */
  constructor(memory: AgUiMemory, tools: ReadonlySet<string>, io: TransportIO) {
    this.#memory = memory;
    this.#tools = tools;
    this.#io = io;
    this.#usage = memory.usage;
    this.#thread = new ThreadBuilder(memory.posted, memory.state);
    this.#activities = new Activities(memory.activities ?? []);
  }

  get #runId(): string {
    return this.#memory.runId ?? '';
  }

  read(events: readonly AgUiEvent[]): readonly AgentEvent[] {
    const opening: AgentEvent[] =
      this.#isOpened || events.length === 0 ? [] : [{ type: 'start', executionId: this.#runId }];
    this.#isOpened ||= events.length > 0;
    return [...opening, ...events.flatMap(this.#expand).flatMap((event) => this.#readEvent(event))];
  }

  /** Returns the events that end the run or ask for answers; none for a response that was cut. */
  end(): readonly AgentEvent[] {
    if (this.#finished === undefined) return [];
    const { outcome } = this.#finished;
    // Kept before the calls are told of: some are answered at once, and the answer is written into this thread.
    this.save();
    this.#isKept = true;
    return [...this.#tellUsage(), ...this.#endRun(isRecord(outcome) ? outcome : {})];
  }

  /** Keeps the thread as far as it has come. */
  save(): void {
    if (!this.#isOpened || this.#isKept) return;
    const { messages, state } = this.#thread;
    const interrupts = this.#finished ? this.#interrupts() : this.#memory.interrupts;
    const usage = this.#usage;
    writeMemory(this.#io.memory, {
      ...this.#memory,
      after: messages,
      state,
      interrupts,
      activities: this.#activities.all,
      ...(usage !== undefined && { usage }),
    });
  }

  #readEvent(event: AgUiEvent): readonly AgentEvent[] {
    const { type } = event;
    this.#thread.add(event);
    this.#open.add(event);
    this.#hasRunStarted ||= type === 'RUN_STARTED';
    if (type === 'RUN_FINISHED') return this.#finish(event);
    if (type === 'RUN_ERROR') this.#addUsage(event);
    if (type === 'SUBAGENT_STARTED') this.#agents.set(String(event.subagentRunId), String(event.name));
    if (type === 'CUSTOM' && event.name === 'on_interrupt') {
      this.#legacy.push(toLegacyInterrupt(event, this.#legacy.length));
      return [];
    }
    if (type === 'ACTIVITY_SNAPSHOT' || type === 'ACTIVITY_DELTA')
      return byWorker(event, this.#activities.read(event));
    if (type === 'MESSAGES_SNAPSHOT')
      return [...this.#activities.readSnapshot(event), ...this.#showMissing()];
    if (type === 'TEXT_MESSAGE_START' || type === 'TEXT_MESSAGE_CONTENT')
      this.#shown.add(String(event.messageId));
    if (type === 'TOOL_CALL_START') this.#shown.add(`call ${event.toolCallId}`);
    if (type === 'TOOL_CALL_RESULT') this.#shown.add(`result ${event.toolCallId}`);
    const events = decodeEvent(event, this.#thread);
    if (events === undefined) this.#io.onUnknownEvent(event);
    return [...(type === 'RUN_ERROR' ? this.#tellUsage() : []), ...(events ?? [])];
  }

  /** Adds the usage of a run, which has one entry per model. */
  #addUsage({ usage }: AgUiEvent): void {
    for (const entry of [usage ?? []].flat())
      this.#usage = addTokenUsage(this.#usage ?? {}, readTokenUsage(entry) ?? {});
  }

  #tellUsage(): readonly AgentEvent[] {
    return this.#usage === undefined ? [] : [{ type: 'usage', usage: this.#usage }];
  }

  #finish(event: AgUiEvent): readonly AgentEvent[] {
    this.#finished = event;
    this.#addUsage(event);
    const ends = this.#open.takeEnds();
    const notices: AgentEvent[] = [];
    if (ends.length > 0)
      notices.push(toNotice('unclosed_message', 'The run ended within a message or a call.'));
    if (!this.#hasRunStarted)
      notices.push(toNotice('missing_run_started', 'The run began without RUN_STARTED.'));
    return [...ends.flatMap((end) => this.#readEvent(end)), ...notices];
  }

  /** Shows what stands in the snapshot alone, because the model does not stream. */
  #showMissing(): readonly AgentEvent[] {
    const posted = new Set(this.#memory.posted.map(({ id }) => id));
    const isNew = (key: string) => !this.#shown.has(key) && this.#shown.add(key);
    return currentTurn(this.#thread.messages)
      .filter(({ id }) => !posted.has(id))
      .flatMap(({ id, role, content, toolCalls = [], toolCallId }): readonly AgentEvent[] => {
        if (role === 'tool' && toolCallId !== undefined)
          return isNew(`result ${toolCallId}`)
            ? [{ type: 'tool-output-available', toolCallId, output: toOutput(content) }]
            : [];
        if (role !== 'assistant') return [];
        const text: AgentEvent[] =
          typeof content === 'string' && content !== '' && isNew(id)
            ? [
                { type: 'text-delta', id, delta: content },
                { type: 'text-end', id },
              ]
            : [];
        const calls = toolCalls.filter((call) => isNew(`call ${call.id}`));
        return [...text, ...calls.flatMap((call) => announceCall(call.id, this.#thread))];
      });
  }

  #interrupts(): readonly Interrupt[] {
    const outcome = this.#finished?.outcome;
    if (!isRecord(outcome)) return this.#legacy;
    // The outcome is answered where both arrive.
    return outcome.type === 'interrupt' && Array.isArray(outcome.interrupts)
      ? outcome.interrupts.filter(isRecord).map((interrupt) => interrupt as unknown as Interrupt)
      : outcome.type === 'success'
        ? this.#legacy
        : [];
  }

  #endRun(outcome: Readonly<Record<string, unknown>>): readonly AgentEvent[] {
    const executionId = this.#runId;
    const { type = 'success' } = outcome;
    const finish = (finishReason: FinishReason): AgentEvent => ({
      type: 'finish',
      finishReason,
      executionId,
    });
    if (type === 'cancelled') return [toNotice('cancelled', 'The run was cancelled.'), finish('other')];
    const interrupts = this.#interrupts().map((interrupt) => this.#toQuestion(interrupt));
    const asked = new Set(interrupts.map(({ toolCallId }) => toolCallId));
    const calls = this.#openCalls(outcome).filter(({ id }) => !asked.has(id));
    const isMine = ({ function: { name } }: AgUiToolCall) => this.#tools.has(name);
    const toolCalls = [...calls.filter(isMine).map(toClientCall), ...interrupts];
    if (toolCalls.length > 0)
      return [{ type: 'client-tool-request', executionId, toolCalls }, finish('client-tool-calls')];
    const notices = calls.map((call) =>
      toNotice('unanswered_call', `No result of ${call.function.name}.`, call.id),
    );
    if (type === 'success' || type === 'interrupt') return [...notices, finish('stop')];
    return [...notices, toNotice('unknown_outcome', `The run ended as "${type}".`), finish('other')];
  }

  /** The calls without a result: those that the agent names, else all of this turn that no answer to a question has settled. */
  #openCalls({ pendingToolCallIds }: Readonly<Record<string, unknown>>): readonly AgUiToolCall[] {
    const named = Array.isArray(pendingToolCallIds) ? pendingToolCallIds : [];
    const { answeredCalls = [] } = this.#memory;
    const open = unansweredCalls(currentTurn(this.#thread.messages));
    return open.filter(({ id }) => (named.length > 0 ? named.includes(id) : !answeredCalls.includes(id)));
  }

  #toQuestion(interrupt: Interrupt): PendingToolCall {
    const { toolCallId = '', subagentRunId = '' } = interrupt;
    const call = this.#thread.findCall(toolCallId);
    const isClientTool = call !== undefined && this.#tools.has(call.function.name);
    const origin = this.#agents.get(subagentRunId);
    return { ...toInterruptCall(interrupt, call, isClientTool), ...(origin !== undefined && { origin }) };
  }
}

function toNotice(code: string, text: string, toolCallId?: string): AgentEvent {
  return { type: 'notice', code, text, toolCallId };
}

function toClientCall(call: AgUiToolCall): ClientCall {
  const args = parseArgs(call);
  return {
    toolCallId: call.id,
    toolName: call.function.name,
    args: args ?? {},
    ...(!args && { hasBrokenArgs: true }),
  };
}
