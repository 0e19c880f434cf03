/** Decodes the rows and frames of a thread to the events of one run: everything after the message that started it. */
import type { AgentEvent, TokenUsage } from '../protocol/events.ts';
import { compact, isRecord } from '../shared/json.ts';
import { decodeProviderTool } from './decode-provider-tool.ts';
import type { RunName } from './run-name.ts';
import type { RowProgress, RunPosition } from './run-position.ts';
import { toFileEvent } from './thread-files.ts';
import { isName, parseText, type RowCall, readRow, type ThreadRow } from './thread-row.ts';
import { type ClientCall, readClientCall, type ThreadSnapshot } from './thread-snapshot.ts';

/** The tool by which the kit gives the agent an answer. Its calls are not shown: the answered call is. */
const ANSWER_TOOL = 'client_tool_answer';

export type Frame = Readonly<Record<string, unknown>>;

interface RunDecoderOptions {
  readonly run: RunName;
  readonly position: RunPosition;
  /** The address of the thread, for links to its files. */
  readonly threadUrl: string;
  readonly onUnknownEvent: (event: unknown) => void;
}

export class RunDecoder {
  readonly #options: RunDecoderOptions;
  /** Rows that are not shown: those of earlier runs, silent ones, and messages of people. */
  readonly #hidden = new Set<string>();
  /** The subagents of rows, by row id. The agent of the thread has none. */
  readonly #workers = new Map<string, string>();
  /** The calls that are shown, with the name of the subagent that made them. */
  readonly #calls = new Map<string, string | undefined>();
  readonly #shownWorkers = new Set<string>();
  /** Calls of this client that the agent waits for no longer. */
  readonly #closedCalls = new Set<string>();
  /** The time of the message that started the run. Undefined until the server has begun with it. */
  #startedAt: number | undefined;
  #usage: TokenUsage = {};
  #cursor: string;

  constructor(options: RunDecoderOptions) {
    this.#options = options;
    this.#cursor = options.position.encode();
  }

  /** Decodes one frame of the stream. */
  decodeFrame(frame: Frame): readonly AgentEvent[] {
    return this.#mark(this.#readFrame(frame));
  }

  /** Decodes the whole thread, for a page that missed frames. The last event of each array has the cursor after it. */
  *decodeSnapshot({ rows, calls }: ThreadSnapshot): Generator<readonly AgentEvent[]> {
    const { run, position } = this.#options;
    const start = rows.findIndex(({ id }) => id === run.messageId);
    for (const { id } of rows.slice(0, Math.max(start, 0))) this.#hidden.add(id);
    const [first, ...own] = start < 0 ? [] : rows.slice(start);
    if (first !== undefined) this.#readStart(first);
    if (this.#startedAt === undefined) return;
    position.addRows(own.filter((row) => !isHidden(row)).map(({ id }) => id));
    const pending = this.#ownCalls(calls);
    const waiting = new Set(pending.map(({ id }) => id));
    // A call that waits must not be shown with the text that its tool returned to the model meanwhile.
    const readable = own.filter(({ toolCallId }) => toolCallId === undefined || !waiting.has(toolCallId));
    for (const row of readable) yield this.#mark(this.#readRow(row));
    for (const call of pending) yield this.#mark(this.#requestCall(call));
    for (const id of position.requested) if (!waiting.has(id)) yield this.#closeCall(id);
  }

  /** Returns how the run stands, as far as a snapshot tells. */
  judge({ status, rows, calls }: ThreadSnapshot): 'goes-on' | 'finished' | 'failed' | 'unsettled' {
    if (this.#startedAt === undefined || status === 'running') return 'goes-on';
    if (this.#ownCalls(calls).length > 0) return 'goes-on';
    const last = rows.findLast((row) => row.depth === 0 && !this.#hidden.has(row.id));
    if (last?.status === 'failed') return 'failed';
    const isFinal = last?.role === 'assistant' && last.status === 'completed' && last.toolCalls.length === 0;
    if (isFinal) return 'finished';
    if (status !== 'idle') return 'goes-on';
    // The server has an answer and has not begun to go on with it, or a stop tool has ended the run.
    return 'unsettled';
  }

  #readFrame(frame: Frame): readonly AgentEvent[] {
    const { type, messageId } = frame;
    switch (type) {
      case 'message_data': {
        const row = readRow(frame.message);
        return row === undefined ? this.#refuse(frame) : this.#readRow(row);
      }
      case 'message_chunk':
        return this.#readChunk(frame);
      case 'provider-tool-done':
        return this.#isShown(String(messageId))
          ? (decodeProviderTool(frame.tool) ?? this.#refuse(frame))
          : [];
      case 'telemetry':
        return this.#startedAt === undefined ? [] : [this.#addUsage(frame)];
      case 'custom':
        return this.#startedAt === undefined ? [] : this.#readCustomEvent(frame);
      case 'status':
      case 'ping':
      case 'pong':
        return [];
      default:
        return this.#refuse(frame);
    }
  }

  #refuse(frame: Frame): readonly AgentEvent[] {
    this.#options.onUnknownEvent(frame);
    return [];
  }

  #readStart({ createdAt, status }: ThreadRow): void {
    // A message that waits in the queue is pending: what the agent says until then belongs to the message before.
    if (status !== 'pending') this.#startedAt ??= createdAt;
  }

  #isShown(rowId: string): boolean {
    const { position } = this.#options;
    return this.#startedAt !== undefined && !this.#hidden.has(rowId) && !position.isComplete(rowId);
  }

  #readRow(row: ThreadRow): readonly AgentEvent[] {
    const { run, position } = this.#options;
    if (row.id === run.messageId) {
      this.#readStart(row);
      return [];
    }
    if (this.#startedAt === undefined || isHidden(row)) this.#hidden.add(row.id);
    if (this.#hidden.has(row.id)) return [];
    const worker = this.#readWorker(row);
    if (position.isComplete(row.id)) {
      for (const { id } of row.toolCalls) this.#calls.set(id, row.name);
      return [];
    }
    position.addRows([row.id]);
    position.progressOf(row.id);
    const events = row.role === 'tool' ? this.#readResult(row) : this.#readMessage(row);
    if (row.status !== 'pending') position.completeRow(row.id);
    return [...worker, ...events.map((event) => this.#toWorker(row.id, event))];
  }

  /** A row of a subagent belongs to the thread of the call that started it, or of a block with its name. */
  #readWorker({ id, depth, parentId, name = 'subagent' }: ThreadRow): readonly AgentEvent[] {
    if (depth === 0) return [];
    const workerId = parentId ?? `depth-${depth}`;
    this.#workers.set(id, workerId);
    if (this.#calls.has(workerId) || this.#shownWorkers.has(workerId)) return [];
    this.#shownWorkers.add(workerId);
    // Before a reload, the block was shown with this row.
    if (this.#options.position.hasBegun(id)) return [];
    return [
      {
        type: 'block-start',
        blockId: workerId,
        blockName: name,
        blockType: 'subagent',
        display: 'name',
        isOperation: true,
        workerId,
      },
    ];
  }

  #toWorker(rowId: string, event: AgentEvent): AgentEvent {
    const workerId = this.#workers.get(rowId);
    return workerId === undefined ? event : { ...event, workerId };
  }

  #readMessage(row: ThreadRow): readonly AgentEvent[] {
    const { threadUrl } = this.#options;
    return [
      ...(row.status === 'pending' ? [] : this.#completeTexts(row)),
      ...row.providerTools.flatMap((tool) => decodeProviderTool(tool) ?? []),
      ...row.attachments.map((file) => toFileEvent(file, threadUrl)),
      ...row.toolCalls.flatMap((call) => this.#announceCall(call, row)),
    ];
  }

  /** The complete row replaces what its chunks brought. */
  #completeTexts({ id, reasoning, content }: ThreadRow): readonly AgentEvent[] {
    const { reasoningLength } = this.#options.position.progressOf(id);
    const events: AgentEvent[] = [];
    const delta = reasoning.slice(reasoningLength);
    if (delta !== '') events.push({ type: 'reasoning-delta', id, delta });
    if (reasoning !== '') events.push({ type: 'reasoning-end', id });
    if (content !== '') events.push({ type: 'text-start', id }, { type: 'text-end', id, text: content });
    return events;
  }

  #announceCall({ id, name, args }: RowCall, row: ThreadRow): readonly AgentEvent[] {
    if (this.#calls.has(id)) return [];
    this.#calls.set(id, row.depth > 0 ? row.name : undefined);
    if (name === ANSWER_TOOL) return [];
    const isOfProvider = name.startsWith('provider:');
    return [
      {
        type: 'tool-input-available',
        toolCallId: id,
        toolName: name,
        input: args,
        ...(isOfProvider && { providerExecuted: true }),
      },
    ];
  }

  #readResult(row: ThreadRow): readonly AgentEvent[] {
    const { toolCallId, content, isToolError, attachments } = row;
    // The result of a client tool is what this page answered, or a text for the model that the call waits.
    if (toolCallId === undefined || row.status === 'pending') return [];
    if (this.#options.position.requested.has(toolCallId)) return [];
    const files = attachments.map((file) => toFileEvent(file, this.#options.threadUrl, toolCallId));
    const error = content === '' ? 'The tool failed without saying why.' : content;
    return [
      isToolError
        ? { type: 'tool-output-error', toolCallId, error }
        : { type: 'tool-output-available', toolCallId, output: parseText(content) },
      ...files,
    ];
  }

  #readChunk(frame: Frame): readonly AgentEvent[] {
    const { messageId, chunk, index, kind } = frame;
    if (!isName(messageId) || typeof chunk !== 'string' || typeof index !== 'number')
      return this.#refuse(frame);
    if (!this.#isShown(messageId)) return [];
    this.#options.position.addRows([messageId]);
    const progress = this.#options.position.progressOf(messageId);
    if (index >= progress.nextIndex) {
      progress.waiting.set(index, { text: chunk, isReasoning: kind === 'reasoning' });
    }
    const events = [...takeChunks(messageId, progress)];
    return events.map((event) => this.#toWorker(messageId, event));
  }

  #readCustomEvent(frame: Frame): readonly AgentEvent[] {
    const { eventType, data } = frame;
    const fields = isRecord(data) ? data : {};
    switch (eventType) {
      case 'client_tool_request': {
        const call = readClientCall(data);
        return call === undefined ? this.#refuse(frame) : this.#requestCall(call);
      }
      case 'client_tool_answered':
        return this.#options.position.requested.has(String(fields.id))
          ? this.#closeCall(String(fields.id))
          : [];
      case 'resource-update':
        if (!isName(fields.name)) return this.#refuse(frame);
        return [{ type: 'resource-update', name: fields.name, value: fields.value }];
      default:
        return this.#refuse(frame);
    }
  }

  /** The calls that this run made. A call of an earlier run, whose stop the server did not hear, may still be in the list. */
  #ownCalls(calls: readonly ClientCall[]): readonly ClientCall[] {
    const startedAt = Math.floor(this.#startedAt ?? 0);
    return calls.filter(({ requestedAt = startedAt }) => requestedAt >= startedAt);
  }

  #requestCall({ id, name, args, deadline }: ClientCall): readonly AgentEvent[] {
    const { run, position } = this.#options;
    if (position.requested.has(id)) return [];
    position.addRequested(id);
    const call = { toolCallId: id, toolName: name, args, deadline, origin: this.#calls.get(id) };
    return [{ type: 'client-tool-request', executionId: run.executionId, toolCalls: [compact(call)] }];
  }

  /** Tells the engine that the agent waits no longer. If this page has answered the call, the engine knows already. */
  #closeCall(toolCallId: string): readonly AgentEvent[] {
    if (this.#closedCalls.has(toolCallId)) return [];
    this.#closedCalls.add(toolCallId);
    return [{ type: 'tool-result-acknowledged', toolCallId, status: 'duplicate' }];
  }

  #addUsage({ model, inputTokens, outputTokens, cached }: Frame): AgentEvent {
    const { inputTokens: input, outputTokens: output, cachedInputTokens, turns = 0 } = this.#usage;
    const inputSum = add(input, inputTokens);
    const outputSum = add(output, outputTokens);
    this.#usage = compact({
      inputTokens: inputSum,
      outputTokens: outputSum,
      totalTokens: add(inputSum, outputSum),
      cachedInputTokens: add(cachedInputTokens, cached),
      turns: turns + 1,
      model: isName(model) ? model : undefined,
    });
    return { type: 'usage', usage: this.#usage };
  }

  /** Gives the last event the cursor after it, unless nothing moved: the reader takes an event with a known cursor for a repeat. */
  #mark(events: readonly AgentEvent[]): readonly AgentEvent[] {
    const last = events.at(-1);
    if (last === undefined) return events;
    const cursor = this.#options.position.encode();
    if (cursor === this.#cursor) return events;
    this.#cursor = cursor;
    return [...events.slice(0, -1), { ...last, cursor }];
  }
}

/** Takes the chunks that follow each other. A chunk behind a gap waits for the chunk before it, or for the complete row. */
function* takeChunks(id: string, progress: RowProgress): Generator<AgentEvent> {
  for (;;) {
    const chunk = progress.waiting.get(progress.nextIndex);
    if (chunk === undefined) return;
    progress.waiting.delete(progress.nextIndex);
    progress.nextIndex += 1;
    if (chunk.isReasoning) {
      progress.reasoningLength += chunk.text.length;
      yield { type: 'reasoning-delta', id, delta: chunk.text };
    } else yield { type: 'text-delta', id, delta: chunk.text };
  }
}

/** Silent rows are for the model, and rows of people are shown by the page that sent them. */
function isHidden({ role, isSilent }: ThreadRow): boolean {
  return isSilent || (role !== 'assistant' && role !== 'tool');
}

function add(sum: number | undefined, tokens: unknown): number | undefined {
  return typeof tokens === 'number' ? (sum ?? 0) + tokens : sum;
}
