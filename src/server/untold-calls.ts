import type { AgentMessage } from './agent.ts';
import type { EventLog, LoggedEvent } from './event-log.ts';
import type { ExecutionRecord } from './session-store.ts';

/**
 * Calls are recorded before they are told. Where the process died, or the log failed, between the two, nobody knows
 * what the execution waits for: its request is told now. Resolves to it, or to `null` where nothing was missing.
 */
export async function tellUntoldCalls(
  log: EventLog,
  { id, state, open, legStart, lastSeq }: ExecutionRecord,
  messages: readonly AgentMessage[],
): Promise<LoggedEvent | null> {
  if (state !== 'waiting') return null;
  const leg = await log.read(legStart - 1);
  if (leg === null || leg.some(({ event }) => event.type === 'client-tool-request')) return null;
  const results = messages
    .slice(messages.findLastIndex(({ role }) => role !== 'tool') + 1)
    .flatMap((message) => {
      if (message.role !== 'tool') return [];
      const { role: _, ...result } = message;
      return result;
    });
  const withResults = results.length > 0 ? { serverToolResults: results } : {};
  const entry: LoggedEvent = {
    seq: lastSeq,
    event: { type: 'client-tool-request', executionId: id, toolCalls: open, ...withResults },
  };
  await log.append(entry);
  return entry;
}
