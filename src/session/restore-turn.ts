/** Goes on with a conversation that was kept while the page was away. Loaded with what keeps conversations. */
import type { AgentChatError } from '../shared/errors.ts';
import { isWithheld } from '../state/tool-call.ts';
import { positionOf } from './failed-turn.ts';
import type { Legs, LegsContext } from './legs.ts';
import { createLeg, createTurn, type Leg, type Turn } from './turn.ts';
import { streamInterrupted } from './turn-errors.ts';

/** What turns lend to take one up. */
export interface TurnRestoration extends Pick<LegsContext, 'transport' | 'store' | 'toolCalls'> {
  readonly legs: Legs;
  /** It is the turn under way from now on. */
  begin(turn: Turn): void;
  /** The turn failed before the page went away: its last request can be repeated. */
  recallFailure(leg: Leg): void;
  fail(turn: Turn, leg: Leg, error: AgentChatError): void;
}

export type RestoreTurn = (restoration: TurnRestoration) => void;

export const restoreTurn: RestoreTurn = ({
  transport,
  store,
  toolCalls,
  legs,
  begin,
  recallFailure,
  fail,
}) => {
  const { phase, request, calls, connection } = store.read();
  const status = transport.connection?.getStatus();
  // So far it may have been that of another tab.
  if (status && status !== connection) store.change({ type: 'connection-changed', status });
  if (request === null || phase === 'resting') return;
  const leg = createLeg(request);
  const isWhole = calls.every(({ stage, answer }) => stage === 'acknowledged' || !isWithheld(answer));
  if (phase === 'failed' && isWhole) return recallFailure(leg);
  // Nobody can repeat a request whose secrets were not kept.
  if (phase === 'failed') store.change({ type: 'turn-resumed' });
  const turn = createTurn();
  turn.current = leg;
  // Begun before the calls are taken up: settling one must find the turn it belongs to.
  begin(turn);
  const command = positionOf(store.read(), transport);
  if (command) void legs.run(turn, createLeg(command));
  toolCalls.restore();
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
