/**
 * The life of turns: starts, ends and repeats them, and sees to it that the agent gets what a turn that is over still owes.
 *
 * A turn is one message of a person and everything until the agent is done with it. It consists of legs, one per request;
 * what happens within one is in `legs.ts`.
 */
import type { TriggerCommand } from '../protocol/commands.ts';
import type { Clock } from '../shared/clock.ts';
import type { AgentChatError } from '../shared/errors.ts';
import { finaliseMessage, type TurnEnding } from '../state/finalise.ts';
import type { UIMessage } from '../state/message.ts';
import { isUndelivered } from '../state/tool-call.ts';
import { answers } from '../tools/outcomes.ts';
import { canReattach, positionOf } from './failed-turn.ts';
import { handOver } from './hand-over.ts';
import { createLegs, type LegsContext } from './legs.ts';
import { requestStop, takesTogether } from './requests.ts';
import type { TurnWork } from './restore-turn.ts';
import { createLeg, createTurn, isHeard, type Leg, type Turn } from './turn.ts';
import { notResumable, transportError } from './turn-errors.ts';

interface TurnsContext extends LegsContext {
  readonly clock: Clock;
  readonly createId: () => string;
  /** A turn is over and no other has begun. */
  readonly onOver: () => void;
}

export interface Turns {
  /** Whether a turn is under way, resting or not. */
  isActive(): boolean;
  /** Ends the turn under way, if any, and starts one. Resolves when it rests. */
  start(command: TriggerCommand, userMessage: UIMessage | undefined): Promise<void>;
  /** Repeats the request that failed. */
  retry(): Promise<void>;
  /** Reads on a run that was cut. Rejects with `not_resumable` where that is out of reach. */
  resume(): Promise<void>;
  /** The failure is over as well: there is nothing to retry any more. */
  clearError(): void;
  /** Ends the turn under way. A run that `isKept` is ended for this page alone: whoever comes back reads it on. */
  stop(isKept?: boolean): void;
  /** A call settled. */
  onSettled(byPerson: boolean): void;
  /** For what is loaded with what keeps conversations, see `restore-turn.ts`. */
  lend(work: TurnWork): void;
}

export function createTurns(context: TurnsContext): Turns {
  const { transport, store, toolCalls, clock, createId, tell } = context;
  const together = takesTogether(transport);
  let active: Turn | undefined;
  /** The request that failed. */
  let failure: Leg | undefined;

  const owe = () =>
    store.change({ type: 'undelivered-kept', expired: together ? answers.superseded() : undefined });

  /** Nobody retries it any more. */
  const forgetFailure = () => {
    if (failure && store.read().error?.retryable) owe();
    failure = undefined;
  };

  const launch = (turn: Turn, leg: Leg, before?: Turn): Promise<void> => {
    active = turn;
    failure = undefined;
    const rested = new Promise<void>((resolve) => turn.resting.push(resolve));
    store.publish();
    // A subscriber may have stopped it.
    if (turn.over) return rested;
    if (store.read().undelivered.length === 0) {
      void run(turn, leg);
    } else {
      handOver(turn, context, before).then(
        () => {
          if (!turn.over) void run(turn, leg);
        },
        (thrown: unknown) => {
          if (!turn.over) fail(turn, leg, transportError(thrown));
        },
      );
    }
    return rested;
  };

  const newMessage = () => ({ messageId: createId(), at: new Date(clock.now()) });

  /** Settles what the turn leaves open. False when an aborted handler began another turn meanwhile. */
  const settleRest = (turn: Turn, outcome: 'aborted' | 'expired' | 'superseded'): boolean => {
    // Closed first: what settles now must not be delivered any more.
    turn.over = true;
    toolCalls.settleOpen(outcome);
    return active === turn;
  };

  /**
   * Once its rest is settled. Publishes nothing: subscribers act on what they see, and the rest of the ending comes first.
   */
  const close = (ending: TurnEnding, error?: AgentChatError) => {
    active = undefined;
    store.change({ type: 'turn-ended', ending, error });
  };

  const rest = (turn: Turn) => {
    store.publish();
    rested(turn);
  };

  const rested = (turn: Turn) => {
    for (const resolve of turn.resting.splice(0)) resolve();
  };

  const finish = (turn: Turn, leg: Leg) => {
    if (!settleRest(turn, 'expired')) return;
    const { streamingMessage, usage } = store.read();
    close('finished');
    // An answer without any part is not shown.
    const message = streamingMessage?.parts.length
      ? store.read().messages.at(-1)
      : streamingMessage && finaliseMessage(streamingMessage, 'finished');
    rest(turn);
    if (message) tell('onFinish', { message, finishReason: leg.finishReason ?? 'other', usage });
    context.onOver();
  };

  const fail = (turn: Turn, leg: Leg, error: AgentChatError) => {
    if (!settleRest(turn, 'expired')) return;
    // Each answer had a request of its own: those that did not get through are still to be delivered.
    const unsent = [...turn.legs].flatMap((other) => (other.open || other === leg ? other.answers : []));
    if (!together) store.change({ type: 'calls-lost', keys: unsent });
    failure = leg;
    close('failed', error);
    turn.abort.abort();
    rest(turn);
    tell('onError', error);
    context.onOver();
  };

  const legs = createLegs(context, finish, fail, rest);
  const { run, advance } = legs;

  /** Closes the turn for everything late, then tells the server. */
  const abandon = (turn: Turn, ending: TurnEnding, isToStop: boolean) => {
    close(ending);
    const conversation = store.read();
    turn.abort.abort();
    if (isToStop) requestStop(transport, conversation.undelivered[0] ?? conversation);
  };

  const reattach = async (turn: Turn): Promise<void> => {
    const command = positionOf(store.read(), transport);
    if (!command) throw notResumable();
    store.change({ type: 'turn-resumed' });
    const rested = launch(turn, createLeg(command));
    // The run is still there, and with it what it waits for.
    toolCalls.askAgain(store.read().calls.map(({ key }) => key));
    store.publish();
    // Which answers it has, one that takes them together says itself.
    if (!together) advance(turn);
    return rested;
  };

  return {
    isActive: () => active !== undefined,
    start(command, userMessage) {
      let before: Turn | undefined;
      while (active) {
        const turn = active;
        if (!settleRest(turn, 'superseded')) continue;
        before = store.read().calls.some(isUndelivered) ? turn : undefined;
        owe();
        // A run that is still owed answers hears of the end with them.
        if (before) close('interrupted');
        else abandon(turn, 'interrupted', isHeard(turn));
        rested(turn);
      }
      forgetFailure();
      store.change({ type: 'turn-started', ...newMessage(), command, userMessage });
      return launch(createTurn(), createLeg(command), before);
    },
    async retry() {
      if (!failure) return;
      const conversation = store.read();
      if (canReattach(failure, conversation, transport)) return reattach(createTurn());
      let { command } = failure;
      // The run is over or gone: what is left is to ask again.
      if (command.type === 'resume' && conversation.request) command = conversation.request;
      const leg = createLeg(command);
      store.change({
        type: 'turn-retried',
        fresh: command.type === 'trigger' ? newMessage() : undefined,
      });
      store.change({ type: 'calls-delivered', keys: leg.answers });
      return launch(createTurn(), leg);
    },
    async resume() {
      if (!active && store.read().interrupted) await reattach(createTurn());
    },
    clearError() {
      if (store.read().phase !== 'failed') return;
      forgetFailure();
      store.change({ type: 'error-cleared' });
      store.publish();
    },
    stop(isKept = false) {
      const turn = active;
      if (!turn || !settleRest(turn, 'aborted')) return;
      abandon(turn, 'stopped', !isKept);
      rest(turn);
    },
    lend: (work) =>
      work({
        ...context,
        legs,
        active,
        fail,
        rested,
        become(turn, failed) {
          active = turn;
          failure = failed;
        },
      }),
    onSettled(byPerson) {
      if (active === undefined) return;
      // The continuation that carries the answer is the person's own and does not count.
      if (byPerson) active.rounds = active.answering ? 0 : -1;
      advance(active);
    },
  };
}
