import jsonPatch, { type Operation } from 'fast-json-patch';
import { isRecord } from '../shared/json.ts';
import { type AgUiEvent, type AgUiMessage, type AgUiToolCall, insertResult } from './messages.ts';

/** Builds the messages and the state of a thread out of its events, so that the next run can post them. */
export class ThreadBuilder {
  #messages: readonly AgUiMessage[];
  #state: unknown;

  constructor(messages: readonly AgUiMessage[], state: unknown) {
    this.#messages = messages;
    this.#state = state;
  }

  get messages(): readonly AgUiMessage[] {
    return this.#messages;
  }

  get state(): unknown {
    return this.#state;
  }

  findCall(toolCallId: string): AgUiToolCall | undefined {
    return this.#messages.flatMap(({ toolCalls = [] }) => toolCalls).findLast(({ id }) => id === toolCallId);
  }

  add(event: AgUiEvent): void {
    const { type, content } = event;
    const [messageId, toolCallId] = [String(event.messageId), String(event.toolCallId)];
    const delta = String(event.delta ?? '');
    switch (type) {
      case 'TEXT_MESSAGE_START':
        return this.#addMessage(messageId, { role: event.role ?? 'assistant', content: '' });
      case 'TEXT_MESSAGE_CONTENT':
        this.#addMessage(messageId, { role: 'assistant', content: '' });
        return this.#append(messageId, delta);
      case 'REASONING_MESSAGE_START':
        return this.#addMessage(messageId, { role: 'reasoning', content: '' });
      case 'REASONING_MESSAGE_CONTENT':
        this.#addMessage(messageId, { role: 'reasoning', content: '' });
        return this.#append(messageId, delta);
      case 'TOOL_CALL_START':
        return this.#addCall(event);
      case 'TOOL_CALL_ARGS':
        return this.#changeCall(toolCallId, (call) => ({
          ...call,
          function: { ...call.function, arguments: call.function.arguments + delta },
        }));
      case 'TOOL_CALL_RESULT':
        this.#messages = insertResult(this.#messages, { id: messageId, role: 'tool', toolCallId, content });
        return;
      case 'REASONING_ENCRYPTED_VALUE':
        return this.#encrypt(event);
      case 'MESSAGES_SNAPSHOT':
        return this.#replace(event.messages);
      case 'STATE_SNAPSHOT':
        this.#state = event.snapshot;
        return;
      case 'STATE_DELTA':
        this.#state = applyPatch(this.#state, event.delta);
        return;
    }
  }

  #addMessage(id: string, message: Readonly<Record<string, unknown>>): void {
    if (this.#messages.some((known) => known.id === id)) return;
    this.#messages = [...this.#messages, { id, ...message } as AgUiMessage];
  }

  #append(id: string, delta: string): void {
    this.#change(id, (message) => ({ ...message, content: `${message.content ?? ''}${delta}` }));
  }

  #change(id: string, change: (message: AgUiMessage) => AgUiMessage): void {
    const index = this.#messages.findLastIndex((message) => message.id === id);
    const message = this.#messages[index];
    if (message !== undefined) this.#messages = this.#messages.with(index, change(message));
  }

  #addCall({ toolCallId, toolCallName, parentMessageId }: AgUiEvent): void {
    const id = String(toolCallId);
    if (this.findCall(id)) return;
    const owner = String(parentMessageId ?? id);
    const call: AgUiToolCall = {
      id,
      type: 'function',
      function: { name: String(toolCallName), arguments: '' },
    };
    this.#addMessage(owner, { role: 'assistant' });
    this.#change(owner, (message) => ({ ...message, toolCalls: [...(message.toolCalls ?? []), call] }));
  }

  #changeCall(id: string, change: (call: AgUiToolCall) => AgUiToolCall): void {
    const owner = this.#messages.findLast(({ toolCalls }) => toolCalls?.some((call) => call.id === id));
    if (owner === undefined) return;
    this.#change(owner.id, (message) => ({
      ...message,
      toolCalls: (message.toolCalls ?? []).map((call) => (call.id === id ? change(call) : call)),
    }));
  }

  #encrypt({ subtype, entityId, encryptedValue }: AgUiEvent): void {
    const id = String(entityId);
    if (subtype === 'tool-call') this.#changeCall(id, (call) => ({ ...call, encryptedValue }));
    else this.#change(id, (message) => ({ ...message, encryptedValue }));
  }

  /** Reasoning that the snapshot lacks is kept, unless the snapshot has reasoning of its own. */
  #replace(snapshot: unknown): void {
    const messages = (Array.isArray(snapshot) ? snapshot : []).filter(isRecord) as unknown as AgUiMessage[];
    const isWhole = messages.some(({ role }) => role === 'reasoning');
    const kept = isWhole ? [] : this.#messages.filter(({ role }) => role === 'reasoning');
    this.#messages = [
      ...kept.filter(({ id }) => !messages.some((message) => message.id === id)),
      ...messages,
    ];
  }
}

/** Applies a patch (RFC 6902) as a whole. One that fails changes nothing. */
function applyPatch(document: unknown, patch: unknown): unknown {
  try {
    return jsonPatch.applyPatch(document, patch as Operation[], true, false, true).newDocument;
  } catch {
    return document;
  }
}
