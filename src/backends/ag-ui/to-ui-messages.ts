/** The messages of a thread as the page shows them: each message of a person, and the answer behind it. */
import type { WrittenPart } from '../../core/protocol/events.ts';
import type { UIMessage, UIMessagePart } from '../../core/state/message.ts';
import { deepEqual } from '../../shared/deep-equal.ts';
import { toOutput } from './decode-event.ts';
import { type AgUiMessage, type AgUiToolCall, toPageId } from './messages.ts';
import { parseArgs } from './questions.ts';
import { filesOf, textOf } from './user-content.ts';

/** A message of a person, and what follows it. Only the first turn of a thread may lack the message. */
interface Turn {
  readonly user: AgUiMessage | undefined;
  readonly answer: readonly AgUiMessage[];
}

function toTurns(messages: readonly AgUiMessage[]): readonly Turn[] {
  const turns: { user: AgUiMessage | undefined; answer: AgUiMessage[] }[] = [{ user: undefined, answer: [] }];
  for (const message of messages) {
    if (message.role === 'user') turns.push({ user: message, answer: [] });
    else turns.at(-1)?.answer.push(message);
  }
  return turns;
}

export interface ShownThread {
  /** All messages but the one that is being written. */
  readonly messages: readonly UIMessage[];
  readonly parts: readonly WrittenPart[];
}

interface Known {
  /** The thread as it was before. */
  readonly thread: readonly AgUiMessage[];
  /** The messages in which the page shows it. */
  readonly shown: readonly UIMessage[];
}

/**
 * Shows a thread. What has not changed stays as the page shows it, with all that a thread has no place for.
 *
 * @param isOpen returns true for a text, reasoning or call of which events will go on
 */
export function showThread(
  thread: readonly AgUiMessage[],
  known: Known,
  isOpen: (part: string, id: string) => boolean,
  at: Date,
): ShownThread {
  const turns = toTurns(thread);
  const before = toTurns(known.thread);
  const last = turns.at(-1);
  const messages = turns.flatMap((turn, index): readonly UIMessage[] => {
    const same = findSame(turn, before, index);
    const shown = same ? showing(same, known.shown) : { user: undefined, answer: [] };
    const user = turn.user && [
      shown.user && same?.user && hasSameContent([turn.user], [same.user])
        ? shown.user
        : toUser(turn.user, shown.user, at),
    ];
    if (turn === last) return user ?? [];
    const isSame = same !== undefined && hasSameContent(turn.answer, same.answer) && shown.answer.length > 0;
    return [...(user ?? []), ...(isSame ? shown.answer : toAnswer(turn.answer, shown.answer[0], at))];
  });
  return { messages, parts: last ? toParts(last.answer, isOpen) : [] };
}

/** Finds a turn as it was before: by its message, or at its place if its message has moved under another id. */
function findSame({ user }: Turn, before: readonly Turn[], index: number): Turn | undefined {
  const byId = before.find((turn) => turn.user?.id === user?.id);
  const atPlace = before[index];
  if (byId || !user || !atPlace?.user) return byId;
  return hasSameContent([user], [atPlace.user]) ? atPlace : undefined;
}

/** Returns what the page shows of a turn. */
function showing({ user }: Turn, shown: readonly UIMessage[]) {
  const at = user ? shown.findIndex(({ id }) => id === user.id) : -1;
  if (user && at < 0) return { user: undefined, answer: [] };
  const rest = shown.slice(at + 1);
  const end = rest.findIndex(({ role }) => role === 'user');
  return { user: shown[at], answer: end < 0 ? rest : rest.slice(0, end) };
}

const SHOWN_ROLES = ['user', 'assistant', 'tool', 'reasoning'];

function hasSameContent(one: readonly AgUiMessage[], other: readonly AgUiMessage[]): boolean {
  const read = (messages: readonly AgUiMessage[]) =>
    messages
      .filter(({ role }) => SHOWN_ROLES.includes(role))
      .map(({ role, content = '', toolCalls = [], toolCallId, error, subagentRunId }) => [
        [role, content, toolCallId ?? null, error ?? null, subagentRunId ?? null],
        toolCalls.map((call) => [call.id, call.function.name, call.function.arguments]),
      ]);
  return deepEqual(read(one), read(other));
}

function toUser({ id, content }: AgUiMessage, shown: UIMessage | undefined, at: Date): UIMessage {
  const text = textOf(content);
  const parts: UIMessagePart[] = text === '' ? [] : [{ type: 'text', text, status: 'done' }];
  const files = filesOf(content).map((file, index) => ({
    type: 'file' as const,
    id: `${id}:${index}`,
    ...file,
  }));
  return { ...(shown ?? { createdAt: at }), id, role: 'user', parts: [...parts, ...files], status: 'done' };
}

function toAnswer(
  answer: readonly AgUiMessage[],
  shown: UIMessage | undefined,
  at: Date,
): readonly UIMessage[] {
  const parts = toParts(answer, () => false).map(({ part }) => part);
  const closed = parts.map((part) =>
    part.type === 'tool-call' && part.status === 'running' ? { ...part, status: 'cancelled' as const } : part,
  );
  const id = shown?.id ?? answer.find(({ role }) => role === 'assistant')?.id;
  if (closed.length === 0 || id === undefined) return [];
  return [{ ...(shown ?? { createdAt: at }), id, role: 'assistant', parts: closed, status: 'done' }];
}

function toParts(
  answer: readonly AgUiMessage[],
  isOpen: (part: string, id: string) => boolean,
): readonly WrittenPart[] {
  const counts = new Map<string, number>();
  const results = new Map<string, readonly AgUiMessage[]>();
  for (const message of answer) {
    const { role, toolCallId } = message;
    if (role === 'tool' && toolCallId !== undefined)
      results.set(toolCallId, [...(results.get(toolCallId) ?? []), message]);
  }
  return answer.flatMap(({ id, role, content, toolCalls = [], subagentRunId }): readonly WrittenPart[] => {
    if (role !== 'assistant' && role !== 'reasoning') return [];
    const thread = subagentRunId === undefined ? {} : { thread: String(subagentRunId) };
    const text = textOf(content);
    const type = role === 'reasoning' ? 'reasoning' : 'text';
    const goesOn = isOpen(type === 'text' ? 'TEXT_MESSAGE' : 'REASONING_MESSAGE', id);
    const status = goesOn ? ('streaming' as const) : ('done' as const);
    const written = { part: { type, text, status, ...thread } as const, ...(goesOn && { openId: id }) };
    const calls = toolCalls.map((call) => {
      const count = (counts.get(call.id) ?? 0) + 1;
      counts.set(call.id, count);
      return toCallPart(call, count, results.get(call.id)?.[count - 1], thread, isOpen);
    });
    return [...(text !== '' || goesOn ? [written] : []), ...calls];
  });
}

function toCallPart(
  call: AgUiToolCall,
  count: number,
  result: AgUiMessage | undefined,
  thread: { readonly thread?: string },
  isOpen: (part: string, id: string) => boolean,
): WrittenPart {
  const { name, arguments: json } = call.function;
  const shared = {
    type: 'tool-call',
    toolCallId: toPageId(call.id, count),
    toolName: name,
    ...thread,
  } as const;
  if (result === undefined && isOpen('TOOL_CALL', call.id))
    return { part: { ...shared, args: {}, status: 'pending' }, json };
  const args = parseArgs(call) ?? {};
  if (result === undefined) return { part: { ...shared, args, status: 'running' } };
  const { error, content } = result;
  const end =
    typeof error === 'string'
      ? ({ status: 'error', error } as const)
      : ({ status: 'done', result: toOutput(content) } as const);
  return { part: { ...shared, args, ...end, executedBy: 'server' } };
}
