/** Requests to the backend: the stream a command opens, answers that are delivered without wanting a reply, and stops. */

import type { RespondCommand, StopCommand } from '../protocol/commands.ts';
import { toEvents } from '../protocol/to-events.ts';
import type { AgentEventStream, AgentTransport, TransportIO } from '../transport/agent-transport.ts';
import type { Tell } from './callbacks.ts';
import type { Leg } from './turn.ts';
import { backendError, notResumable, transportError } from './turn-errors.ts';

/** What requests need. */
export interface RequestContext {
  readonly transport: AgentTransport;
  readonly tell: Tell;
}

export function openStream(
  { transport, tell }: RequestContext,
  command: Leg['command'],
  signal: AbortSignal,
): AgentEventStream {
  const io: TransportIO = { signal, onUnknownEvent: (event) => tell('onUnknownEvent', event) };
  if (command.type === 'trigger') return transport.start(command, io);
  if (command.type === 'respond') return transport.respond(command, io);
  if (transport.attach === undefined) throw notResumable();
  return transport.attach(command, io);
}

/**
 * Delivers answers of a turn that is over. What the agent would say to them is not wanted, a new message follows: a
 * backend that takes them together is left at its first word.
 *
 * @throws AgentChatError when it failed, or was refused by an event, and trying again can help. A refusal for good is no
 * reason to hold back the answers after it, or the message.
 */
export async function deliverWithoutReply(
  context: RequestContext,
  command: RespondCommand,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const batch of openStream(context, command, signal)) {
      const [word] = toEvents(batch);
      if (word?.type === 'error') throw backendError(word);
      if (word && takesTogether(context.transport)) break;
    }
  } catch (thrown) {
    const error = transportError(thrown);
    if (error.retryable) throw error;
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

/** Whether it takes all answers of a request in one, which opens the continuation of the run. */
export function takesTogether({ capabilities }: AgentTransport): boolean {
  return capabilities.results === 'together';
}
