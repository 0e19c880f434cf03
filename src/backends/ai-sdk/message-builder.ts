/**
 * Builds the assistant message out of chunks, as the client of the AI SDK does: the server gets this message back with the next request.
 * A table of what each chunk does to the parts is in the AI SDK's documentation, "Stream Protocols".
 */

import { createId } from '../../shared/ids.ts';
import { compact, isRecord } from '../../shared/json.ts';
import { findToolPart, type MutablePart, toAnnouncement, toToolChange, toToolPart } from './tool-parts.ts';
import type { AiSdkChunk, AiSdkMessage, AiSdkPart, AiSdkToolPart } from './ui-message.ts';

/** The assistant message that a response writes. */
export class MessageBuilder {
  /** True if the response continues a message. That keeps its id, whatever the server calls it. */
  readonly #continues: boolean;
  /** The number of parts that the response continues. */
  readonly #begin: number;
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
    this.#begin = this.#parts.length;
  }

  get parts(): readonly AiSdkPart[] {
    return this.#parts;
  }

  get metadata(): unknown {
    return this.#metadata;
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
    const { type } = chunk;
    return (type === 'text-delta' || type === 'reasoning-delta') && !this.#open.has(keyOf(chunk));
  }

  /** Returns the call that a chunk is about. */
  find(chunk: AiSdkChunk): AiSdkToolPart | undefined {
    return findToolPart(this.#parts, chunk);
  }

  /** Tells whether a chunk announces a call of its own, see `toAnnouncement`. */
  announcement(chunk: AiSdkChunk, isAnswered: (part: AiSdkToolPart) => boolean) {
    return toAnnouncement(this.#parts, chunk, Math.max(this.#begin, this.#stepBegin()), isAnswered);
  }

  /** Adds a call, also where an earlier one has its id. */
  addCall(chunk: AiSdkChunk): void {
    this.#parts.push(toToolPart(chunk));
    this.add(chunk);
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
        else this.#updateTool(chunk);
    }
  }

  #addMetadata(more: unknown): void {
    if (more === undefined) return;
    this.#metadata = mergeMetadata(this.#metadata, more);
  }

  #updateTool(chunk: AiSdkChunk): void {
    const part = findToolPart(this.#parts, chunk);
    if (part === undefined && /^tool-input-(start|available|error)$/.test(chunk.type)) this.addCall(chunk);
    if (part !== undefined) Object.assign(part, toToolChange(part, chunk));
  }

  /** The index of the first part of the current step. */
  #stepBegin(): number {
    return this.#parts.findLastIndex(({ type }) => type === 'step-start') + 1;
  }

  #resetStep(): void {
    this.#open.clear();
    this.#parts = this.#parts.slice(0, Math.max(this.#begin, this.#stepBegin()));
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

/** Objects in objects are merged, too. A list takes the place of the one before it. */
function mergeMetadata(before: unknown, more: unknown): unknown {
  if (!isRecord(before) || !isRecord(more)) return more;
  const merged = new Map(Object.entries(before));
  for (const [key, value] of Object.entries(more)) merged.set(key, mergeMetadata(merged.get(key), value));
  return Object.fromEntries(merged);
}
