/**
 * What only conversations that are kept do with turns: they go on after the page was away, and go over to another page.
 * Loaded with what keeps conversations.
 */
import type { AgentChatError } from '../shared/errors.ts';
import { isOpen, isRedacted } from '../state/tool-call.ts';
import type { LentCalls } from '../tools/create-tool-calls.ts';
import { invalidArguments, parseArgs } from '../tools/find-tool.ts';
import { positionOf } from './failed-turn.ts';
import type { Legs, LegsContext } from './legs.ts';
import { createLeg, createTurn, type Leg, type Turn } from './turn.ts';
import { streamInterrupted } from './turn-errors.ts';

/** What turns lend to take one up, or to let it go. */
export interface LentTurns extends Pick<LegsContext, 'transport' | 'store' | 'toolCalls'> {
  readonly legs: Legs;
  /** The turn under way. */
  readonly active: Turn | undefined;
  /** What is under way from now on, and the request that can be repeated because it failed. */
  become(turn?: Turn, failed?: Leg): void;
  fail(turn: Turn, leg: Leg, error: AgentChatError): void;
  /** Whoever waits for the turn to rest waits no longer. */
  rested(turn: Turn): void;
}

export type TurnWork = (turns: LentTurns) => void;

/** Goes on with the turn of a conversation that was kept while the page was away. */
export const restoreTurn: TurnWork = ({ transport, store, toolCalls, legs, become, fail }) => {
  const { phase, request, calls, connection } = store.read();
  const status = transport.connection?.getStatus();
  // So far it may have been that of another tab.
  if (status && status !== connection) store.change({ type: 'connection-changed', status });
  if (request === null || phase === 'resting') return;
  const leg = createLeg(request);
  const isWhole = calls.every(({ stage, answer }) => stage === 'acknowledged' || !isRedacted(answer));
  // It failed before the page went away: its last request can be repeated.
  if (phase === 'failed' && isWhole) return become(undefined, leg);
  // Nobody can repeat a request whose secrets were not kept.
  if (phase === 'failed') store.change({ type: 'turn-resumed' });
  const turn = createTurn();
  turn.current = leg;
  // Begun before the calls are taken up: settling one must find the turn it belongs to.
  become(turn);
  const command = positionOf(store.read(), transport);
  if (command) void legs.run(turn, createLeg(command));
  toolCalls.lend(restoreCalls);
  // A handler that runs again may have stopped it.
  if (!turn.over) toolCalls.askAgain();
  // A run that takes answers together says itself which of them it still waits for.
  if ((command && transport.capabilities.results === 'together') || turn.over) return;
  const owes = calls.some(({ stage }) => stage !== 'acknowledged');
  if (!owes && !command) return fail(turn, leg, streamInterrupted());
  // Whether answers that were on their way arrived is unknown; they go out again under the same call ids.
  legs.loseDelivered(calls);
  legs.advance(turn);
};

/** Those found waiting, or in the middle of their handler. */
const restoreCalls = ({ store, isPast, toolOf, settle, watch, takeUp }: LentCalls): void => {
  for (const call of store.read().calls) {
    if (!isOpen(call)) continue;
    if (call.stage !== 'waiting') {
      takeUp(call);
    } else if (!isPast(call)) {
      const tool = toolOf(call);
      const input = parseArgs(tool, call);
      if ('issues' in input) settle(call.key, invalidArguments(call, tool, input.issues));
      else watch(call, call.expiresAt);
    }
  }
};

/** Another page runs the conversation from now on: nothing of it moves here any more, and nothing is told. */
export const letTurnGo: TurnWork = ({ toolCalls, active, become, rested }) => {
  become();
  // Handlers hear their signal, and what they return is nobody's.
  toolCalls.lend(({ cleanups }) => {
    for (const cleanup of cleanups.values()) cleanup();
  });
  if (!active) return;
  active.over = true;
  active.abort.abort();
  rested(active);
};
