import type { AgentEvent } from './events.ts';

/** What arrived together, as a list. */
export function toEvents(batch: AgentEvent | readonly AgentEvent[]): readonly AgentEvent[] {
  return (Array.isArray(batch) ? batch : [batch]) as readonly AgentEvent[];
}
