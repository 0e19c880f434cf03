import type { AgentChatError } from '../../shared/errors.ts';
import type { JsonValue } from '../../shared/json.ts';
import { untilOnline } from '../../shared/network.ts';
import type { OpenCommand, RespondCommand, RunCommand, StopCommand } from '../protocol/commands.ts';
import type { Conversation } from '../state/conversation.ts';
import type { UIMessage } from '../state/message.ts';
import type { ChatStore } from '../store/chat-store.ts';
import type { ClientTools } from '../tools/client-tool.ts';
import { describeForTrigger } from '../tools/describe-tools.ts';
import type { AgentEventStream, AgentTransport, TransportIO } from '../transport/agent-transport.ts';
import type { AgentChatOptions } from './agent-chat.ts';
import type { AnswerDelivery } from './answer-delivery.ts';
import type { Notify } from './create-notify.ts';
import { type Tracer, toEventEntry } from './trace.ts';
import { backendError, notResumable, transportError } from './turn-errors.ts';

/** The parts of a chat that its responses need. */
export interface ResponseContext {
  readonly transport: AgentTransport;
  readonly delivery: AnswerDelivery;
  readonly store: ChatStore;
  readonly notify: Notify;
  readonly tracer: Tracer;
  readonly conversationId: () => string;
  readonly initialMessages: readonly UIMessage[];
  /** The options as they are right now. */
  readonly options: () => Pick<
    AgentChatOptions,
    'describeClientTools' | 'id' | 'maxToolRounds' | 'openOnStart'
  >;
  /** The tools of the page by name, as they are right now. */
  readonly tools: () => ClientTools;
}

/**
 * Sends a command and returns the stream of its response.
 *
 * @param number the number of the request in the trace
 */
export function openResponse(
  { transport, store, notify, options, tools, tracer, conversationId, initialMessages }: ResponseContext,
  command: RunCommand | OpenCommand,
  signal: AbortSignal,
  number: number,
): AgentEventStream {
  if (command.type === 'resume' && !transport.capabilities.resume) throw notResumable();
  const io: TransportIO = {
    signal,
    chat: {
      id: conversationId(),
      isNamed: options().id !== undefined,
      initialMessages,
      messages: () => store.getState().messages,
    },
    memory: {
      get: () => store.read().memory,
      set: (memory: JsonValue | undefined) => store.change({ type: 'memory-changed', memory }),
    },
    clientTools: tools,
    trace: (step) => tracer.step?.({ request: number, ...step }),
    reconnecting: (isReconnecting) => showReconnecting(isReconnecting, transport, store),
    onUnknownEvent: (event) => notify('onUnknownEvent', event),
  };
  if (command.type === 'trigger' && options().describeClientTools)
    return transport.run({ ...command, clientTools: describeForTrigger(tools()) }, io);
  if (command.type !== 'open') return transport.run(command, io);
  return (transport.open as NonNullable<AgentTransport['open']>)(command, io);
}

function showReconnecting(isReconnecting: boolean, { connection }: AgentTransport, store: ChatStore): void {
  const isShown = store.read().connection?.state === 'reconnecting';
  if (connection || isReconnecting === isShown) return;
  const status = { state: isReconnecting ? 'reconnecting' : 'connected' } as const;
  store.change({ type: 'connection-changed', status });
  store.publish();
}

/**
 * Delivers answers of a turn that is over. A new message follows, so the agent's reaction to them is not wanted: a continuation is
 * left at its first event.
 *
 * @throws AgentChatError if the delivery failed, and trying again can help. A backend that refuses the answers for good must
 * not hold back the answers after them, or the message.
 */
export async function deliverWithoutReply(
  context: ResponseContext,
  command: RespondCommand,
  signal: AbortSignal,
): Promise<void> {
  const { tracer, delivery } = context;
  await untilOnline(signal);
  const number = tracer.sent(command);
  let error: AgentChatError | undefined;
  try {
    const last = { ...command, beforeMessage: true } as const;
    for await (const events of openResponse(context, last, signal, number)) {
      const [event] = events;
      for (const received of events) tracer.step?.(toEventEntry(number, received));
      if (event?.type === 'error') throw backendError(event);
      if (event && delivery.readsRun(command)) break;
    }
  } catch (thrown) {
    error = transportError(thrown);
  }
  tracer.ended(number, error, signal.aborted || (!error && delivery.readsRun(command)));
  if (error?.retryable) throw error;
}

/** Asks the backend to stop a run. For this client the run is over, whether or not the request arrives. */
export function requestStop(
  { transport, tracer }: Pick<ResponseContext, 'transport' | 'tracer'>,
  run: Omit<StopCommand, 'type'>,
): void {
  if (!transport.capabilities.stop) return;
  tracer.step?.({ type: 'stop-sent', executionId: run.executionId, idempotencyKey: run.idempotencyKey });
  (async () => transport.stop?.({ type: 'stop', ...run }))().catch(() => {});
}

/** Names the run that a turn leaves behind: by the key of its trigger as long as the backend has not named it. */
export function toStoppedRun({
  undelivered,
  executionId,
  cursor,
  trigger,
}: Conversation): Omit<StopCommand, 'type'> {
  const run = undelivered[0]?.executionId;
  if (run) return { executionId: run };
  return executionId ? { executionId, cursor } : { idempotencyKey: trigger?.idempotencyKey };
}
