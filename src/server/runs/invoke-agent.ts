/** One model invocation: forwards the events of the agent and records what the session needs of them. */
import type { AgentEvent, TokenUsage } from '../../core/protocol/events.ts';
import { untilAborted } from '../../shared/until-aborted.ts';
import type { Agent, AgentContext, ModelEvent } from '../agent.ts';
import { agentFailure } from '../session-errors.ts';
import { cancelEvents } from '../store/event-source.ts';
import {
  createInvocationRecord,
  type Invocation,
  recordEvent,
  recordFinish,
  toInvocation,
} from './invocation.ts';

/** Calls the agent once. Never throws; ends promptly when the signal aborts, whatever the agent does. */
export async function* invokeAgent(
  agent: Agent,
  context: AgentContext,
  earlierUsage: TokenUsage | null,
  usedIds: ReadonlySet<string>,
  onThrown: (thrown: unknown) => void,
): AsyncGenerator<AgentEvent, Invocation, undefined> {
  const record = createInvocationRecord(earlierUsage, usedIds);
  let events: AsyncIterator<ModelEvent> | undefined;
  try {
    events = read(agent(context));
    for (;;) {
      // An agent that ignores its signal must not hold the run.
      const step = await untilAborted(events.next(), context.signal);
      if (step === undefined || context.signal.aborted) return toInvocation(record, true);
      if (step.done) {
        recordFinish(record);
        return toInvocation(record, false);
      }
      const event = recordEvent(record, step.value);
      if (event === 'end') return toInvocation(record, false);
      if (event !== null) yield event;
      if (context.signal.aborted) return toInvocation(record, true);
    }
  } catch (thrown) {
    if (context.signal.aborted) return toInvocation(record, true);
    onThrown(thrown);
    record.error = agentFailure(thrown);
    return toInvocation(record, false);
  } finally {
    // Not awaited: an agent that hangs in its clean-up must not hold the run.
    cancelEvents(events);
  }
}

function read(stream: AsyncIterable<ModelEvent>): AsyncIterator<ModelEvent> {
  if (typeof stream?.[Symbol.asyncIterator] === 'function') return stream[Symbol.asyncIterator]();
  throw new TypeError(
    'The agent returned nothing that can be read event by event. Write it as `async function*`.',
  );
}
