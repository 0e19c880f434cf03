/** Remembers approvals of server tools, and answers later calls by them in the name of the person who chose. */
import type { PendingToolCall, ToolResult } from '../../core/protocol/events.ts';
import { compact, isRecord } from '../../shared/json.ts';
import type { Answerer, Principal } from '../../shared/principal.ts';
import { signRecord } from '../receipts/answer-receipt.ts';
import { issueReceipt } from '../receipts/question-receipt.ts';
import { reportFailure } from '../report-failure.ts';
import type { SessionSettings } from '../session-settings.ts';
import type { SessionState } from '../store/session-state.ts';
import type { AnswerRecord, ExecutionRecord } from '../store/session-store.ts';
import { digestDefinition, mayRemember, type StoredChoice } from '../tools/remembered-choice.ts';
import { findDefinition } from '../tools/run-server-tools.ts';
import type { ServerToolDefinition } from '../tools/server-tool.ts';
import { APPROVAL, putStep, type StoredAnswer } from '../tools/steps.ts';
import type { CallChoices } from '../tools/tool-run.ts';
import { toOutcome } from './check-question-answer.ts';
import { mayAnswerCall } from './may-answer.ts';

const DECLINED_EARLIER = 'The person declined this earlier and wanted that to be remembered';

/** Saves the choices of answers that ask for it. A choice that could not be saved is reported: the next call asks again. */
export async function rememberChoices(
  settings: SessionSettings,
  principal: Principal | undefined,
  { id: executionId, open }: Pick<ExecutionRecord, 'id' | 'open'>,
  answers: readonly ToolResult[],
): Promise<void> {
  const { id: sessionId, store, tools, clock, onError } = settings;
  if (store.choices === undefined || principal === undefined) return;
  for (const answer of answers) {
    const call = open.find(({ toolCallId }) => toolCallId === answer.toolCallId);
    const tool = call?.question?.remember && findDefinition(tools, call.toolName);
    if (!call || !tool || !isRecord(answer.result) || answer.result.remember !== true) continue;
    const { toolName, toolCallId } = call;
    const choice = toOutcome(answer) === 'declined' ? 'declined' : 'allowed';
    const rememberedAt = clock.now();
    try {
      const definition = await digestDefinition(tool);
      const made = {
        toolName,
        definition,
        choice,
        rememberedAt,
        sessionId,
        executionId,
        toolCallId,
      } as const;
      await store.choices.save(principal.id, made);
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
  call: PendingToolCall,
): CallChoices | undefined {
  if (settings.store.choices === undefined) return undefined;
  return {
    recall: (tool) => recallChoice(settings, principal, call, tool),
    async answer(choice) {
      const answer = toAnswer(choice, compact({ id: principal.id, name: principal.name }));
      const executionId = state.getRecord().execution?.id ?? '';
      const record = await toRecord(settings, executionId, call, choice, answer);
      await state.save(({ execution }) => ({
        answers: [record],
        execution: {
          steps: putStep(execution?.steps ?? {}, call.toolCallId, APPROVAL, {
            type: 'answered',
            answer,
            attempt: 1,
          }),
        },
      }));
      return answer;
    },
  };
}

/** Returns the choice of the person about the tool, if there is one and the person may still answer this call. */
async function recallChoice(
  settings: SessionSettings,
  principal: Principal,
  call: PendingToolCall,
  tool: ServerToolDefinition,
): Promise<StoredChoice | undefined> {
  const { id: sessionId, store, onError } = settings;
  if (!mayRemember(tool)) return undefined;
  try {
    const choices = await store.choices?.list(principal.id);
    const choice = choices?.find(({ toolName }) => toolName === call.toolName);
    if (choice === undefined || choice.definition !== (await digestDefinition(tool))) return undefined;
    return (await mayAnswerCall(settings, principal, call)) ? choice : undefined;
  } catch (thrown) {
    reportFailure(onError, thrown, { source: 'store', sessionId });
    return undefined;
  }
}

function toAnswer({ choice }: StoredChoice, answeredBy: Answerer): StoredAnswer {
  if (choice === 'allowed') return { outcome: 'submitted', result: { confirmed: true }, answeredBy };
  const result = { outcome: 'declined', confirmed: false, reason: DECLINED_EARLIER };
  return { outcome: 'declined', result, answeredBy };
}

/** The record names the answer that was remembered, and is signed as if the person had been asked. */
async function toRecord(
  { id: sessionId, receipts, clock }: SessionSettings,
  executionId: string,
  call: PendingToolCall,
  choice: StoredChoice,
  answer: StoredAnswer,
): Promise<AnswerRecord> {
  const { toolCallId, toolName, args } = call;
  const now = clock.now();
  const asked = { ...call, executedBy: 'server' as const };
  const receipt =
    receipts && (await issueReceipt(receipts, { sessionId, executionId, call: asked, askedAt: now }));
  const record: AnswerRecord = compact({
    ...{ sessionId, executionId, toolCallId, toolName, args, isApproval: true as const },
    ...answer,
    ...{ askedAt: now, answeredAt: now, receipt },
    remembered: {
      sessionId: choice.sessionId,
      executionId: choice.executionId,
      toolCallId: choice.toolCallId,
      rememberedAt: choice.rememberedAt,
    },
  });
  return signRecord(receipts, record);
}
