/**
 * The life of turns: starts, ends, repeats and resumes them, and sees that the agent gets the answers that a turn left undelivered. What
 * happens between the start and the end of a turn is in `turn-requests.ts`.
 */

import { isCallOver } from '../../shared/answer-refusals.ts';
import type { AgentChatError } from '../../shared/errors.ts';
import type { TriggerCommand } from '../protocol/commands.ts';
import type { FinishReason } from '../protocol/events.ts';
import { finaliseMessage, type TurnEnding } from '../state/finalise.ts';
import type { UIMessage } from '../state/message.ts';
import { isOpen, isRedacted, isUndelivered } from '../state/tool-call.ts';
import { canResume, toResumeCommand } from './can-resume.ts';
import { deliverLeftovers } from './deliver-leftovers.ts';
import { requestStop, toStoppedRun } from './open-response.ts';
import { RestWatch } from './rest-watch.ts';
import type { ChatTraceEntry } from './trace.ts';
import {
  createTurn,
  createTurnRequest,
  hasOpenRequest,
  resolveRest,
  type Turn,
  type TurnRequest,
} from './turn.ts';
import { notResumable, streamInterrupted, transportError } from './turn-errors.ts';
import { TurnRequests, type TurnRequestsContext } from './turn-requests.ts';

interface TurnsContext extends TurnRequestsContext {
  readonly createId: () => string;
  /** Called when a turn has ended and no other one has begun. */
  readonly onEnd: () => void;
}

type TurnCause = Extract<ChatTraceEntry, { type: 'turn-started' }>['cause'];

export class Turns {
  readonly #context: TurnsContext;
  readonly #requests: TurnRequests;
  /** The turn that is going on, resting or not. */
  #active: Turn | undefined;
  /** Only while no turn is active. */
  readonly #watch: RestWatch;
  /** The request that failed, which `retry()` repeats. */
  #failed: TurnRequest | undefined;

  constructor(context: TurnsContext) {
    this.#context = context;
    this.#requests = new TurnRequests(context, {
      finish: (turn, request) => this.#finish(turn, request),
      fail: (turn, request, error) => this.#fail(turn, request, error),
      rest: (turn) => {
        const calls = context.store.read().calls.filter(isOpen).length;
        context.tracer.step?.({ type: 'turn-waiting', calls });
        this.#rest(turn);
        this.#follow(turn);
      },
      begin: (turn) => this.#activate('open', turn),
      restEnded: (turn, request, error) => this.#onRestEnded(turn, request, error),
    });
    this.#watch = new RestWatch((turn, request) => void this.#requests.run(turn, request));
  }

  isActive(): boolean {
    return this.#active !== undefined;
  }

  /** Resolves when the turn that goes on rests; at once if none does. */
  async rested(): Promise<void> {
    const turn = this.#active;
    if (turn) await new Promise<void>((resolve) => turn.onRest.push(resolve));
  }

  /** True if the conversation of the turn was opened from the server. */
  isOpened(): boolean {
    return [...(this.#active?.requests ?? [])].some(({ command }) => command.type === 'open');
  }

  /** Ends the turn that is going on, if any, and starts another one. Resolves when that one rests. */
  readonly start = (command: TriggerCommand, userMessage: UIMessage | undefined): Promise<void> => {
    const before = this.#interruptActive();
    this.#forgetFailure();
    this.#context.store.change({ type: 'turn-started', ...this.#newMessage(), command, userMessage });
    return this.#launch('message', createTurn(), createTurnRequest(command), before);
  };

  /**
   * Reads the conversation from the server. Resolves when it rests. Does nothing while a request of the turn is open: the page has what the
   * server has.
   */
  async open(): Promise<void> {
    const turn = this.#active ?? createTurn();
    if (hasOpenRequest(turn)) return;
    return this.#launch('open', turn, createTurnRequest({ type: 'open' }));
  }

  /** Resolves when the conversation that is being opened or joined has arrived, or there is none. */
  opening(): Promise<void> | undefined {
    const { command, acknowledged } = this.#active?.current ?? this.#watch.request ?? {};
    return command?.type === 'open' && !command.follow ? acknowledged : undefined;
  }

  /** Repeats the request that failed, or resumes its run where that is possible. */
  async retry(turn: Turn = createTurn()): Promise<void> {
    const { store } = this.#context;
    if (!this.#failed) return;
    const conversation = store.read();
    let { command } = this.#failed;
    if (this.#canResume(this.#failed)) return this.#resume({ ...turn, isRetry: true });
    // The run that should have been resumed is over or gone: the request that started it is sent again.
    if (command.type === 'resume') command = conversation.request ?? command;
    if (command.type === 'open') return this.open();
    // The state knows where the session of a trigger has to go back to.
    if (command.type === 'trigger') command = conversation.trigger ?? command;
    const request = createTurnRequest(command);
    const fresh = command.type === 'trigger' ? this.#newMessage() : undefined;
    store.change({ type: 'turn-retried', fresh });
    store.change({ type: 'calls-delivered', keys: request.answers });
    return this.#launch('retry', turn, request);
  }

  /**
   * Resumes a run that was cut, if one was, or joins the one that goes on at a backend with `joins`.
   *
   * @throws AgentChatError `not_resumable` if the backend gave no position in the run, or cannot resume
   */
  async resume(): Promise<void> {
    if (this.#active) return;
    if (this.#context.store.read().interrupted) await this.#resume(createTurn());
    else if (this.#context.transport.capabilities.joins) await this.#watch.join();
  }

  /** Clears the failure. After that there is nothing to retry. */
  clearError(): void {
    const { store } = this.#context;
    if (store.read().phase !== 'error') return;
    this.#forgetFailure();
    store.change({ type: 'error-cleared' });
    store.publish();
    this.#followAtRest();
  }

  /** @param keepsRun ends the turn on this page only: the run goes on, and the next page that opens the conversation resumes it */
  stop(keepsRun = false): void {
    const turn = this.#active;
    if (keepsRun) this.#watch.leave();
    if (!turn || !this.#settleOpenCalls(turn, 'aborted')) return;
    // A backend that hears of the stop ends the calls itself. Any other one must not believe that nothing was done.
    if (!keepsRun && !this.#context.transport.capabilities.stop) this.#keepUndelivered();
    this.#abandon(turn, 'stopped', !keepsRun);
    this.#rest(turn);
    if (!keepsRun) this.#followAtRest();
  }

  /** Goes on after a call was settled. */
  onProgress(byPerson: boolean): void {
    const turn = this.#active;
    if (turn === undefined) return;
    // A person's answer starts the count anew. The continuation that carries it does not count.
    if (byPerson) {
      turn.rounds = turn.isAnswering ? 0 : -1;
      turn.hasPersonsAnswer = true;
    }
    this.#requests.progress.advance(turn);
  }

  /** Opens the conversation if the chat has `openOnStart`, or joins what goes on at the backend. */
  openOnStart(): void {
    if (this.#opensItself()) void this.open();
    else if (this.#context.transport.capabilities.joins) void this.#watch.join();
  }

  /** Goes on with the turn of a conversation that was persisted, or begins with a new conversation. */
  restore(): void {
    const { transport, store } = this.#context;
    const { phase, request: command, calls, connection } = store.read();
    const status = transport.connection?.getStatus();
    // The state may still show the connection of another tab.
    if (status && status !== connection) store.change({ type: 'connection-changed', status });
    const opensAgain = this.#opensItself() && command?.type === 'open' && phase === 'error';
    if (command === null || phase === 'idle' || opensAgain) return this.openOnStart();
    const request = createTurnRequest(command);
    const isWhole = calls.every(({ stage, answer }) => stage === 'acknowledged' || !isRedacted(answer));
    if (phase === 'error' && isWhole) {
      this.#failed = request;
      return;
    }
    // A request whose answers lost their secrets in the storage cannot be repeated: the turn goes on, and asks for them again.
    if (phase === 'error') store.change({ type: 'turn-resumed' });
    this.#goOn(request);
  }

  /** Lets go of the turn and of the connection without settling or notifying anything: another tab goes on with the turn. */
  detach(): void {
    const { transport, toolCalls, tracer } = this.#context;
    const turn = this.#active;
    this.#active = undefined;
    this.#failed = undefined;
    this.#watch.leave();
    toolCalls.detach();
    if (turn) {
      tracer.step?.({ type: 'turn-ended', ending: 'detached' });
      turn.isOver = true;
      turn.abort.abort();
      resolveRest(turn);
    }
    transport.connection?.disconnect();
  }

  /** True if the chat has `openOnStart`, and its backend can open conversations. */
  #opensItself(): boolean {
    const { options, transport } = this.#context;
    return options().openOnStart === true && transport.capabilities.open === true;
  }

  /** @param request the request that was under way when the conversation was persisted */
  #goOn(request: TurnRequest): void {
    const { transport, delivery, store, toolCalls } = this.#context;
    const { calls } = store.read();
    const turn = createTurn();
    turn.current = request;
    // Before the calls are restored: settling one of them must find the turn it belongs to.
    this.#activate('restore', turn);
    // The page before this one was left before the network was back.
    if (store.read().isHeld) return void this.#requests.run(turn, request);
    // While nothing of this page is in transit, the server's conversation counts: it may have moved on to another run.
    const open = this.#opensItself() && !calls.some(isUndelivered) && ({ type: 'open' } as const);
    const resume = open || toResumeCommand(store.read(), transport);
    if (resume) void this.#requests.run(turn, createTurnRequest(resume));
    toolCalls.restore();
    // A handler that runs again may have stopped the turn.
    if (!turn.isOver) toolCalls.reopen();
    if ((resume && !delivery.resendsOnResume()) || turn.isOver) return;
    const hasUndelivered = calls.some(({ stage }) => stage !== 'acknowledged');
    if (!hasUndelivered && !resume) return this.#fail(turn, request, streamInterrupted());
    // It is unknown whether answers in transit arrived. They are sent again under the same call ids.
    this.#requests.progress.loseDelivered(calls);
    this.#requests.progress.advance(turn);
  }

  #canResume(request: TurnRequest): boolean {
    const { store, transport, delivery } = this.#context;
    return request.command.type !== 'open' && canResume(request, store.read(), transport, delivery);
  }

  /** Watches for the answers that people give elsewhere, while the turn waits and nothing else is open. */
  #follow(turn: Turn): void {
    if (turn.isOver || !this.#opensItself() || hasOpenRequest(turn)) return;
    const { executionId, cursor } = this.#context.store.read();
    void this.#requests.run(turn, createTurnRequest({ type: 'open', executionId, cursor, follow: true }));
  }

  /** Watches for the turns that others begin, while no turn goes on here. The server must say where the conversation rests. */
  #followAtRest(cursor = this.#context.store.read().cursor): void {
    const { phase, executionId } = this.#context.store.read();
    if (this.#active || phase !== 'idle' || cursor === undefined || !this.#opensItself()) return;
    this.#watch.follow({ executionId, cursor });
  }

  /** A response that brought the end of a stopped run is followed by another one, from that end on. Any other one broke off. */
  #onRestEnded(turn: Turn, { command, restCursor }: TurnRequest, error?: AgentChatError): void {
    resolveRest(turn);
    if (!this.#watch.release(turn)) return;
    if (error && command.type === 'open' && !command.follow) this.#context.notify('onError', error);
    if (restCursor !== undefined) this.#followAtRest(restCursor);
  }

  #newMessage(): { messageId: string; at: Date } {
    const { createId, clock } = this.#context;
    return { messageId: createId(), at: new Date(clock.now()) };
  }

  #launch(cause: TurnCause, turn: Turn, request: TurnRequest, before?: Turn): Promise<void> {
    const { store } = this.#context;
    this.#activate(cause, turn);
    this.#failed = undefined;
    const rested = new Promise<void>((resolve) => turn.onRest.push(resolve));
    store.publish();
    // A subscriber may have stopped the turn.
    if (turn.isOver) return rested;
    if (store.read().undelivered.length === 0) {
      void this.#requests.run(turn, request);
      return rested;
    }
    deliverLeftovers(turn, this.#context, before).then(
      () => {
        if (!turn.isOver) void this.#requests.run(turn, request);
      },
      (thrown: unknown) => {
        if (!turn.isOver) this.#fail(turn, request, transportError(thrown));
      },
    );
    return rested;
  }

  #activate(cause: TurnCause, turn: Turn): void {
    if (turn !== this.#active) this.#context.tracer.step?.({ type: 'turn-started', cause });
    this.#active = turn;
    if (!this.#watch.release(turn)) this.#watch.leave();
  }

  /** Ends the active turn because a message takes its place. Returns the turn if some of its answers are undelivered. */
  #interruptActive(): Turn | undefined {
    const { store } = this.#context;
    let before: Turn | undefined;
    while (this.#active) {
      const turn = this.#active;
      if (!this.#settleOpenCalls(turn, 'superseded')) continue;
      before = store.read().calls.some(isUndelivered) ? turn : undefined;
      this.#keepUndelivered();
      // A run that gets answers of this client is stopped after they were delivered.
      if (before) this.#close('interrupted');
      else this.#abandon(turn, 'interrupted', hasOpenRequest(turn));
      resolveRest(turn);
    }
    return before;
  }

  /** After this nobody can retry the failed request: its answers go out before the next message. */
  #forgetFailure(): void {
    if (this.#failed && this.#context.store.read().error?.retryable) this.#keepUndelivered();
    this.#failed = undefined;
  }

  #keepUndelivered(): void {
    const { store, delivery } = this.#context;
    store.change({ type: 'undelivered-kept', expired: delivery.forExpired });
  }

  async #resume(turn: Turn): Promise<void> {
    const { store, transport, delivery, toolCalls } = this.#context;
    const command = toResumeCommand(store.read(), transport);
    if (!command) throw notResumable();
    store.change({ type: 'turn-resumed' });
    const rested = this.#launch('resume', turn, createTurnRequest(command));
    // Calls that expired with the cut are open again: the run still waits for them.
    toolCalls.reopen(store.read().calls.map(({ key }) => key));
    store.publish();
    if (delivery.resendsOnResume()) this.#requests.progress.advance(turn);
    return rested;
  }

  /** Settles the open calls of a turn that ends. Returns false if an aborted handler has begun another turn meanwhile. */
  #settleOpenCalls(turn: Turn, outcome: 'aborted' | 'expired' | 'superseded'): boolean {
    // Set first: calls that settle now must not be delivered.
    turn.isOver = true;
    this.#context.toolCalls.settleOpen(outcome);
    return this.#active === turn;
  }

  /** Ends the active turn in the state. Publishes nothing: subscribers act on what they see, and the ending is not complete. */
  #close(ending: TurnEnding, error?: AgentChatError, finishReason?: FinishReason): void {
    this.#active = undefined;
    this.#context.tracer.step?.({ type: 'turn-ended', ending, finishReason, code: error?.code });
    this.#context.store.change({ type: 'turn-ended', ending, error });
  }

  /** Closes the turn for late events, then asks the backend to stop the run. */
  #abandon(turn: Turn, ending: TurnEnding, stopsRun: boolean): void {
    this.#close(ending);
    const run = toStoppedRun(this.#context.store.read());
    turn.abort.abort();
    if (stopsRun) requestStop(this.#context, run);
  }

  #finish(turn: Turn, request: TurnRequest): void {
    const { store, notify, onEnd } = this.#context;
    if (!this.#settleOpenCalls(turn, 'expired')) return;
    const { streamingMessage, usage } = store.read();
    this.#close('finished', undefined, request.finishReason);
    // An answer without any part is not among the messages, but `onFinish` gets it.
    const message = streamingMessage?.parts.length
      ? store.read().messages.at(-1)
      : streamingMessage && finaliseMessage(streamingMessage, 'finished');
    this.#rest(turn);
    if (message) notify('onFinish', { message, finishReason: request.finishReason ?? 'other', usage });
    onEnd();
    this.#followAtRest();
  }

  #fail(turn: Turn, request: TurnRequest, error: AgentChatError): void {
    const { store, delivery, notify, onEnd } = this.#context;
    if (this.#opensItself() && isCallOver(error.backendCode)) return this.#catchUp(turn);
    if (!this.#settleOpenCalls(turn, 'expired')) return;
    // Answers that had a request of their own, which did not end well, are still to be delivered. Others are repeated by `retry()`.
    const unsent = [...turn.requests].filter(
      (other) => (other.isOpen || other === request) && !delivery.readsRun(other.command),
    );
    store.change({ type: 'calls-lost', keys: unsent.flatMap(({ answers }) => answers) });
    this.#failed = request;
    this.#close('failed', error);
    turn.abort.abort();
    const wasOver = turn.isRetry && isOver(request) && !this.#canResume(request);
    const restarts = error.backendCode === 'server_restarted' && !turn.isRestart;
    if (error.retryable && (wasOver || restarts))
      return void this.retry({ ...createTurn(), isRestart: true }).then(() => resolveRest(turn));
    this.#rest(turn);
    notify('onError', error);
    onEnd();
  }

  /** The server has gone on without this page: the answers that are under way do not count, and its conversation has what did. */
  #catchUp(turn: Turn): void {
    const { store, toolCalls } = this.#context;
    for (const { request } of store.read().calls.filter(isUndelivered)) {
      const { toolCallId } = request;
      const status = 'expired';
      toolCalls.onAcknowledged({ type: 'tool-result-acknowledged', toolCallId, status, outcome: status });
    }
    void this.#requests.run(turn, createTurnRequest({ type: 'open' }));
  }

  #rest(turn: Turn): void {
    this.#context.store.publish();
    resolveRest(turn);
  }
}

/** True if the run was over that the request should have resumed: nothing of it arrived. */
function isOver({ command, isAcknowledged }: TurnRequest): boolean {
  return command.type === 'resume' && !isAcknowledged;
}
