/** Takes the answers of the history to the service, which delivers each of them once. */
import type { AgentMessage, AgentToolMessage, ModelEvent } from '../../../server/agent.ts';
import { usedCallIds } from '../../../server/call-ids.ts';
import type { UtpToolService } from '../create-utp-tool-service.ts';
import { StepFailure } from '../step-failure.ts';
import { toAnswer } from '../to-answer.ts';
import type { UtpAnswer } from '../to-ending.ts';
import { UtpToolError } from '../tool-error.ts';
import type { UtpReceipt } from '../utp-receipt.ts';

/** Returns the answers at the end of the history. */
export function findLastAnswers(messages: readonly AgentMessage[]): readonly AgentToolMessage[] {
  const last = messages.findLastIndex(({ role }) => role !== 'tool');
  return messages.slice(last + 1).filter((message) => message.role === 'tool');
}

/** The service that takes the answers of one person. */
export interface AnswerSettings {
  readonly service: UtpToolService;
  readonly project: string;
  /** The person, for `mayAnswer` of the tools. */
  readonly principal: unknown;
}

/**
 * Delivers the answers. An answer that came too late, that the person may not give, or that NATS cannot carry becomes a notice.
 *
 * @throws StepFailure `pending` if an answer could not be stored; the client sends it again.
 */
export async function* deliverAnswers(
  settings: AnswerSettings,
  answers: readonly AgentToolMessage[],
): AsyncGenerator<ModelEvent> {
  for (const message of answers) {
    const { status, reason } = await deliver(settings, message.toolCallId, toAnswer(message));
    if (isNotice(status)) yield { type: 'notice', code: `answer_${status}`, text: reason };
  }
}

async function deliver(
  { service, project, principal }: AnswerSettings,
  toolCallId: string,
  answer: UtpAnswer,
): Promise<{ readonly status: UtpReceipt['status'] | 'refused'; readonly reason: string }> {
  const send = (sent: UtpAnswer) => service.answer(toolCallId, { ...sent, projectId: project }, principal);
  try {
    return { reason: '', ...(await send(answer)) };
  } catch (thrown) {
    const fault = thrown instanceof StepFailure ? thrown.cause : thrown;
    if (!(fault instanceof UtpToolError)) throw thrown;
    // The answer is too large, and no retry makes it smaller. The agent must not wait for it.
    await send({ outcome: 'failed', error: fault });
    return { status: 'refused', reason: fault.message };
  }
}

function isNotice(status: UtpReceipt['status'] | 'refused'): boolean {
  return status === 'expired' || status === 'forbidden' || status === 'refused';
}

/** Settles every call of these messages that is still open: the conversation has closed it by a stop, or by another message. */
export async function settleCallsOf(
  { service, project, principal }: AnswerSettings,
  messages: readonly AgentMessage[],
  outcome: 'aborted' | 'superseded',
): Promise<void> {
  const known = usedCallIds(messages);
  for (const { toolCallId, projectId } of service.listOpenCalls()) {
    if (projectId === project && known.has(toolCallId))
      await service.answer(toolCallId, { outcome, projectId }, principal);
  }
}
