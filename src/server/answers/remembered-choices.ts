/** Remembers approvals of server tools, and answers later calls by them in the name of the person who chose. */
import { DECLINED_EARLIER } from '../../shared/approval-answers.ts';
import { digestArguments } from '../../shared/digest-json.ts';
import { compact, isRecord } from '../../shared/json.ts';
import type { Principal } from '../../shared/principal.ts';
import { issueReceipt } from '../receipts/question-receipt.ts';
import { reportFailure } from '../report-failure.ts';
import type { SessionSettings } from '../runs/session-settings.ts';
import type { CallRecord, StoredAnswer } from '../store/call-record.ts';
import type { StoredChoice } from '../store/choice-store.ts';
import type { SessionState } from '../store/session-state.ts';
import { findDefinition } from '../tools/find-server-tool.ts';
import { digestDefinition, mayRemember, readChoiceLimits } from '../tools/remembered-choice.ts';
import type { ServerToolDefinition } from '../tools/server-tool.ts';
import type { CallChoices } from '../tools/tool-run.ts';
import { answerCall, toAnswerer } from './accept-answers.ts';
import { mayAnswerCall } from './may-answer.ts';

/** Saves the choices of answers that ask for it. A choice that could not be saved is reported: the next call asks again. */
export async function rememberChoices(
  settings: SessionSettings,
  principal: Principal | undefined,
  answered: readonly CallRecord[],
): Promise<void> {
  const { id: sessionId, store, tools, clock, onError } = settings;
  if (store.choices === undefined || principal === undefined) return;
  for (const call of answered) {
    const { answer, question, toolName, toolCallId, executionId } = call;
    const tool = question?.remember && findDefinition(tools, toolName);
    const limits = isRecord(answer?.result) ? readChoiceLimits(answer.result.remember) : undefined;
    if (!tool || !isRecord(answer?.result) || limits === undefined) continue;
    // An answer that changed the arguments says nothing of those that the agent sends next time.
    if (answer.result.editedArgs !== undefined) continue;
    const choice = answer.outcome === 'submitted' ? 'allowed' : 'declined';
    try {
      const definition = call.definition ?? (await digestDefinition(tool));
      const digest = limits.sameArguments ? await digestArguments(call.args) : undefined;
      const about = { toolName, definition, choice, digest, scope: limits.scope } as const;
      const made = { ...about, sessionId, executionId, toolCallId, rememberedAt: clock.now() };
      await store.choices.save(principal.id, compact(made) as StoredChoice);
    } catch (thrown) {
      reportFailure(onError, thrown, { source: 'store', sessionId });
    }
  }
}

/** The choices of the person who started the run, for one call. */
export function toCallChoices(
  settings: SessionSettings,
  state: SessionState,
  principal: Principal,
  key: string,
): CallChoices | undefined {
  if (settings.store.choices === undefined) return undefined;
  const call = () => state.getRecord().calls[key] as CallRecord;
  return {
    recall: (tool) => recallChoice(settings, principal, call(), tool),
    async answer(choice, question) {
      const now = settings.clock.now();
      const { args } = call();
      const asked: CallRecord = { ...call(), question, askedAt: now, digest: await digestArguments(args) };
      const { receipts, id } = settings;
      const receipt = receipts && (await issueReceipt(receipts, id, asked));
      const answer = toAnswer(choice, principal, now);
      const done = await answerCall(settings, { ...asked, ...(receipt && { receipt }) }, answer);
      await state.save({ calls: { [key]: done } });
      return answer;
    },
  };
}

/** Returns the choice of the person about the tool, if there is one and the person may still answer this call. */
async function recallChoice(
  settings: SessionSettings,
  principal: Principal,
  call: CallRecord,
  tool: ServerToolDefinition,
): Promise<StoredChoice | undefined> {
  const { id: sessionId, store, onError } = settings;
  if (!mayRemember(tool)) return undefined;
  try {
    const choices = await store.choices?.list(principal.id);
    const definition = await digestDefinition(tool);
    const digest = await digestArguments(call.args);
    const about = (choices ?? []).filter(
      (choice) =>
        choice.toolName === call.toolName &&
        choice.definition === definition &&
        (choice.digest ?? digest) === digest &&
        (choice.scope === undefined || choice.sessionId === sessionId),
    );
    // A no counts before a yes, whichever came first: an agent gets no yes by asking in another way.
    const choice = about.find((one) => one.choice === 'declined') ?? about[0];
    return choice && (await mayAnswerCall(settings, principal, call)) ? choice : undefined;
  } catch (thrown) {
    reportFailure(onError, thrown, { source: 'store', sessionId });
    return undefined;
  }
}

/** The record names the answer that was remembered, and is signed as if the person had been asked. */
function toAnswer(choice: StoredChoice, principal: Principal, at: number): StoredAnswer {
  const { sessionId, executionId, toolCallId, rememberedAt } = choice;
  const answeredBy = toAnswerer(principal);
  const from = {
    at,
    ...(answeredBy && { answeredBy }),
    remembered: { sessionId, executionId, toolCallId, rememberedAt },
  };
  return choice.choice === 'allowed'
    ? { outcome: 'submitted', result: { confirmed: true }, ...from }
    : { outcome: 'declined', reason: DECLINED_EARLIER, ...from };
}
