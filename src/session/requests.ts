/** Requests to the backend: the stream a command opens, and answers that are delivered without wanting a reply. */
import type { RespondCommand } from '../protocol/commands.ts';
import type { AgentEvent } from '../protocol/events.ts';
import type { AgentEventStream, AgentTransport, TransportIO } from '../transport/agent-transport.ts';
import type { Leg } from './turn.ts';
import { notResumable, transportError } from './turn-errors.ts';

export function openStream(
  transport: AgentTransport,
  command: Leg['command'],
  io: TransportIO,
): AgentEventStream {
  switch (command.type) {
    case 'trigger':
      return transport.start(command, io);
    case 'respond':
      return transport.respond(command, io);
    case 'resume':
      if (transport.attach === undefined) throw notResumable();
      return transport.attach(command, io);
    default:
      return command satisfies never;
  }
}

/**
 * Hands over every event until the stream ends or the signal aborts; also those after `finish`, because leaving early
 * would cancel the body and cost the connection.
 */
export async function readStream(
  stream: AgentEventStream,
  signal: AbortSignal,
  onEvent: (event: AgentEvent) => void,
): Promise<void> {
  for await (const batch of stream) {
    if (signal.aborted) return;
    if (Array.isArray(batch)) for (const event of joinDeltas(batch as readonly AgentEvent[])) onEvent(event);
    else onEvent(batch as AgentEvent);
  }
}

/** Deltas of one stream that arrived together become one: the message is the same, and it is written once. */
function joinDeltas(events: readonly AgentEvent[]): readonly AgentEvent[] {
  if (events.length < 2) return events;
  const joined: AgentEvent[] = [];
  let last: AgentEvent | undefined;
  // What the transport gave is left as it was, and a copy per delta would cost more than the delta.
  let isCopy = false;
  for (const event of events) {
    if (last === undefined || !continues(last, event)) {
      joined.push(event);
      last = event;
      isCopy = false;
      continue;
    }
    if (!isCopy) joined[joined.length - 1] = last = { ...last };
    isCopy = true;
    append(last, event);
  }
  return joined;
}

function continues(first: AgentEvent, second: AgentEvent): boolean {
  if (first.type !== second.type) return false;
  switch (second.type) {
    case 'text-delta':
    case 'reasoning-delta':
      return second.id === (first as typeof second).id;
    case 'tool-input-delta':
      return second.toolCallId === (first as typeof second).toolCallId;
    default:
      return false;
  }
}

/** Writes a delta to the end of the one it continues, which is then at its position. */
function append(first: AgentEvent, second: AgentEvent): void {
  if ('delta' in first && 'delta' in second) first.delta += second.delta;
  if ('inputTextDelta' in first && 'inputTextDelta' in second) first.inputTextDelta += second.inputTextDelta;
  if (second.cursor !== undefined) first.cursor = second.cursor;
}

/**
 * Delivers answers of a turn that is over. What the agent would say to them is not wanted, a new message follows: a
 * backend that takes them together is left at its first word.
 *
 * @throws AgentChatError when the backend is out of reach. A refusal is no reason to hold the message back.
 */
export async function deliverWithoutReply(
  transport: AgentTransport,
  command: RespondCommand,
  io: TransportIO,
): Promise<void> {
  const together = transport.capabilities.results === 'together';
  const parts = together ? [command] : command.answers.map((answer) => ({ ...command, answers: [answer] }));
  try {
    for (const part of parts) {
      for await (const _ of transport.respond(part, io)) if (together) break;
    }
  } catch (thrown) {
    const error = transportError(thrown);
    if (error.code === 'connection_failed' || error.code === 'connection_lost') throw error;
  }
}
