/** Decodes the frames and the rows of a thread to the events of one run: everything after the message that started it. */
import type { AgentEvent, TokenUsage } from '../../core/protocol/events.ts';
import { compact, isRecord } from '../../shared/json.ts';
import { addUsage } from './add-usage.ts';
import { decodeProviderTool } from './decode-provider-tool.ts';
import { RowDecoder } from './row-decoder.ts';
import type { RunName } from './run-name.ts';
import type { RunPosition } from './run-position.ts';
import { isName, readRow, type ThreadRow } from './thread-row.ts';
import { type ClientCall, readClientCall, type ThreadSnapshot } from './thread-snapshot.ts';

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
  readonly #rows: RowDecoder;
  /** Rows that are not shown: those of earlier runs, silent ones, and messages of people. */
  readonly #hidden = new Set<string>();
  /** Calls of this client that the agent waits for no longer. */
  readonly #closedCalls = new Set<string>();
  /** The time of the message that started the run. Undefined until the server has begun with it. */
  #startedAt: number | undefined;
  #usage: TokenUsage = {};
  #cursor: string;

  constructor(options: RunDecoderOptions) {
    this.#options = options;
    this.#rows = new RowDecoder(options.position, options.threadUrl);
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
    const ids = own.filter((row) => !isHidden(row)).map(({ id }) => id);
    position.addRows(ids);
    // A server that crashed writes the message anew, in another row.
    for (const id of position.forgetMissing(ids)) yield this.#mark([{ type: 'text-end', id, text: '' }]);
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
    if (type === 'message_data') {
      const row = readRow(frame.message);
      return row === undefined ? this.#refuse(frame) : this.#readRow(row);
    }
    if (this.#startedAt === undefined) return [];
    switch (type) {
      case 'message_chunk':
        return this.#readChunk(frame);
      case 'provider-tool-done':
        return this.#isShown(String(messageId))
          ? (decodeProviderTool(frame.tool) ?? this.#refuse(frame))
          : [];
      case 'telemetry':
        this.#usage = addUsage(this.#usage, frame);
        return [{ type: 'usage', usage: this.#usage }];
      case 'custom':
        return this.#readCustomEvent(frame);
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
    return !this.#hidden.has(rowId) && !position.isComplete(rowId);
  }

  #readRow(row: ThreadRow): readonly AgentEvent[] {
    if (row.id === this.#options.run.messageId) {
      this.#readStart(row);
      return [];
    }
    if (this.#startedAt === undefined || isHidden(row)) this.#hidden.add(row.id);
    if (this.#hidden.has(row.id)) return [];
    return this.#rows.decodeRow(row);
  }

  #readChunk(frame: Frame): readonly AgentEvent[] {
    const { messageId, chunk, index, kind } = frame;
    if (!isName(messageId) || typeof chunk !== 'string' || typeof index !== 'number')
      return this.#refuse(frame);
    if (!this.#isShown(messageId)) return [];
    return this.#rows.decodeChunk(messageId, index, chunk, kind === 'reasoning');
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
    const call = { toolCallId: id, toolName: name, args, deadline, origin: this.#rows.callerOf(id) };
    return [{ type: 'client-tool-request', executionId: run.executionId, toolCalls: [compact(call)] }];
  }

  /** Tells the engine that the agent waits no longer. If this page has answered the call, the engine knows already. */
  #closeCall(toolCallId: string): readonly AgentEvent[] {
    if (this.#closedCalls.has(toolCallId)) return [];
    this.#closedCalls.add(toolCallId);
    return [{ type: 'tool-result-acknowledged', toolCallId, status: 'duplicate' }];
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

/** Silent rows are for the model, and rows of people are shown by the page that sent them. */
function isHidden({ role, isSilent }: ThreadRow): boolean {
  return isSilent || (role !== 'assistant' && role !== 'tool');
}
