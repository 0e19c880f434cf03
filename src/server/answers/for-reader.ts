import type { AgentEvent, PendingToolCall } from '../../core/protocol/events.ts';
import type { Principal } from '../../shared/principal.ts';
import type { SessionSettings } from '../runs/session-settings.ts';
import type { EventSource } from '../store/event-source.ts';
import { hasPolicy, mayAnswerCall } from './may-answer.ts';

/** Marks the calls that the reader of the events may not answer. */
export function forReader(
  source: EventSource,
  settings: SessionSettings,
  principal: Principal | undefined,
): EventSource {
  if (!hasPolicy(settings)) return source;
  const mark = async (call: PendingToolCall): Promise<PendingToolCall> =>
    (await mayAnswerCall(settings, principal, call)) ? call : { ...call, mayAnswer: false };
  const markAll = (calls: readonly PendingToolCall[]) => Promise.all(calls.map(mark));
  return {
    async next() {
      const event: AgentEvent | null = await source.next();
      if (event?.type === 'client-tool-request')
        return { ...event, toolCalls: await markAll(event.toolCalls) };
      if (event?.type === 'snapshot') return { ...event, openCalls: await markAll(event.openCalls) };
      return event;
    },
    close: () => source.close(),
  };
}
