/** The open calls of a tool service as a source of an inbox. */
import type { OpenCall } from '../../core/protocol/open-calls.ts';
import type { InboxAnswer, InboxReceipt, InboxSource } from '../../server/inbox/inbox-source.ts';
import { pageOpenCalls } from '../../server/inbox/page-open-calls.ts';
import { reportFailure } from '../../server/report-failure.ts';
import { saysYes } from '../../server/says-yes.ts';
import { systemClock } from '../../shared/clock.ts';
import { deepEqual } from '../../shared/deep-equal.ts';
import type { Principal } from '../../shared/principal.ts';
import { isGivenByPerson } from '../../shared/tool-outcome.ts';
import type { OpenCalls, UtpOpenCall } from './open-calls.ts';
import type { UtpToolServiceOptions } from './service-options.ts';
import { StepFailure } from './step-failure.ts';
import { toAnswer } from './to-answer.ts';
import { UtpToolError } from './tool-error.ts';
import { findUtpTool } from './utp-tool.ts';

/** How many answers are remembered, so that one that is sent again after a lost response is known. */
const MAX_TAKEN = 1_000;

/** The service of an inbox. */
export interface ServiceInboxSettings extends UtpToolServiceOptions {
  /** Undefined while the service does not run. */
  readonly getOpenCalls: () => OpenCalls | undefined;
  readonly subscribe: InboxSource['subscribe'];
}

/** Returns the source, see `UtpToolService.inbox`. */
export function createServiceInbox(settings: ServiceInboxSettings): InboxSource {
  const { target, getOpenCalls, subscribe, clock = systemClock } = settings;
  const prefix = `utp/${target}/`;
  const taken = new Map<string, readonly unknown[]>();

  /** The calls that no conversation asks, with the ids that they have in an inbox. */
  const listCalls = () => {
    const calls = getOpenCalls()?.list() ?? [];
    const open = calls.filter(({ askedBy, deadline }) => askedBy === undefined && deadline > clock.now());
    return open.map((call) => ({ call, openCall: toOpenCall(call, prefix) }));
  };

  return {
    prefix,
    subscribe,
    async list(query) {
      const calls = listCalls();
      const isFor = await Promise.all(calls.map(({ call }) => isForPerson(settings, query.principal, call)));
      return pageOpenCalls(
        calls.filter((_, index) => isFor[index]).map(({ openCall }) => openCall),
        query,
      );
    },
    async answer(answer, principal) {
      const openCalls = getOpenCalls();
      if (openCalls === undefined) throw new Error(`The tool service ${target} does not run.`);
      const ids = answer.toolResults.map(({ toolCallId }) => toolCallId);
      const key = JSON.stringify([answer.sessionId, answer.executionId, ids]);
      if (deepEqual(taken.get(key), [answer.toolResults, principal.id])) return { status: 'accepted' };
      const receipt = await answerCalls(settings, openCalls, findAnswered(listCalls(), answer), principal);
      if (receipt.status === 'refused') return receipt;
      taken.set(key, [answer.toolResults, principal.id]);
      const [oldest] = taken.keys();
      if (taken.size > MAX_TAKEN && oldest !== undefined) taken.delete(oldest);
      return receipt;
    },
  };
}

function toOpenCall(call: UtpOpenCall, prefix: string): OpenCall {
  const { projectId, channelId, agentId, agentTurnId, toolCallId, toolName, args, deadline } = call;
  return {
    // Neither a project nor a channel has a dot.
    sessionId: `${prefix}${projectId}.${channelId}.${agentId}`,
    executionId: agentTurnId,
    askedAt: call.receivedAt,
    call: { toolCallId, toolName, args, deadline },
  };
}

/**
 * `mayAnswer` of the tool decides. A call without such a rule is for the person whose channel it came on: `u_ada` is that of the principal
 * `ada`. On any other channel it is for nobody, since nothing says whose it is.
 */
async function isForPerson(
  { tools, onError, clock = systemClock }: ServiceInboxSettings,
  principal: Principal,
  call: UtpOpenCall,
): Promise<boolean> {
  const tool = findUtpTool(tools, call.toolName);
  if (typeof tool !== 'object') return false;
  const { mayAnswer } = tool;
  if (mayAnswer === undefined) return call.channelId === `u_${principal.id}`;
  const { projectId, toolCallId } = call;
  return saysYes({
    clock,
    name: `mayAnswer of the tool '${call.toolName}'`,
    report: (thrown) => reportFailure(onError, thrown, { step: 'rule', projectId, toolCallId }),
    ask: () => mayAnswer(principal, call),
  });
}

interface AnsweredCall {
  readonly call: UtpOpenCall | undefined;
  readonly toolResult: InboxAnswer['toolResults'][number];
}

function findAnswered(
  calls: readonly { readonly call: UtpOpenCall; readonly openCall: OpenCall }[],
  { sessionId, executionId, toolResults }: InboxAnswer,
): readonly AnsweredCall[] {
  return toolResults.map((toolResult) => ({
    toolResult,
    call: calls.find(
      ({ openCall }) =>
        openCall.sessionId === sessionId &&
        openCall.executionId === executionId &&
        openCall.call.toolCallId === toolResult.toolCallId,
    )?.call,
  }));
}

/** Checks all answers before it gives the first. */
async function answerCalls(
  settings: ServiceInboxSettings,
  openCalls: OpenCalls,
  answered: readonly AnsweredCall[],
  principal: Principal,
): Promise<InboxReceipt> {
  for (const { call, toolResult } of answered) {
    const { toolCallId } = toolResult;
    if (call === undefined) return refuse('call_expired', `The call '${toolCallId}' is not open any more.`);
    if (!(await isForPerson(settings, principal, call))) return refuseForeign(toolCallId);
    if (!isGivenByPerson(toAnswer(toolResult).outcome))
      return refuse(
        'invalid_result',
        `The outcome of an answer to '${toolCallId}' must be submitted, declined or cancelled.`,
      );
  }
  for (const { call, toolResult } of answered) {
    const { toolCallId } = toolResult;
    const answer = { ...toAnswer(toolResult), ...(call && { projectId: call.projectId }) };
    try {
      const { status } = await openCalls.answer(toolCallId, answer, principal);
      if (status === 'expired')
        return refuse('already_answered', `The call '${toolCallId}' has another answer.`);
      // The rule has changed its mind since it was asked.
      if (status === 'forbidden') return refuseForeign(toolCallId);
    } catch (thrown) {
      // The answer is too large, and no retry makes it smaller.
      const cause = thrown instanceof StepFailure ? thrown.cause : thrown;
      if (cause instanceof UtpToolError) return refuse('invalid_result', cause.message);
      throw thrown;
    }
  }
  return { status: 'accepted' };
}

function refuseForeign(toolCallId: string): InboxReceipt {
  return refuse('not_allowed', `The call '${toolCallId}' is not for you to answer. Nothing was changed.`);
}

function refuse(code: string, message: string): InboxReceipt {
  return { status: 'refused', code, message };
}
