/** Decides the next step of a turn: answers are delivered, or the turn rests, finishes or fails. */

import type { AgentChatError } from '../../shared/errors.ts';
import { isOffline, untilOnline } from '../../shared/network.ts';
import type { RespondCommand } from '../protocol/commands.ts';
import { isOpen, type ToolCall } from '../state/tool-call.ts';
import { selectUndelivered } from './answer-delivery.ts';
import type { ToolCalls } from './calls/tool-calls.ts';
import type { ResponseContext } from './open-response.ts';
import {
  createTurnRequest,
  hasOpenRequest,
  isResumed,
  isSendingPart,
  type Turn,
  type TurnRequest,
} from './turn.ts';
import { streamInterrupted, toolRoundsExceeded } from './turn-errors.ts';

const MAX_TOOL_ROUNDS = 25;

interface TurnProgressContext extends Pick<ResponseContext, 'store' | 'delivery' | 'options'> {
  readonly toolCalls: Pick<ToolCalls, 'reopen'>;
}

/** The ways in which requests end or pause their turn. */
export interface TurnEndings {
  /** The agent is done with the turn. */
  readonly finish: (turn: Turn, request: TurnRequest) => void;
  readonly fail: (turn: Turn, request: TurnRequest, error: AgentChatError) => void;
  /** The turn waits for a person and for nothing else. */
  readonly rest: (turn: Turn) => void;
}

export class TurnProgress {
  readonly #context: TurnProgressContext;
  readonly #endings: TurnEndings;
  readonly #run: (turn: Turn, request: TurnRequest) => void;

  /** @param run sends a request of a turn */
  constructor(
    context: TurnProgressContext,
    endings: TurnEndings,
    run: (turn: Turn, request: TurnRequest) => void,
  ) {
    this.#context = context;
    this.#endings = endings;
    this.#run = run;
  }

  /** Does the next step that is due: delivers answers that are complete, or lets the turn rest, finish or fail. */
  advance(turn: Turn): void {
    if (turn.isOver) return;
    const { store, delivery } = this.#context;
    const open = this.#calls().filter(isOpen);
    const ready = selectUndelivered(store.read());
    if (ready.length > 0 && delivery.canSend(turn, open)) {
      // Answers of the same moment go together.
      if (open.length > 0 && delivery.canPause()) return queueMicrotask(() => this.#deliverReady(turn));
      return this.#deliverReady(turn);
    }
    if (hasOpenRequest(turn, delivery.silentRequest(turn, open))) return;
    if (open.some(({ stage }) => stage !== 'waiting')) return;
    if (open.length > 0) return this.#endings.rest(turn);
    // No call is open and no answer is due: every call expired, or the request named no call at all.
    if (turn.current !== undefined) return this.#endings.finish(turn, turn.current);
    // The answers were sent, but no request reads the run they went to.
    const [request] = turn.requests;
    if (request !== undefined) this.#endings.fail(turn, request, streamInterrupted());
  }

  /** Treats answers that are in transit as lost, so that they are sent again. Returns whether there were any. */
  loseDelivered(calls = this.#calls()): boolean {
    const keys = calls.filter(({ stage }) => stage === 'delivered').map(({ key }) => key);
    this.lose(keys);
    return keys.length > 0;
  }

  /** These answers never arrived: they are sent again, or asked for again. */
  lose(keys: readonly string[]): void {
    this.#context.store.change({ type: 'calls-lost', keys });
    this.#context.toolCalls.reopen(keys);
  }

  #deliverReady(turn: Turn): void {
    const { store, delivery } = this.#context;
    // The end of the request that is under way calls `advance` again.
    if (turn.isOver || isSendingPart(turn)) return;
    // Until then the person may take the answers back.
    if (isOffline()) return void this.#awaitNetwork(turn);
    const ready = selectUndelivered(store.read());
    turn.hasPersonsAnswer = false;
    const commands = delivery.toCommands(ready, this.#calls().filter(isOpen), store.read().cursor);
    for (const command of commands) this.#deliver(turn, command);
  }

  async #awaitNetwork(turn: Turn): Promise<void> {
    if (turn.awaitsNetwork) return;
    turn.awaitsNetwork = true;
    await untilOnline(turn.abort.signal);
    turn.awaitsNetwork = false;
    this.advance(turn);
  }

  #deliver(turn: Turn, command: RespondCommand): void {
    if (turn.isOver) return;
    const { store, delivery, options } = this.#context;
    const request = createTurnRequest(command);
    const limit = options().maxToolRounds ?? MAX_TOOL_ROUNDS;
    if (!turn.isAnswering && turn.rounds++ >= limit) {
      return this.#endings.fail(turn, request, toolRoundsExceeded(limit));
    }
    turn.isAnswering = true;
    if (delivery.readsRun(command) && isResumed(turn)) {
      // The response to the answers has all that follows.
      turn.abort.abort();
      turn.abort = new AbortController();
    }
    store.change({ type: 'calls-delivered', keys: request.answers });
    this.#run(turn, request);
  }

  #calls(): readonly ToolCall[] {
    return this.#context.store.read().calls;
  }
}
