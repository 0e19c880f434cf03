import type { AgentEvent, FinishReason } from '../../core/protocol/events.ts';
import type { Questions } from './find-questions.ts';

/**
 * Returns the events that end a run.
 *
 * @param type the type of its outcome
 */
export function endRun(
  type: unknown = 'success',
  { toolCalls, others }: Questions,
  executionId: string,
  pageIdOf: (toolCallId: string) => string,
): readonly AgentEvent[] {
  const finish = (finishReason: FinishReason): AgentEvent => ({ type: 'finish', finishReason, executionId });
  if (type === 'cancelled') return [toNotice('cancelled', 'The run was cancelled.'), finish('other')];
  if (toolCalls.length > 0) return [finish('client-tool-calls')];
  const notices = others.map((call) =>
    toNotice('unanswered_call', `No result of ${call.function.name}.`, pageIdOf(call.id)),
  );
  if (type === 'success' || type === 'interrupt') return [...notices, finish('stop')];
  return [...notices, toNotice('unknown_outcome', `The run ended as "${type}".`), finish('other')];
}

export function toNotice(code: string, text: string, toolCallId?: string): AgentEvent {
  return { type: 'notice', code, text, toolCallId };
}
