/** Asks again about calls whose tool has another definition by now than the one that a person was asked about: the old yes is not about it. */
import type { NoticeEvent } from '../../core/protocol/events.ts';
import { QUESTION_CHANGED } from '../../shared/answer-refusals.ts';
import { readOutcome } from '../../shared/tool-outcome.ts';
import { askCalls, toAgentCall } from '../runs/agent-calls.ts';
import type { SessionSettings } from '../runs/session-settings.ts';
import { type CallRecord, type CallRecords, isApproval } from '../store/call-record.ts';
import { createListSource, type EventSource } from '../store/event-source.ts';
import type { ExecutionRecord } from '../store/session-store.ts';
import { toApprovalQuestion } from '../tools/approval.ts';
import { readArguments } from '../tools/call-arguments.ts';
import { findDefinition } from '../tools/find-server-tool.ts';
import { digestDefinition } from '../tools/remembered-choice.ts';
import { type AcceptContext, saveRequest } from './accept-answers.ts';
import type { ReceivedAnswer } from './check-answers.ts';

/** Asks anew about the open calls whose tools have changed. For a client that has no question yet: it gets the new ones. */
export async function askChanged(context: AcceptContext): Promise<void> {
  const { execution } = context.state.getRecord();
  if (execution?.state !== 'waiting') return;
  const changed = await findChanged(context, execution.open);
  if (Object.keys(changed).length > 0) await ask(context, execution, changed);
}

/**
 * Returns undefined if every yes is to the question as the tool asks it now. Else nothing is taken: the events ask the new questions, after a
 * notice that says why. A page that repeats no `definition` cannot be told from one that shows the stored question.
 */
export async function refuseOldYes(
  context: AcceptContext,
  execution: ExecutionRecord,
  fresh: readonly ReceivedAnswer[],
): Promise<EventSource | undefined> {
  const yes = fresh.filter(
    ({ call, answer }) => isApproval(call) && readOutcome(answer, { from: 'approval' }) === 'submitted',
  );
  const changed = await findChanged(
    context,
    yes.map(({ key }) => key),
  );
  const old = yes.find(
    ({ key, call, answer }) =>
      key in changed || (answer.definition !== undefined && answer.definition !== call.definition),
  );
  if (old === undefined) return undefined;
  const asked = await ask(context, execution, changed);
  return prepend(toNotice(old.call), asked);
}

/** Returns the calls as the tools of this process ask them, where that is another question. A call that its tool no longer takes is not asked. */
async function findChanged(
  { settings, state }: AcceptContext,
  keys: readonly string[],
): Promise<CallRecords> {
  const { calls } = state.getRecord();
  const changed: Record<string, CallRecord> = {};
  for (const key of keys) {
    const { input, ...call } = calls[key] as CallRecord;
    const tool = findDefinition(settings.tools, call.toolName);
    if (tool === undefined || call.stage !== 'asked' || !isApproval(call) || call.definition === undefined)
      continue;
    if (call.definition === (await digestDefinition(tool))) continue;
    const read = readArguments(call.toolName, tool, input ?? call.args);
    if (!('error' in read)) changed[key] = { ...call, ...read };
  }
  return changed;
}

async function ask(
  context: AcceptContext,
  execution: ExecutionRecord,
  changed: CallRecords,
): Promise<EventSource> {
  const { settings, state } = context;
  const { calls } = state.getRecord();
  const askedAt = settings.clock.now();
  const questions = Object.values(changed).map((call) => toQuestion(settings, execution, call));
  const { asked } = await askCalls(
    settings,
    execution,
    { ...calls, ...changed },
    {
      ofClient: [],
      questions,
      askedAt,
    },
  );
  return saveRequest(context, execution, asked, []);
}

function toQuestion(
  { tools, store, clock }: SessionSettings,
  { startedBy }: ExecutionRecord,
  call: CallRecord,
) {
  const tool = findDefinition(tools, call.toolName);
  const question = toAgentCall(call);
  return tool ? toApprovalQuestion(question, tool, { choices: startedBy && store.choices, clock }) : question;
}

function toNotice({ toolCallId, toolName }: CallRecord): NoticeEvent {
  const text = `The tool ${toolName} was changed after it had asked, so this yes did not count. Read the new question.`;
  return { type: 'notice', code: QUESTION_CHANGED, text, toolCallId };
}

function prepend(event: NoticeEvent, rest: EventSource): EventSource {
  const first = createListSource([event]);
  return { next: async () => (await first.next()) ?? rest.next(), close: () => rest.close() };
}
