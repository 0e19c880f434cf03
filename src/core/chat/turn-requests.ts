/**
 * The requests of a turn: sends them, and applies the events of their responses. Events of a turn that is over are dropped here. What
 * follows from them is decided in `turn-progress.ts`.
 */

import type { Clock } from '../../shared/clock.ts';
import type { AgentChatError } from '../../shared/errors.ts';
import { isOffline, untilOnline } from '../../shared/network.ts';
import type { AgentEvent, ClientToolRequestEvent, FinishEvent, SnapshotEvent } from '../protocol/events.ts';
import { answeredElsewhere } from '../protocol/notices.ts';
import { toNotice } from '../state/conversation.ts';
import { isOpen, type ToolCall, toolCallKey } from '../state/tool-call.ts';
import { selectUndelivered } from './answer-delivery.ts';
import type { ToolCalls } from './calls/tool-calls.ts';
import { openResponse, type ResponseContext } from './open-response.ts';
import { toEventEntry } from './trace.ts';
import type { Turn, TurnRequest } from './turn.ts';
import { backendError, finishError, streamInterrupted, transportError } from './turn-errors.ts';
import { type TurnEndings, TurnProgress } from './turn-progress.ts';

export interface TurnRequestsContext extends ResponseContext {
  readonly toolCalls: ToolCalls;
  readonly clock: Clock;
}

/** Requests call these when they learn something about a turn. */
export interface TurnEvents extends TurnEndings {
  /** A turn begins that somebody else has started. */
  readonly begin: (turn: Turn) => void;
  /** The response ended that followed the conversation at rest. */
  readonly restEnded: (turn: Turn, request: TurnRequest, error: AgentChatError | undefined) => void;
}

export class TurnRequests {
  readonly #context: TurnRequestsContext;
  readonly #events: TurnEvents;
  readonly progress: TurnProgress;

  constructor(context: TurnRequestsContext, events: TurnEvents) {
    this.#context = context;
    this.#events = events;
    this.progress = new TurnProgress(context, events, (turn, request) => void this.run(turn, request));
  }

  /** Sends a request and applies its response. Never rejects. */
  async run(turn: Turn, request: TurnRequest): Promise<void> {
    const { store, delivery, tracer } = this.#context;
    const { signal } = turn.abort;
    const { command } = request;
    turn.requests.add(request);
    request.isOpen = true;
    if (delivery.readsRun(command)) turn.current = request;
    if (isOffline() && !(await this.#hold(turn, request))) return;
    const number = tracer.sent(command);
    if (command.type !== 'resume' && !turn.isResting) store.change({ type: 'request-sent', command });
    let error: AgentChatError | undefined;
    try {
      // The response is read to its end, also after `finish`: leaving early would cancel the body and cost the connection.
      for await (const events of openResponse(this.#context, command, signal, number)) {
        if (signal.aborted) break;
        const { step } = tracer;
        for (const event of events) {
          step?.(toEventEntry(number, event));
          if (!turn.isResting || this.#begin(turn, request, event)) this.#apply(turn, request, event);
        }
        // The first array has what a new page has to know.
        if (command.type === 'open') request.resolveAcknowledged();
        // A response that follows the conversation goes on after the turn, which has ended here.
        if (isFollowing(request) && !request.isOpen) break;
      }
    } catch (thrown) {
      error = transportError(thrown);
    }
    tracer.ended(number, error, signal.aborted, request.finishReason !== undefined);
    if (error && !signal.aborted && this.#isLostOffline(request, error)) return this.run(turn, request);
    if (turn.isResting) this.#events.restEnded(turn, request, error);
    else if (!turn.isOver && request.isOpen) this.#onResponseEnd(turn, request, error);
    request.isOpen = false;
    request.resolveAcknowledged();
  }

  /**
   * Begins the turn with the snapshot of a turn that somebody else has started. Returns false for any other event at rest: it is the end of a
   * run that is over on this page, because a person stopped it here.
   */
  #begin(turn: Turn, request: TurnRequest, event: AgentEvent): boolean {
    if (event.type !== 'snapshot') {
      request.restCursor = event.cursor ?? request.restCursor;
      return false;
    }
    turn.isResting = false;
    const { command } = request;
    if (command.type === 'open') this.#context.store.change({ type: 'request-sent', command });
    this.#events.begin(turn);
    return true;
  }

  /**
   * Waits until there is a network. Returns false if the turn ended meanwhile. A trigger that waits is known to be unsent, so that another
   * page may send it.
   */
  async #hold({ abort: { signal } }: Turn, request: TurnRequest): Promise<boolean> {
    if (request.command.type === 'trigger') this.#context.store.change({ type: 'request-held' });
    await untilOnline(signal);
    if (!signal.aborted) return true;
    request.isOpen = false;
    request.resolveAcknowledged();
    return false;
  }

  /**
   * True for a request that brought nothing because the network was lost under it. It is sent again by itself only where the backend
   * recognises it: answers by their calls, a message by its key at a backend that keeps conversations.
   */
  #isLostOffline({ command, isAcknowledged }: TurnRequest, { code }: AgentChatError): boolean {
    if (isAcknowledged || code !== 'connection_failed' || !isOffline()) return false;
    return command.type === 'respond' || this.#context.transport.capabilities.open === true;
  }

  #calls(): readonly ToolCall[] {
    return this.#context.store.read().calls;
  }

  #apply(turn: Turn, request: TurnRequest, event: AgentEvent): void {
    const { store, toolCalls, notify, delivery, transport } = this.#context;
    if (!request.isOpen) return;
    // This matters also after the turn has ended: the next message waits until its answers are acknowledged.
    this.#acknowledge(request, event);
    // The backend may refuse an answer after its turn has ended.
    if (turn.isOver && !this.#isAboutAnswer(request, event)) return;
    if (event.type === 'snapshot') return this.#onSnapshot(turn, request, event);
    if (event.type === 'tool-result-acknowledged' && toolCalls.onAcknowledged(event)) {
      this.#apply(turn, request, answeredElsewhere(event.toolCallId));
    }
    if (event.type === 'messages-replaced' && transport.replaceMessages) {
      const replaced = transport.replaceMessages(store.read(), event);
      return store.change({ type: 'messages-replaced', ...replaced });
    }
    store.change({ type: 'event', event });
    switch (event.type) {
      case 'start':
        request.mayEndEarly = false;
        return notify('onStart', event);
      case 'client-tool-request':
        return this.#onToolRequest(turn, request, event);
      case 'finish':
        return this.#onFinish(turn, request, event);
      case 'error':
        if (delivery.canEndTurn(turn, request)) this.#onFailure(turn, request, backendError(event));
        return;
      case 'resource-update':
        return notify('onResourceUpdate', event.name, event.value);
      case 'notice':
        return notify('onNotice', toNotice(event));
    }
  }

  /** True for an event about an answer that the request carries, unless another run has begun. */
  #isAboutAnswer({ answers }: TurnRequest, event: AgentEvent): boolean {
    const { executionId = '' } = this.#context.store.read();
    return 'toolCallId' in event && answers.includes(toolCallKey(executionId, event.toolCallId ?? ''));
  }

  /**
   * The first event of a response confirms that the answers of its request arrived. Two events say the opposite: an `error`, and
   * the `finish` of a run that still waits for answers.
   */
  #acknowledge(request: TurnRequest, event: AgentEvent): void {
    if (request.isAcknowledged || event.type === 'error') return;
    if (event.type === 'finish' && event.finishReason === 'client-tool-calls') return;
    request.isAcknowledged = true;
    request.resolveAcknowledged();
    this.#context.store.change({ type: 'calls-acknowledged', keys: request.answers });
  }

  #onSnapshot(turn: Turn, request: TurnRequest, snapshot: SnapshotEvent): void {
    const { store, toolCalls, clock, transport } = this.#context;
    const { executionId = '', openCalls } = snapshot;
    const keys = openCalls.map(({ toolCallId }) => toolCallKey(executionId, toolCallId));
    toolCalls.settleOpen('expired', keys);
    if (turn.isOver) return;
    store.change({ type: 'opened', snapshot, at: new Date(clock.now()) });
    request.mayEndEarly = executionId === '';
    if (keys.length > 0)
      this.#onToolRequest(turn, request, {
        ...{ type: 'client-tool-request', executionId, toolCalls: openCalls },
        // A server that has the conversation stores each answer.
        ...(transport.capabilities.open && { partial: true }),
      });
    store.publish();
    // No event follows at rest, but the response lasts.
    if (request.mayEndEarly && keys.length === 0 && isFollowing(request)) this.#onResponseEnd(turn, request);
  }

  #onToolRequest(turn: Turn, request: TurnRequest, event: ClientToolRequestEvent): void {
    const { store, toolCalls, delivery } = this.#context;
    request.mayEndEarly = true;
    request.goesOn = event.responseGoesOn === true;
    turn.isAnswering = false;
    // A run that asks again for calls which were answered has not got the answers. They are sent again; nothing runs twice.
    if (delivery.canEndTurn(turn, request)) {
      this.progress.lose(event.toolCalls.map((call) => toolCallKey(event.executionId, call.toolCallId)));
    }
    toolCalls.begin(event);
    // A person sees the question at once. Handlers that run by themselves can wait for the next frame.
    if (this.#calls().some(({ stage }) => stage === 'waiting')) store.publish();
    this.progress.advance(turn);
  }

  #onFinish(turn: Turn, request: TurnRequest, event: FinishEvent): void {
    const { delivery } = this.#context;
    request.finishReason = event.finishReason;
    request.isOpen = false;
    // The turn may have waited for the end of this response before it could rest.
    if (!delivery.canEndTurn(turn, request)) return this.progress.advance(turn);
    if (event.finishReason === 'error') return this.#events.fail(turn, request, finishError(event));
    if (delivery.canPause() && this.#hasMissingAnswers(turn, request)) return this.progress.advance(turn);
    this.#events.finish(turn, request);
  }

  /** True if the run waits for answers of this client. */
  #hasMissingAnswers(turn: Turn, request: TurnRequest): boolean {
    // A run that was resumed after a cut says that it waits: the answers never arrived, and are sent again.
    const isWaiting = request.finishReason === 'client-tool-calls';
    if (isWaiting && this.progress.loseDelivered()) turn.isAnswering = false;
    return this.#calls().some(isOpen) || selectUndelivered(this.#context.store.read()).length > 0;
  }

  #onResponseEnd(turn: Turn, request: TurnRequest, error?: AgentChatError): void {
    const { store, delivery } = this.#context;
    request.isOpen = false;
    // The person can still answer: what others do is only seen later.
    if (isFollowing(request) && this.#calls().some(isOpen)) return;
    if (!delivery.canEndTurn(turn, request) || delivery.isCompleteWithoutFinish(request)) {
      return this.progress.advance(turn);
    }
    if (error || request === turn.current) {
      return this.#onFailure(turn, request, error ?? streamInterrupted());
    }
    // A request that carries a single answer has a response without events: its end says that the answer was taken.
    store.change({ type: 'calls-acknowledged', keys: request.answers });
    this.progress.advance(turn);
  }

  /** A server that refuses an answer goes on to wait for one, so the turn goes on as well. */
  #onFailure(turn: Turn, request: TurnRequest, error: AgentChatError): void {
    request.isOpen = false;
    const { toolCalls, tracer } = this.#context;
    const refused = toolCalls.onRefused(request.answers, error);
    if (refused.length === 0) return this.#events.fail(turn, request, error);
    tracer.step?.({ type: 'answer-refused', toolCallIds: refused, code: error.backendCode });
    turn.isAnswering = false;
    this.progress.advance(turn);
  }
}

/** True for a request whose response lasts until the page leaves it. */
function isFollowing({ command }: TurnRequest): boolean {
  return command.type === 'open' && command.follow === true;
}
