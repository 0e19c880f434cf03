/** Decodes rows and their chunks to the parts of a message (Standard Agents, section "Messages and content"). */
import type { AgentEvent } from '../../core/protocol/events.ts';
import { decodeProviderTool } from './decode-provider-tool.ts';
import type { RowProgress, RunPosition } from './run-position.ts';
import { toFileEvent } from './thread-files.ts';
import { parseText, type RowCall, type ThreadRow } from './thread-row.ts';

/** The tool by which the kit gives the agent an answer. Its calls are not shown: the answered call is. */
const ANSWER_TOOL = 'client_tool_answer';

export class RowDecoder {
  readonly #position: RunPosition;
  readonly #threadUrl: string;
  /** The subagents of rows, by row id. The agent of the thread has none. */
  readonly #workers = new Map<string, string>();
  readonly #shownWorkers = new Set<string>();
  /** The calls that are shown, with the name of the subagent that made them. */
  readonly #calls = new Map<string, string | undefined>();

  /** @param threadUrl the address of the thread, for links to its files */
  constructor(position: RunPosition, threadUrl: string) {
    this.#position = position;
    this.#threadUrl = threadUrl;
  }

  /** Returns the events of a row as far as it is new. */
  decodeRow(row: ThreadRow): readonly AgentEvent[] {
    const position = this.#position;
    const worker = this.#readWorker(row);
    if (position.isComplete(row.id)) {
      for (const { id } of row.toolCalls) this.#noteCall(id, row);
      return [];
    }
    position.beginRow(row.id);
    const events = row.role === 'tool' ? this.#readResult(row) : this.#readMessage(row);
    if (row.status !== 'pending') position.completeRow(row.id);
    return [...worker, ...events.map((event) => this.#toWorker(row.id, event))];
  }

  /** Returns the events of the chunks that can be shown now. A chunk behind a gap waits for the one before it, or for the row. */
  decodeChunk(rowId: string, index: number, text: string, isReasoning: boolean): readonly AgentEvent[] {
    const progress = this.#position.beginRow(rowId);
    if (index >= progress.nextIndex) progress.waiting.set(index, { text, isReasoning });
    return [...takeChunks(rowId, progress)].map((event) => this.#toWorker(rowId, event));
  }

  /** Returns the name of the subagent that made a call, if one did. */
  callerOf(toolCallId: string): string | undefined {
    return this.#calls.get(toolCallId);
  }

  /** A row of a subagent belongs to the thread of the call that started it, or of a block with its name. */
  #readWorker({ id, depth, parentId, name = 'subagent' }: ThreadRow): readonly AgentEvent[] {
    if (depth === 0) return [];
    const workerId = parentId ?? `depth-${depth}`;
    this.#workers.set(id, workerId);
    if (this.#calls.has(workerId) || this.#shownWorkers.has(workerId)) return [];
    this.#shownWorkers.add(workerId);
    // Before a reload, the block was shown with this row.
    if (this.#position.hasBegun(id)) return [];
    const block = { blockId: workerId, blockName: name, blockType: 'subagent', display: 'name' };
    return [{ type: 'block-start', ...block, isOperation: true, workerId }];
  }

  #toWorker(rowId: string, event: AgentEvent): AgentEvent {
    const workerId = this.#workers.get(rowId);
    return workerId === undefined ? event : { ...event, workerId };
  }

  #readMessage(row: ThreadRow): readonly AgentEvent[] {
    return [
      ...(row.status === 'pending' ? [] : this.#completeTexts(row)),
      ...row.providerTools.flatMap((tool) => decodeProviderTool(tool) ?? []),
      ...row.attachments.map((file) => toFileEvent(file, this.#threadUrl)),
      ...row.toolCalls.flatMap((call) => this.#announceCall(call, row)),
    ];
  }

  /** The complete row replaces what its chunks brought. */
  #completeTexts({ id, reasoning, content }: ThreadRow): readonly AgentEvent[] {
    const events: AgentEvent[] = [];
    const delta = reasoning.slice(this.#position.beginRow(id).reasoningLength);
    if (delta !== '') events.push({ type: 'reasoning-delta', id, delta });
    if (reasoning !== '') events.push({ type: 'reasoning-end', id });
    if (content !== '') events.push({ type: 'text-start', id }, { type: 'text-end', id, text: content });
    return events;
  }

  #announceCall({ id, name, args }: RowCall, row: ThreadRow): readonly AgentEvent[] {
    if (this.#calls.has(id)) return [];
    this.#noteCall(id, row);
    if (name === ANSWER_TOOL) return [];
    const by = name.startsWith('provider:') ? { providerExecuted: true } : {};
    return [{ type: 'tool-input-available', toolCallId: id, toolName: name, input: args, ...by }];
  }

  #noteCall(toolCallId: string, { depth, name }: ThreadRow): void {
    this.#calls.set(toolCallId, depth > 0 ? name : undefined);
  }

  #readResult({ toolCallId, content, isToolError, attachments, status }: ThreadRow): readonly AgentEvent[] {
    if (toolCallId === undefined || status === 'pending') return [];
    // The result of a client tool is what this page answered, or a text for the model that the call waits.
    if (this.#position.requested.has(toolCallId)) return [];
    const error = content === '' ? 'The tool failed without saying why.' : content;
    return [
      isToolError
        ? { type: 'tool-output-error', toolCallId, error }
        : { type: 'tool-output-available', toolCallId, output: parseText(content) },
      ...attachments.map((file) => toFileEvent(file, this.#threadUrl, toolCallId)),
    ];
  }
}

function* takeChunks(id: string, progress: RowProgress): Generator<AgentEvent> {
  for (;;) {
    const chunk = progress.waiting.get(progress.nextIndex);
    if (chunk === undefined) return;
    progress.waiting.delete(progress.nextIndex);
    progress.nextIndex += 1;
    if (chunk.isReasoning) progress.reasoningLength += chunk.text.length;
    yield { type: chunk.isReasoning ? 'reasoning-delta' : 'text-delta', id, delta: chunk.text };
  }
}
