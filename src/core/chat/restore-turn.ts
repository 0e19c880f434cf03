/**
 * Takes up the turn of a conversation that was persisted, and lets go of a turn with which another tab goes on. `createPersistence` brings
 * this file: an app that does not persist its conversations does not load it.
 */
import type { AgentChatError } from '../../shared/errors.ts';
import { isRedacted, isUndelivered, type ToolCall } from '../state/tool-call.ts';
import type { ChatStore } from '../store/chat-store.ts';
import type { ToolCalls } from '../tools/tool-calls.ts';
import type { AgentTransport } from '../transport/agent-transport.ts';
import type { AnswerDelivery } from './answer-delivery.ts';
import { toResumeCommand } from './can-resume.ts';
import { createTurn, createTurnRequest, resolveRest, type Turn, type TurnRequest } from './turn.ts';
import { streamInterrupted } from './turn-errors.ts';

/** The part of `Turns` that is needed to restore a turn. */
export interface RestorableTurns {
  readonly context: {
    readonly transport: AgentTransport;
    readonly delivery: AnswerDelivery;
    readonly store: ChatStore;
    readonly toolCalls: ToolCalls;
  };
  readonly requests: {
    run(turn: Turn, request: TurnRequest): Promise<void>;
    advance(turn: Turn): void;
    loseDelivered(calls: readonly ToolCall[]): boolean;
  };
  /** The turn that is going on, resting or not. */
  active: Turn | undefined;
  /** The request that failed, which `retry()` repeats. */
  failed: TurnRequest | undefined;
  /** True if the chat opens the conversation from the server by itself. */
  opensItself(): boolean;
  openOnStart(): void;
  fail(turn: Turn, request: TurnRequest, error: AgentChatError): void;
}

/** Begins with a new conversation, or goes on with the turn of one that was restored from a storage. */
export function restoreTurn(turns: RestorableTurns): void {
  const { transport, store } = turns.context;
  const { phase, request: command, calls, connection } = store.read();
  const status = transport.connection?.getStatus();
  // The state may still show the connection of another tab.
  if (status && status !== connection) store.change({ type: 'connection-changed', status });
  const opensAgain = turns.opensItself() && command?.type === 'open' && phase === 'error';
  if (command === null || phase === 'idle' || opensAgain) return turns.openOnStart();
  const request = createTurnRequest(command);
  const isWhole = calls.every(({ stage, answer }) => stage === 'acknowledged' || !isRedacted(answer));
  if (phase === 'error' && isWhole) {
    turns.failed = request;
    return;
  }
  // A request whose answers lost their secrets in the storage cannot be repeated: the turn goes on, and asks for them again.
  if (phase === 'error') store.change({ type: 'turn-resumed' });
  goOn(turns, request);
}

function goOn(turns: RestorableTurns, request: TurnRequest): void {
  const { transport, delivery, store, toolCalls } = turns.context;
  const { calls } = store.read();
  const turn = createTurn();
  turn.current = request;
  // Set before the calls are restored: settling one of them must find the turn it belongs to.
  turns.active = turn;
  // While nothing of this page is in transit, the server's conversation counts: it may have moved on to another run.
  const open = turns.opensItself() && !calls.some(isUndelivered) && ({ type: 'open' } as const);
  const resume = open || toResumeCommand(store.read(), transport);
  if (resume) void turns.requests.run(turn, createTurnRequest(resume));
  toolCalls.restore();
  // A handler that runs again may have stopped the turn.
  if (!turn.isOver) toolCalls.reopen();
  if ((resume && !delivery.resendsOnResume()) || turn.isOver) return;
  const hasUndelivered = calls.some(({ stage }) => stage !== 'acknowledged');
  if (!hasUndelivered && !resume) return turns.fail(turn, request, streamInterrupted());
  // It is unknown whether answers in transit arrived. They are sent again under the same call ids.
  turns.requests.loseDelivered(calls);
  turns.requests.advance(turn);
}

/** Lets go of the turn and of the connection without settling or notifying anything: another tab goes on with the turn. */
export function detachTurn(turns: RestorableTurns): void {
  const { transport, toolCalls } = turns.context;
  const turn = turns.active;
  turns.active = undefined;
  turns.failed = undefined;
  toolCalls.detach();
  if (turn) {
    turn.isOver = true;
    turn.abort.abort();
    resolveRest(turn);
  }
  transport.connection?.disconnect();
}
