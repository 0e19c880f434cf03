/**
 * Builds the assistant message out of chunks, as the client of the AI SDK does: the server gets this message back with the next request.
 * A table of what each chunk does to the parts is in the AI SDK's documentation, "Stream Protocols".
 */

import { createId } from '../../shared/ids.ts';
import { compact, isRecord } from '../../shared/json.ts';
import { type AiSdkChunk, type AiSdkMessage, type AiSdkPart, isToolPart } from './ui-message.ts';

type MutablePart = { type: string; [key: string]: unknown };

/** The assistant message that a response writes. */
export class MessageBuilder {
  /** True if the response continues a message. That keeps its id, whatever the server calls it. */
  readonly #continues: boolean;
  #id: string | undefined;
  #metadata: unknown;
  #parts: MutablePart[];
  /** The open texts and reasonings by their key. */
  readonly #open = new Map<string, MutablePart>();

  /** @param before the message that the response continues; undefined for a new one */
  constructor(before: AiSdkMessage | undefined) {
    this.#continues = before !== undefined;
    this.#id = before?.id;
    this.#metadata = before?.metadata;
    this.#parts = structuredClone((before?.parts ?? []) as MutablePart[]);
  }

  /** Returns the message as it is now. It shares its parts with the builder. */
  read(): AiSdkMessage {
    this.#id ??= createId();
    const message = { id: this.#id, role: 'assistant', parts: this.#parts, metadata: this.#metadata };
    return compact(message) as AiSdkMessage;
  }

  /** True for news of a call that the message does not have. */
  isStray(chunk: AiSdkChunk): boolean {
    return /^tool-(output|approval)/.test(chunk.type) && findToolPart(this.#parts, chunk) === undefined;
  }

  /** True for a piece of a text that has no beginning. The text begins with it. */
  isUnopened(chunk: AiSdkChunk): boolean {
    return /^(text|reasoning)-delta$/.test(chunk.type) && !this.#open.has(keyOf(chunk));
  }

  add(chunk: AiSdkChunk): void {
    switch (chunk.type) {
      case 'start':
        if (!this.#continues && typeof chunk.messageId === 'string') this.#id = chunk.messageId;
        return this.#addMetadata(chunk.messageMetadata);
      case 'finish':
      case 'message-metadata':
        return this.#addMetadata(chunk.messageMetadata);
      case 'start-step':
        return void this.#parts.push({ type: 'step-start' });
      case 'reset-step':
        return this.#resetStep();
      case 'text-start':
      case 'reasoning-start':
        return void this.#openText(chunk);
      case 'text-delta':
      case 'reasoning-delta': {
        const part = this.#openText(chunk);
        part.text = `${part.text}${chunk.delta ?? ''}`;
        return;
      }
      case 'text-end':
      case 'reasoning-end':
        return this.#closeText(chunk);
      case 'source-url':
      case 'source-document':
      case 'file':
      case 'reasoning-file':
      case 'custom':
      case 'steering-message':
        return void this.#parts.push({ ...chunk });
      default:
        if (chunk.type.startsWith('data-')) this.#putData(chunk);
        else updateTool(this.#parts, chunk);
    }
  }

  #addMetadata(more: unknown): void {
    if (more === undefined) return;
    const before = this.#metadata;
    this.#metadata = isRecord(before) && isRecord(more) ? { ...before, ...more } : more;
  }

  #resetStep(): void {
    this.#open.clear();
    this.#parts = this.#parts.slice(0, this.#parts.findLastIndex(({ type }) => type === 'step-start') + 1);
  }

  #openText(chunk: AiSdkChunk): MutablePart {
    const key = keyOf(chunk);
    let part = this.#open.get(key);
    if (part === undefined) {
      const type = kindOf(chunk);
      // The reference client keeps the id of a reasoning and not that of a text.
      part = { type, ...(type === 'reasoning' && { id: chunk.id }), text: '', state: 'streaming' };
      this.#open.set(key, part);
      this.#parts.push(part);
    }
    if (chunk.providerMetadata !== undefined) part.providerMetadata = chunk.providerMetadata;
    return part;
  }

  #closeText(chunk: AiSdkChunk): void {
    const part = this.#openText(chunk);
    Object.assign(part, compact({ state: 'done', citations: chunk.citations }));
    this.#open.delete(keyOf(chunk));
  }

  /** Data with the id of earlier data replaces it. Transient data is no part. */
  #putData({ type, id, data, transient }: AiSdkChunk): void {
    if (transient) return;
    const known = this.#parts.find((part) => id !== undefined && part.type === type && part.id === id);
    if (known) known.data = data;
    else this.#parts.push(compact({ type, id, data }) as MutablePart);
  }
}

function keyOf(chunk: AiSdkChunk): string {
  return `${kindOf(chunk)}:${chunk.id}`;
}

function kindOf({ type }: AiSdkChunk): 'text' | 'reasoning' {
  return type.startsWith('text') ? 'text' : 'reasoning';
}

/** Applies a chunk about a tool call to its part. */
function updateTool(parts: MutablePart[], chunk: AiSdkChunk): void {
  let part = findToolPart(parts, chunk);
  if (part === undefined && chunk.type.startsWith('tool-input') && chunk.type !== 'tool-input-delta') {
    part = toToolPart(chunk);
    parts.push(part);
  }
  if (part !== undefined) Object.assign(part, toToolChange(part, chunk));
}

function findToolPart(parts: MutablePart[], { toolCallId, approvalId }: AiSdkChunk): MutablePart | undefined {
  return parts.findLast(
    (part) =>
      isToolPart(part as AiSdkPart) &&
      (toolCallId === undefined
        ? isRecord(part.approval) && part.approval.id === approvalId
        : part.toolCallId === toolCallId),
  );
}

function toToolPart({ toolCallId, toolName, dynamic, title }: AiSdkChunk): MutablePart {
  const type = dynamic ? 'dynamic-tool' : `tool-${toolName}`;
  return compact({
    type,
    toolCallId,
    toolName: dynamic ? toolName : undefined,
    title,
    state: 'input-streaming',
  }) as MutablePart;
}

/** Returns the keys of the part that a chunk changes. */
function toToolChange(part: MutablePart, chunk: AiSdkChunk): Readonly<Record<string, unknown>> {
  const { providerExecuted, providerMetadata, toolMetadata } = chunk;
  const more = compact({ providerExecuted, toolMetadata });
  switch (chunk.type) {
    case 'tool-input-start':
    case 'tool-input-available':
    case 'tool-input-error': {
      const called = { ...more, ...compact({ callProviderMetadata: providerMetadata }) };
      if (chunk.type === 'tool-input-start') return called;
      // Announced again, as by merged streams: it keeps its output.
      if (part.state !== 'input-streaming') return {};
      const end =
        chunk.type === 'tool-input-error'
          ? { state: 'output-error', errorText: chunk.errorText }
          : { state: 'input-available' };
      return { ...called, input: chunk.input, ...end };
    }
    case 'tool-approval-request': {
      const { type: _, approvalId, toolCallId: __, approvalDescriptor, reason, ...rest } = chunk;
      const approval = compact({
        ...rest,
        id: approvalId,
        descriptor: approvalDescriptor,
        requestReason: reason,
      });
      return { state: 'approval-requested', approval };
    }
    case 'tool-approval-response': {
      const { approved, reason } = chunk;
      return {
        state: 'approval-responded',
        approval: { ...(part.approval as object), ...compact({ approved, reason }) },
      };
    }
    case 'tool-output-available': {
      const { output, preliminary } = chunk;
      return {
        state: 'output-available',
        output: output ?? null,
        preliminary,
        approval: allowedBy(part),
        ...more,
        ...compact({ resultProviderMetadata: providerMetadata }),
      };
    }
    case 'tool-output-error':
      return { state: 'output-error', errorText: chunk.errorText, approval: allowedBy(part), ...more };
    case 'tool-output-denied':
      return { state: 'output-denied' };
    default:
      return {};
  }
}

/** Returns the approval of a call that has its end. `validateUIMessages` refuses one that was not given. */
function allowedBy({ approval }: MutablePart): unknown {
  return isRecord(approval) && approval.approved === true ? approval : undefined;
}
