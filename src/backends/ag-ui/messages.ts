/** The messages, interrupts and run inputs of AG-UI 1.0 (`@ag-ui/core`), as far as this folder reads them. */
import { hasOwn } from '../../shared/json.ts';

type JsonObject = Readonly<Record<string, unknown>>;

export interface AgUiToolCall {
  readonly id: string;
  readonly type: 'function';
  readonly function: { readonly name: string; readonly arguments: string };
  readonly [key: string]: unknown;
}

/** A message of the thread. Keys that are not read here, such as `encryptedValue`, go back as they are. */
export interface AgUiMessage {
  readonly id: string;
  readonly role: string;
  readonly content?: unknown;
  readonly toolCalls?: readonly AgUiToolCall[];
  readonly toolCallId?: string;
  readonly [key: string]: unknown;
}

/** A question of the agent. Until it is answered, the run is paused. */
export interface Interrupt {
  readonly id: string;
  readonly reason: string;
  readonly message?: string;
  readonly toolCallId?: string;
  readonly responseSchema?: JsonObject;
  readonly expiresAt?: string;
  readonly metadata?: JsonObject;
  readonly subagentRunId?: string;
  /** Set for a question in the older form, a custom event: its value as it came. The answer goes back in that form. */
  readonly legacyValue?: unknown;
}

/** Returns true for a question in the older form. */
export function isLegacy(interrupt: Interrupt): boolean {
  return hasOwn(interrupt, 'legacyValue');
}

export interface ResumeEntry {
  readonly interruptId: string;
  readonly status: 'resolved' | 'cancelled';
  readonly payload?: unknown;
}

/** An event of the stream has a type and further keys, none of which is null. */
export interface AgUiEvent {
  readonly type: string;
  readonly subagentRunId?: string;
  readonly [key: string]: unknown;
}

/** Returns the messages behind the last one of the user: those of the current turn. */
export function currentTurn(messages: readonly AgUiMessage[]): readonly AgUiMessage[] {
  return messages.slice(messages.findLastIndex(({ role }) => role === 'user') + 1);
}

/** Returns the name of a call on the page. Some providers use an id again in the same turn, for the `count`th call of that id. */
export function toPageId(id: string, count: number): string {
  return count > 1 ? `${id}:${count}` : id;
}

/** Returns the calls without a result in their turn, in order. Of several calls with one id, the first results are those of the first calls. */
export function unansweredCalls(messages: readonly AgUiMessage[]): readonly AgUiToolCall[] {
  const starts = messages.flatMap(({ role }, index) => (role === 'user' ? index : []));
  return [0, ...starts].flatMap((start, turn) => {
    const ofTurn = messages.slice(start, starts[turn] ?? messages.length);
    const results = new Map<unknown, number>();
    for (const { role, toolCallId } of ofTurn)
      if (role === 'tool') results.set(toolCallId, (results.get(toolCallId) ?? 0) + 1);
    return ofTurn
      .flatMap(({ toolCalls = [] }) => toolCalls)
      .filter(({ id }) => {
        const left = results.get(id) ?? 0;
        results.set(id, left - 1);
        return left <= 0;
      });
  });
}

/**
 * Puts the result of a call behind its message and the results that are there, in place of one that it has. At the end, if the call is
 * unknown. The ids of messages are unique in a thread.
 */
export function insertResult(messages: readonly AgUiMessage[], result: AgUiMessage): readonly AgUiMessage[] {
  const { toolCallId } = result;
  const owner = messages.findLastIndex(({ toolCalls }) => toolCalls?.some(({ id }) => id === toolCallId));
  const others = messages.filter(
    (message, index) => index < owner || message.role !== 'tool' || message.toolCallId !== toolCallId,
  );
  if (owner < 0) return [...others, result];
  const isTaken = others.some(({ id }) => id === result.id);
  const added = isTaken ? { ...result, id: `${result.id}:${others[owner]?.id}` } : result;
  let end = owner + 1;
  while (others[end]?.role === 'tool') end += 1;
  return [...others.slice(0, end), added, ...others.slice(end)];
}
