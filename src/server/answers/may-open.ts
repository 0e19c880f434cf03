/** Decides who may read a conversation and go on with it. */
import type { ErrorEvent, PendingToolCall } from '../../core/protocol/events.ts';
import { compact } from '../../shared/json.ts';
import type { Answerer, Principal } from '../../shared/principal.ts';
import type {
  ContinueRequest,
  OpenRequest,
  ResumeRequest,
  SessionRequest,
} from '../parse-session-request.ts';
import { reportFailure } from '../report-failure.ts';
import type { SessionSettings } from '../runs/session-settings.ts';
import { saysYes } from '../says-yes.ts';
import { refusal } from '../session-errors.ts';
import type { SessionRecord } from '../store/session-store.ts';
import { toOpenCalls, toWaitingSession } from '../store/waiting-session.ts';
import { findDefinition } from '../tools/find-server-tool.ts';
import { isGuarded, mayAnswerCall } from './may-answer.ts';

type Settings = Pick<SessionSettings, 'id' | 'tools' | 'mayAnswer' | 'mayOpen' | 'onError' | 'clock'>;

/**
 * - `all`: the request is handled
 * - `questions`: the person gets the open calls that they may answer, and nothing else of the conversation
 * - `answers`: the person may answer the calls of the request, and read nothing else
 * - `error`: the refusal
 */
export type Access =
  | { readonly type: 'all' }
  | { readonly type: 'questions'; readonly request: OpenRequest | ResumeRequest }
  | { readonly type: 'answers'; readonly request: ContinueRequest }
  | ErrorEvent;

/** Decides about a request, before anything else is looked at. */
export async function checkAccess(
  settings: Settings,
  principal: Principal | undefined,
  record: SessionRecord,
  request: SessionRequest,
): Promise<Access> {
  if (await mayOpen(settings, principal, record)) return { type: 'all' };
  const questions = await findOwnQuestions(settings, principal, record);
  if (request.type === 'continue')
    return checkAnswered(settings, request, openCalls(settings, record), questions);
  const isReading = request.type === 'open' || request.type === 'resume';
  if (isReading && questions.length > 0) return { type: 'questions', request };
  return refusal('not_allowed', `You may not ${VERBS[request.type]} this conversation. Nothing was changed.`);
}

const VERBS = { trigger: 'send messages to', resume: 'read', open: 'read', stop: 'stop' } as const;

/**
 * A person who may not open the conversation answers their own questions, and no other call that waits. A call whose tool this process does
 * not know is left to `refusePerson`: another process may know it.
 */
function checkAnswered(
  { tools }: Settings,
  request: ContinueRequest,
  open: readonly PendingToolCall[],
  questions: readonly PendingToolCall[],
): Access {
  const answered = open.filter((call) =>
    request.toolResults.some(({ toolCallId }) => toolCallId === call.toolCallId),
  );
  const foreign = answered.find(
    ({ toolCallId, toolName, question }) =>
      !(question && findDefinition(tools, toolName) === undefined) &&
      !questions.some((own) => own.toolCallId === toolCallId),
  );
  if (foreign !== undefined) {
    const { toolCallId: callId, toolName: name } = foreign;
    const message = `You may not answer the call '${callId}'. Nothing was changed.`;
    return { ...refusal('not_allowed', message), tool: { name, callId } };
  }
  if (answered.length > 0) return { type: 'answers', request };
  return refusal('not_allowed', 'You may not answer calls of this conversation. Nothing was changed.');
}

/** Returns the open calls that a rule lets this person answer. */
export async function findOwnQuestions(
  settings: Settings,
  principal: Principal | undefined,
  record: SessionRecord,
): Promise<readonly PendingToolCall[]> {
  const guarded = openCalls(settings, record).filter((call) => isGuarded(settings, call));
  const answers = await Promise.all(guarded.map((call) => mayAnswerCall(settings, principal, call)));
  return guarded.filter((_, index) => answers[index]);
}

/** Returns true if this person may read the conversation as it is in the record. */
export async function mayOpen(
  { id, mayOpen: rule, onError, clock }: Settings,
  principal: Principal | undefined,
  record: SessionRecord,
): Promise<boolean> {
  if (record.revision === 0) return true;
  const starters = findStarters(record);
  // A turn that was started without a login: its person can be known by the id of the conversation only.
  const isOwnedById = starters.length === 0 || starters.includes(undefined);
  if (principal === undefined) return isOwnedById;
  const participants = findParticipants(record);
  if (rule === undefined) return isOwnedById || participants.some((person) => person.id === principal.id);
  return saysYes({
    clock,
    name: 'mayOpen of the session',
    ask: () => rule(principal, { id, participants }),
    report: (thrown) => reportFailure(onError, thrown, { source: 'rule', sessionId: id }),
  });
}

/** Who started the turns of a conversation: undefined for a turn that was started without a principal. */
function findStarters({ execution, turns = [] }: SessionRecord): readonly (Principal | undefined)[] {
  return [...turns, ...(execution ? [execution] : [])].map(({ startedBy }) => startedBy);
}

/** Everybody who started a turn of the conversation or answered a call of it. */
function findParticipants(record: SessionRecord): readonly Answerer[] {
  const answerers = Object.values(record.calls).map(({ answer }) => answer?.answeredBy);
  const found = [...findStarters(record), ...answerers].filter((person) => person !== undefined);
  const people = new Map(found.map(({ id, name }) => [id, compact({ id, name })]));
  return [...people.values()];
}

function openCalls({ id }: Settings, record: SessionRecord): readonly PendingToolCall[] {
  const waiting = toWaitingSession(id, record);
  return waiting ? toOpenCalls(waiting).map(({ call }) => call) : [];
}
