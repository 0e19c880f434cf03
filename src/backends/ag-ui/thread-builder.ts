import { createId } from '../../shared/ids.ts';
import { compact, isRecord } from '../../shared/json.ts';
import { applyPatch } from './apply-patch.ts';
import {
  type AgUiEvent,
  type AgUiMessage,
  type AgUiToolCall,
  currentTurn,
  insertResult,
  toPageId,
  unansweredCalls,
} from './messages.ts';

interface MutableCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; arguments: string };
  encryptedValue?: unknown;
}

interface MutableMessage {
  readonly id: string;
  readonly role: string;
  content?: unknown;
  toolCalls?: MutableCall[];
  encryptedValue?: unknown;
}

/**
 * Builds the messages and the state of a thread out of its events, so that the next run can post them. It changes its own copy in place:
 * a delta costs the same, however long the thread is.
 */
export class ThreadBuilder {
  #messages: MutableMessage[] = [];
  #state: unknown;
  readonly #byId = new Map<string, MutableMessage>();
  readonly #calls = new Map<string, MutableCall>();
  /** How many calls of this turn have an id. */
  readonly #counts = new Map<string, number>();

  constructor(messages: readonly AgUiMessage[], state: unknown) {
    this.#state = state;
    this.#take(messages);
  }

  get messages(): readonly AgUiMessage[] {
    return this.#messages as unknown as readonly AgUiMessage[];
  }

  get state(): unknown {
    return this.#state;
  }

  findCall(toolCallId: string): AgUiToolCall | undefined {
    return this.#calls.get(toolCallId) as AgUiToolCall | undefined;
  }

  /** Returns the role of a message, if there is one of this id. */
  roleOf(messageId: string): string | undefined {
    return this.#byId.get(messageId)?.role;
  }

  /** Returns the name of a call of this turn on the page: of the latest one with this id. */
  pageIdOf(toolCallId: string): string {
    return toPageId(toolCallId, this.#counts.get(toolCallId) ?? 1);
  }

  /** True if this turn has a call. */
  get hasCalls(): boolean {
    return this.#counts.size > 0;
  }

  /** Returns true for a call that was announced in this turn. */
  isOfTurn(toolCallId: string): boolean {
    return this.#counts.has(toolCallId);
  }

  add(event: AgUiEvent): void {
    const { type } = event;
    const [messageId, toolCallId] = [String(event.messageId), String(event.toolCallId)];
    const delta = String(event.delta ?? '');
    switch (type) {
      case 'TEXT_MESSAGE_START':
        this.#open(messageId, String(event.role ?? 'assistant'), event).content ??= '';
        return;
      case 'TEXT_MESSAGE_CONTENT':
        return append(this.#open(messageId, 'assistant'), delta);
      case 'REASONING_MESSAGE_START':
      case 'REASONING_MESSAGE_CONTENT':
        return append(this.#open(messageId, 'reasoning', event), delta);
      case 'TOOL_CALL_START':
        return this.#addCall(event);
      case 'TOOL_CALL_ARGS': {
        const call = this.#calls.get(toolCallId);
        if (call) call.function.arguments += delta;
        return;
      }
      case 'TOOL_CALL_RESULT':
        return this.#take(insertResult(this.messages, this.#toResult(event)));
      case 'REASONING_ENCRYPTED_VALUE': {
        const owner = event.subtype === 'tool-call' ? this.#calls : this.#byId;
        const entity = owner.get(String(event.entityId));
        if (entity) entity.encryptedValue = event.encryptedValue;
        return;
      }
      case 'MESSAGES_SNAPSHOT':
        return this.#replace(toMessages(event.messages).filter(({ role }) => role !== 'activity'));
      case 'RUN_STARTED':
        return isRecord(event.input) ? this.#addUnknown(toMessages(event.input.messages)) : undefined;
      case 'STATE_SNAPSHOT':
        this.#state = event.snapshot;
        return;
      case 'STATE_DELTA':
        this.#state = applyPatch(this.#state, event.delta);
        return;
    }
  }

  /** Takes other messages in place of those that are here. */
  #take(messages: readonly AgUiMessage[]): void {
    this.#messages = structuredClone(messages) as unknown as MutableMessage[];
    this.#byId.clear();
    this.#calls.clear();
    for (const message of this.#messages) {
      this.#byId.set(message.id, message);
      for (const call of message.toolCalls ?? []) this.#calls.set(call.id, call);
    }
    this.#counts.clear();
    for (const { toolCalls = [] } of currentTurn(this.messages))
      for (const { id } of toolCalls) this.#count(id);
  }

  #count(toolCallId: string): void {
    this.#counts.set(toolCallId, (this.#counts.get(toolCallId) ?? 0) + 1);
  }

  /** Returns the message of an id, which begins here if there is none, with what the event says of it. */
  #open(id: string, role: string, event?: AgUiEvent): MutableMessage {
    let message = this.#byId.get(id);
    if (message === undefined) {
      message = { id, role, ...(event && envelopeOf(event)) };
      this.#byId.set(id, message);
      this.#messages.push(message);
    }
    return message;
  }

  /** Some providers use the ids of their calls again. Then the call stands in a message of its own. */
  #addCall({ toolCallId, toolCallName, parentMessageId }: AgUiEvent): void {
    const id = String(toolCallId);
    const isKnown = this.#calls.has(id);
    const call: MutableCall = {
      id,
      type: 'function',
      function: { name: String(toolCallName), arguments: '' },
    };
    this.#calls.set(id, call);
    this.#count(id);
    const parentId = String(parentMessageId ?? id);
    const isTaken = isKnown && this.#byId.get(parentId)?.toolCalls?.some((known) => known.id === id);
    const owner = this.#open(isTaken || (isKnown && !parentMessageId) ? createId() : parentId, 'assistant');
    owner.toolCalls = [...(owner.toolCalls ?? []), call];
  }

  /** Servers give a result the id of another message, such as that of its call. Ids are unique in a thread. */
  #toResult(event: AgUiEvent): AgUiMessage {
    const { content } = event;
    const [messageId, toolCallId] = [String(event.messageId), String(event.toolCallId)];
    const holder = this.messages.find(({ id }) => id === messageId);
    const isTaken = holder !== undefined && holder.toolCallId !== toolCallId;
    const id = isTaken || event.messageId === undefined ? `${toolCallId}:result` : messageId;
    return { id, role: 'tool', toolCallId, content, ...envelopeOf(event) };
  }

  /** A run may repeat its input, with messages of its own in it. */
  #addUnknown(messages: readonly AgUiMessage[]): void {
    const unknown = messages.filter(({ id }) => !this.#byId.has(id));
    if (unknown.length > 0) this.#take([...this.messages, ...unknown]);
  }

  /**
   * Reasoning that the snapshot lacks stays in front of what it led to, unless the snapshot has reasoning of its own. So does the result of a
   * call that the snapshot has without one: it was streamed, or is an answer of the page.
   */
  #replace(snapshot: readonly AgUiMessage[]): void {
    const hasReasoning = snapshot.some(({ role }) => role === 'reasoning');
    const messages = hasReasoning ? snapshot : keepReasoning(this.messages, snapshot);
    this.#take(keepResults(this.messages, messages));
  }
}

function keepResults(
  known: readonly AgUiMessage[],
  snapshot: readonly AgUiMessage[],
): readonly AgUiMessage[] {
  const open = new Set(unansweredCalls(snapshot).map(({ id }) => id));
  const answered = new Set(
    snapshot.flatMap(({ role, toolCallId = [] }) => (role === 'tool' ? toolCallId : [])),
  );
  return known
    .filter(
      ({ role, toolCallId = '' }) => role === 'tool' && open.has(toolCallId) && !answered.has(toolCallId),
    )
    .reduce(insertResult, snapshot);
}

function keepReasoning(
  known: readonly AgUiMessage[],
  snapshot: readonly AgUiMessage[],
): readonly AgUiMessage[] {
  return known.reduceRight((messages, message, index) => {
    if (message.role !== 'reasoning' || messages.some(({ id }) => id === message.id)) return messages;
    const next = known.slice(index + 1).find(({ id }) => messages.some((other) => other.id === id));
    const at = next ? messages.findIndex(({ id }) => id === next.id) : messages.length;
    return messages.toSpliced(at, 0, message);
  }, snapshot);
}

export function toMessages(value: unknown): readonly AgUiMessage[] {
  return (Array.isArray(value) ? value : []).filter(isRecord) as unknown as AgUiMessage[];
}

/** Returns the keys that any message may have besides its content. */
function envelopeOf({ name, subagentRunId, metadata }: AgUiEvent): Readonly<Record<string, unknown>> {
  return compact({ name, subagentRunId, metadata });
}

function append(message: MutableMessage, delta: string): void {
  message.content = `${message.content ?? ''}${delta}`;
}
