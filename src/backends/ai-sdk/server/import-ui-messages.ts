/** Turns stored messages of the AI SDK into the record of a session: for an app that moves from `useChat` to `handrail/server`. */

import type { CallRecord } from '../../../server/store/call-record.ts';
import type { ExecutionRecord, SessionRecord, TurnRecord } from '../../../server/store/session-store.ts';
import { digestArguments } from '../../../shared/digest-json.ts';
import { invalidOptions } from '../../../shared/errors.ts';
import { compact, isRecord } from '../../../shared/json.ts';
import { type Principal, toPrincipal } from '../../../shared/principal.ts';
import type { AiSdkMessage } from '../ui-message.ts';
import { importTurn } from './import-turn.ts';
import { type NotCarried, toTurns } from './to-turns.ts';

export type { NotCarried };

/** Options of {@link importUIMessages}. */
export interface ImportOptions {
  /** The person whose conversation it is, as the `principal` of your route names them. Without one, a `mayOpen` that asks who took part allows nobody. */
  readonly startedBy?: Principal;
  /** The names of the tools that the page answers. An open call of one of them is asked again. Default: none. */
  readonly clientTools?: readonly string[];
  /** When messages were sent whose `metadata` has no `createdAt`. Milliseconds since the epoch. Default: now. */
  readonly importedAt?: number;
}

/** {@link importUIMessages} returns it: the record to save, and what it lacks. */
export interface ImportedSession {
  /** Save it under the id of the conversation: `await store.save(id, record)`. A store that has the conversation already resolves to `false`. */
  readonly record: SessionRecord;
  /** What the session does not have, or has for the model alone. Read it before you delete anything. */
  readonly notCarried: readonly NotCarried[];
}

/**
 * Returns stored messages of the AI SDK (`UIMessage[]` of the `ai` package, as `useChat` shows and posts them) as the record of a session of
 * `handrail/server`. Nothing is stored: you save the record.
 *
 * The record has the messages under their ids, files, metadata, calls with their results, errors and refusals, and the reasoning and
 * signatures that `createAiSdkAgent` gives back to its model. An approval that the last message leaves open is open in the session: when
 * a page opens it, the tool of the server (`defineServerTool`) asks anew, and no yes counts before that. An open call of one of the
 * `clientTools` is asked, too. Any other call without a result ends with an error for the agent, because nobody knows what it has done.
 *
 * @throws AgentChatError `invalid_options` for a value that is no list of messages, TypeError for a `startedBy` without an id
 */
export async function importUIMessages(
  messages: readonly AiSdkMessage[],
  { startedBy, clientTools = [], importedAt = Date.now() }: ImportOptions = {},
): Promise<ImportedSession> {
  const person = startedBy && toPrincipal(startedBy);
  const { turns, notCarried } = toTurns(checkMessages(messages));
  const reported = [...notCarried];
  const turnRecords: TurnRecord[] = [];
  let record: SessionRecord = EMPTY;
  let open: readonly string[] = [];
  for (const [index, turn] of turns.entries()) {
    const isLast = index === turns.length - 1;
    const imported = importTurn(turn, { isLast, calls: record.calls, clientTools, importedAt });
    const at = record.messages.length + (turn.user ? 1 : 0);
    turnRecords.push(compact({ ...imported.turn, at, startedBy: person }) as TurnRecord);
    reported.push(...imported.notCarried);
    open = imported.open;
    record = {
      ...record,
      messages: [...record.messages, ...imported.messages],
      calls: { ...record.calls, ...imported.calls },
    };
  }
  const order = new Map(messages.map(({ id }, index) => [id, index]));
  const place = ({ messageId }: NotCarried) => order.get(messageId) ?? 0;
  record = { ...record, receivedKeys: turns.flatMap(({ user }) => user?.id ?? []), turns: turnRecords };
  return {
    record: await askAgain(record, open, importedAt),
    notCarried: reported.sort((one, other) => place(one) - place(other)),
  };
}

/** The first save of a session has the revision 1, so a store that has the session refuses it. */
const EMPTY: SessionRecord = { version: 2, revision: 1, messages: [], calls: {}, execution: null };

function checkMessages(messages: unknown): readonly AiSdkMessage[] {
  if (!Array.isArray(messages)) {
    throw invalidOptions(
      `importUIMessages takes the list of messages of one conversation, not an object of type ${typeof messages}. Pass the UIMessage[] that you stored.`,
    );
  }
  for (const [index, message] of messages.entries()) {
    if (isRecord(message) && typeof message.id === 'string' && Array.isArray(message.parts)) continue;
    const id = isRecord(message) ? ` (id '${String(message.id)}')` : '';
    throw invalidOptions(
      `importUIMessages cannot read message ${index}${id}: it has no parts or no id, so it is no UIMessage of ai 5 or later. Convert older messages first, as the migration guides of the AI SDK say.`,
    );
  }
  return messages;
}

/** The session waits for the open calls, as if its last run had asked them. */
async function askAgain(
  record: SessionRecord,
  open: readonly string[],
  askedAt: number,
): Promise<SessionRecord> {
  const { messages, calls, turns = [] } = record;
  const turn = turns.at(-1);
  if (turn === undefined || open.length === 0) return record;
  const asked: Record<string, CallRecord> = {};
  for (const key of open) {
    const call = calls[key] as CallRecord;
    asked[key] = { ...call, stage: 'asked', askedAt, digest: await digestArguments(call.args) };
  }
  const { executionId: id, messageId, at, startedBy } = turn;
  const sent = messages[at - 1];
  const { trigger: name, input } = sent?.role === 'user' ? sent : { trigger: 'user-message', input: {} };
  const execution: ExecutionRecord = {
    ...{ id, messageId, trigger: { name, input }, state: 'waiting', open, historyStart: at },
    ...{ ran: [], lastAnswers: [], rounds: 0, usage: null, partial: null, askedAt },
    // The request and its end: the two events with which a run waits.
    ...{ answeredSeq: 0, requestStart: 1, lastSeq: 2 },
    ending: { type: 'finish', finishReason: 'client-tool-calls', executionId: id },
    ...(startedBy && { startedBy }),
  };
  return { ...record, calls: { ...calls, ...asked }, execution };
}
