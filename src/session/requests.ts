/** Requests to the backend: the stream a command opens, answers that are delivered without wanting a reply, and stops. */
import type { RespondCommand, StopCommand } from '../protocol/commands.ts';
import type { AgentEvent } from '../protocol/events.ts';
import type { AgentEventStream, AgentTransport, TransportIO } from '../transport/agent-transport.ts';
import type { Leg } from './turn.ts';
import { backendError, notResumable, transportError } from './turn-errors.ts';

export function openStream(
  transport: AgentTransport,
  command: Leg['command'],
  io: TransportIO,
): AgentEventStream {
  if (command.type === 'trigger') return transport.start(command, io);
  if (command.type === 'respond') return transport.respond(command, io);
  if (transport.attach === undefined) throw notResumable();
  return transport.attach(command, io);
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
    if (Array.isArray(batch)) for (const event of batch as readonly AgentEvent[]) onEvent(event);
    else onEvent(batch as AgentEvent);
  }
}

/**
 * Delivers answers of a turn that is over. What the agent would say to them is not wanted, a new message follows: a
 * backend that takes them together is left at its first word.
 *
 * @throws AgentChatError when it failed, or was refused by an event, and trying again can help. A refusal for good is no
 * reason to hold back the answers after it, or the message.
 */
export async function deliverWithoutReply(
  transport: AgentTransport,
  command: RespondCommand,
  io: TransportIO,
): Promise<void> {
  const together = transport.capabilities.results === 'together';
  const parts = together ? [command] : command.answers.map((answer) => ({ ...command, answers: [answer] }));
  for (const part of parts) {
    try {
      for await (const batch of transport.respond(part, io)) {
        const [word] = [batch].flat() as readonly AgentEvent[];
        if (word?.type === 'error') throw backendError(word);
        if (word && together) break;
      }
    } catch (thrown) {
      const error = transportError(thrown);
      if (error.retryable) throw error;
    }
  }
}

/** Tells the server to stop a run, which is over for this client whether or not the server hears it. */
export function requestStop(
  transport: AgentTransport,
  { executionId, cursor }: Pick<StopCommand, 'executionId' | 'cursor'>,
): void {
  if (!transport.capabilities.stop) return;
  (async () => transport.stop?.({ type: 'stop', executionId, cursor }))().catch(() => {});
}
