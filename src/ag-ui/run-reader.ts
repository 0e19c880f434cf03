import type { AgentEvent, PendingToolCall } from '../protocol/events.ts';
import { isRecord, parseJson } from '../shared/json.ts';
import type { TransportIO } from '../transport/agent-transport.ts';
import { announceCall, decodeEvent, decodeUsage, toOutput } from './decode-event.ts';
import { createChunkExpander } from './expand-chunks.ts';
import { type AgUiMemory, writeMemory } from './memory.ts';
import {
  type AgUiEvent,
  type AgUiToolCall,
  currentTurn,
  type Interrupt,
  unansweredCalls,
} from './messages.ts';
import { type ClientCall, parseArgs, toInterruptCall } from './questions.ts';
import { ThreadBuilder } from './thread-builder.ts';

/** Reads the events of one response: what the page shows of them, the thread that the next run posts, and who has to answer what. */
export class RunReader {
  readonly #memory: AgUiMemory;
  readonly #io: TransportIO;
  /** The names of the tools that the request named. The agent's other open calls are none of the page's business. */
  readonly #tools: ReadonlySet<string>;
  readonly #thread: ThreadBuilder;
  readonly #expand = createChunkExpander();
  /** Texts, calls and results that the page has seen, by id. */
  readonly #shown = new Set<string>();
  readonly #agents = new Map<string, string>();
  readonly #legacy: Interrupt[] = [];
  #isOpened = false;
  #finished: AgUiEvent | undefined;

  /** @param memory the thread as the request posted it */
  constructor(memory: AgUiMemory, tools: ReadonlySet<string>, io: TransportIO) {
    this.#memory = memory;
    this.#tools = tools;
    this.#io = io;
    this.#thread = new ThreadBuilder(memory.posted, memory.state);
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
    const { usage, outcome } = this.#finished;
    return [...decodeUsage(usage), ...this.#endRun(isRecord(outcome) ? outcome : {})];
  }

  /** Keeps the thread as far as it has come. */
  save(): void {
    if (!this.#isOpened) return;
    const { messages, state } = this.#thread;
    const interrupts = this.#finished ? this.#interrupts() : this.#memory.interrupts;
    writeMemory(this.#io.memory, { ...this.#memory, after: messages, state, interrupts });
  }

  #readEvent(event: AgUiEvent): readonly AgentEvent[] {
    const { type } = event;
    this.#thread.add(event);
    if (type === 'RUN_FINISHED') this.#finished = event;
    if (type === 'SUBAGENT_STARTED') this.#agents.set(String(event.subagentRunId), String(event.name));
    if (type === 'CUSTOM' && event.name === 'on_interrupt') {
      this.#legacy.push(toLegacyInterrupt(event, this.#legacy.length));
      return [];
    }
    if (type === 'MESSAGES_SNAPSHOT') return this.#showMissing();
    if (type === 'TEXT_MESSAGE_START' || type === 'TEXT_MESSAGE_CONTENT')
      this.#shown.add(String(event.messageId));
    if (type === 'TOOL_CALL_START') this.#shown.add(`call ${event.toolCallId}`);
    if (type === 'TOOL_CALL_RESULT') this.#shown.add(`result ${event.toolCallId}`);
    const events = decodeEvent(event, this.#thread);
    if (events === undefined) this.#io.onUnknownEvent(event);
    return events ?? [];
  }

  /** What a model that does not stream says stands in the snapshot alone. */
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
    // Where both arrive, the outcome is the one that is answered.
    return outcome.type === 'interrupt' && Array.isArray(outcome.interrupts)
      ? outcome.interrupts.filter(isRecord).map((interrupt) => interrupt as unknown as Interrupt)
      : outcome.type === 'success'
        ? this.#legacy
        : [];
  }

  #endRun(outcome: Readonly<Record<string, unknown>>): readonly AgentEvent[] {
    const executionId = this.#runId;
    const { type = 'success' } = outcome;
    if (type === 'cancelled')
      return [
        { type: 'notice', code: 'cancelled', text: 'The run was cancelled.' },
        { type: 'finish', finishReason: 'other', executionId },
      ];
    const interrupts = this.#interrupts().map((interrupt) => this.#toQuestion(interrupt));
    const asked = new Set(interrupts.map(({ toolCallId }) => toolCallId));
    const calls = this.#openCalls(outcome).filter(({ id }) => !asked.has(id));
    const mine = calls.filter(({ function: { name } }) => this.#tools.has(name)).map(toClientCall);
    const toolCalls = [...mine, ...interrupts];
    if (toolCalls.length > 0)
      return [
        { type: 'client-tool-request', executionId, toolCalls },
        { type: 'finish', finishReason: 'client-tool-calls', executionId },
      ];
    const isKnown = type === 'success' || type === 'interrupt';
    return [{ type: 'finish', finishReason: isKnown ? 'stop' : 'other', executionId }];
  }

  /** The calls without a result: those that the agent names, else all of this turn. */
  #openCalls({ pendingToolCallIds }: Readonly<Record<string, unknown>>): readonly AgUiToolCall[] {
    const named = Array.isArray(pendingToolCallIds) ? pendingToolCallIds : [];
    const open = unansweredCalls(currentTurn(this.#thread.messages));
    return named.length === 0 ? open : open.filter(({ id }) => named.includes(id));
  }

  #toQuestion(interrupt: Interrupt): PendingToolCall {
    const { toolCallId = '', subagentRunId = '' } = interrupt;
    const call = this.#thread.findCall(toolCallId);
    const isClientTool = call !== undefined && this.#tools.has(call.function.name);
    const origin = this.#agents.get(subagentRunId);
    return { ...toInterruptCall(interrupt, call, isClientTool), ...(origin !== undefined && { origin }) };
  }
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

/** The value is a text, or the JSON of an object. */
function toLegacyInterrupt({ value, rawEvent }: AgUiEvent, index: number): Interrupt {
  const json = typeof value === 'string' ? parseJson(value, value) : value;
  const id = isRecord(rawEvent) && typeof rawEvent.id === 'string' ? rawEvent.id : `on_interrupt-${index}`;
  const given = isRecord(json) ? json : {};
  const message = [given.message, given.question, json].find((text) => typeof text === 'string');
  return {
    id,
    reason: typeof given.reason === 'string' ? given.reason : 'on_interrupt',
    ...(message !== undefined && { message }),
    ...(typeof given.toolCallId === 'string' && { toolCallId: given.toolCallId }),
    ...(isRecord(given.responseSchema) && { responseSchema: given.responseSchema }),
    legacyValue: value,
  };
}
