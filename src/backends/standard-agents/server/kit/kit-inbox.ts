/** The pending calls of the kit as a source of an inbox: over all threads of a person, in every process that shares the store. */
import type { InboxAnswer, InboxReceipt, InboxSource } from '../../../../server/inbox/inbox-source.ts';
import type { ListOpenCallsOptions, SessionStore } from '../../../../server/store/session-store.ts';
import { hostOf } from '../../../../server/store/store-host.ts';
import { compact, type JsonValue } from '../../../../shared/json.ts';
import type { Principal } from '../../../../shared/principal.ts';
import { type CarriedAnswer, readOutcome, readReason } from '../../../../shared/tool-outcome.ts';
import { THREAD_PREFIX } from '../thread-store.ts';
import type { KitState } from './client-call-store.ts';
import type { ClientCalls } from './client-calls.ts';
import type { ClientAnswer } from './to-tool-result.ts';

/** The threads of a runtime, as the inbox needs them. */
export interface KitThreads {
  readonly store: SessionStore;
  openForKit(threadId: string): Promise<{ readonly userId: string; readonly state: KitState } | undefined>;
}

type OpenSession = NonNullable<ListOpenCallsOptions['openSession']>;

/** @param isOwnTool returns true for the tools of this kit: a runtime may have several */
export function createKitInbox(calls: ClientCalls, isOwnTool: (name: string) => boolean) {
  let connected: KitThreads | undefined;
  const threads = (): KitThreads => {
    if (connected !== undefined) return connected;
    throw new TypeError(
      'The inbox of standardAgentsKit has no threads. Pass the kit to createThreadRuntime({ kit }).',
    );
  };
  /** The calls of a thread are for the person whose thread it is. */
  const openSession: OpenSession = (sessionId) => ({
    mayAnswer: (principal, { startedBy, call }) =>
      sessionId.startsWith(THREAD_PREFIX) && startedBy?.id === principal.id && isOwnTool(call.toolName),
  });
  const inbox: InboxSource = {
    prefix: THREAD_PREFIX,
    async list(query) {
      const { store } = threads();
      if (store.listOpenCalls !== undefined) return store.listOpenCalls({ ...query, openSession });
      throw new TypeError(
        'The inbox of standardAgentsKit: the store of the runtime has no listOpenCalls. Use one that has it.',
      );
    },
    subscribe: (listener) => hostOf(threads().store).watch(() => listener()),
    async answer({ sessionId, toolResults }: InboxAnswer, principal: Principal) {
      const thread = await threads().openForKit(sessionId.slice(THREAD_PREFIX.length));
      if (thread === undefined) return refuse('unknown_session', 'There is no such thread.');
      if (thread.userId !== principal.id) {
        return refuse('not_allowed', 'The thread is not yours. Nothing was changed.');
      }
      return answerAll(calls, thread.state, toolResults);
    },
  };
  const connect = (given: KitThreads) => {
    connected = given;
  };
  return { inbox, connect };
}

/** Checks all answers before it stores the first one. */
async function answerAll(
  calls: ClientCalls,
  state: KitState,
  results: InboxAnswer['toolResults'],
): Promise<InboxReceipt> {
  const answers: [id: string, ClientAnswer][] = [];
  // A deadline that has passed meanwhile ends its call first.
  await calls.pending(state);
  for (const result of results) {
    const { toolCallId } = result;
    const call = await calls.find(state, toolCallId);
    if (call === undefined) return refuse('unknown_tool_call', `This thread has no call ${toolCallId}.`);
    if (call.answer !== undefined) return refuseAnswered(toolCallId, call.answer);
    const answer = readAnswer(result);
    if (answer === undefined) {
      return refuse(
        'invalid_request',
        `The answer to the call ${toolCallId} has no outcome that a person gives.`,
      );
    }
    answers.push([toolCallId, answer]);
  }
  for (const [id, answer] of answers) {
    const settled = await calls.answer(state, id, answer);
    // Another answer came in this very moment.
    if (!settled?.isFirst) return refuseAnswered(id, settled?.call.answer);
  }
  return { status: 'accepted' };
}

function readAnswer(result: CarriedAnswer): ClientAnswer | undefined {
  const outcome = readOutcome(result, { from: 'person' });
  if (outcome === undefined || outcome === 'expired') return undefined;
  const value = result.result as JsonValue | undefined;
  return compact({ outcome, result: value, reason: readReason(result) ?? result.error });
}

function refuseAnswered(id: string, answer: ClientAnswer | undefined): InboxReceipt {
  return answer?.outcome === 'timed-out'
    ? refuse('call_expired', `The agent no longer waits for the call ${id}.`)
    : refuse('already_answered', `The call ${id} was answered before. The first answer counts.`);
}

function refuse(code: string, message: string): InboxReceipt {
  return { status: 'refused', code, message };
}
