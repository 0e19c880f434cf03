/**
 * The legs of a turn: sends its requests, applies what comes back, delivers answers, and knows when it rests or is over.
 *
 * With a transport that takes results `together` each continuation is a new leg that takes over from the one that asked;
 * with `one-by-one` the first leg stays and each answer is a short leg beside it. Events of a turn that is over are dropped
 * at the door.
 */

import type { AgentEvent } from '../protocol/events.ts';
import { answeredElsewhere } from '../protocol/notices.ts';
import { toEvents } from '../protocol/to-events.ts';
import type { AgentChatError } from '../shared/errors.ts';
import { toNotice } from '../state/conversation.ts';
import { isOpen, type ToolCall, toolCallKey } from '../state/tool-call.ts';
import type { ChatStore } from '../store/chat-store.ts';
import type { ToolCalls } from '../tools/create-tool-calls.ts';
import type { AgentChatOptions } from './agent-chat.ts';
import { createRespondCommand, selectUndelivered, toBatches } from './deliveries.ts';
import { openStream, type RequestContext, takesTogether } from './requests.ts';
import { createLeg, isHeard, type Leg, type Turn } from './turn.ts';
import {
  backendError,
  finishError,
  streamInterrupted,
  toolRoundsExceeded,
  transportError,
} from './turn-errors.ts';

const MAX_TOOL_ROUNDS = 25;

export interface LegsContext extends RequestContext {
  readonly store: ChatStore;
  readonly toolCalls: ToolCalls;
  readonly options: () => Pick<AgentChatOptions, 'maxToolRounds'>;
}

export interface Legs {
  /** Sends the command of a leg and reads what comes back. Never rejects. */
  run(turn: Turn, leg: Leg): Promise<void>;
  /** Does what is due: delivers answers that are complete, and tells those who wait for the turn to rest. */
  advance(turn: Turn): void;
  /** Takes answers that are on their way for not arrived. Whether there were any. */
  loseDelivered(sent: readonly ToolCall[]): boolean;
}

/**
 * @param finish the agent is done with the turn
 * @param rest it waits for a person and nothing else
 */
export function createLegs(
  context: LegsContext,
  finish: (turn: Turn, leg: Leg) => void,
  fail: (turn: Turn, leg: Leg, error: AgentChatError) => void,
  rest: (turn: Turn) => void,
): Legs {
  const { transport, store, toolCalls, tell, options } = context;
  const together = takesTogether(transport);
  const calls = () => store.read().calls;

  const run = async (turn: Turn, leg: Leg): Promise<void> => {
    const { signal } = turn.abort;
    const { command } = leg;
    turn.legs.add(leg);
    leg.open = true;
    if (command.type !== 'resume') store.change({ type: 'request-sent', command });
    if (together || command.type !== 'respond') turn.current = leg;
    let error: AgentChatError | undefined;
    try {
      // Also after `finish`: leaving early would cancel the body and cost the connection.
      for await (const batch of openStream(context, command, signal)) {
        if (signal.aborted) break;
        for (const event of toEvents(batch)) hear(turn, leg, event);
      }
    } catch (thrown) {
      error = transportError(thrown);
    }
    if (!turn.over && leg.open) onLegEnd(turn, leg, error);
    leg.open = false;
    leg.onHeard?.();
  };

  const hear = (turn: Turn, leg: Leg, event: AgentEvent) => {
    if (!leg.open) return;
    // Of a turn that gave way to a message this still matters: the message waits for it.
    acknowledge(leg, event);
    if (turn.over) return;
    if (event.type === 'tool-result-acknowledged' && toolCalls.forgo(event.toolCallId))
      hear(turn, leg, answeredElsewhere(event.toolCallId));
    store.change({ type: 'event', event });
    switch (event.type) {
      case 'client-tool-request':
        leg.requested = true;
        turn.answering = false;
        // A run that asks again for calls which have their answer gets the same answer again; nothing runs twice.
        if (isEndOfTurn(turn, leg))
          lose(event.toolCalls.map((call) => toolCallKey(event.executionId, call.toolCallId)));
        toolCalls.begin(event);
        // A person is asked at once; what runs by itself can wait for the frame.
        if (calls().some(({ stage }) => stage === 'waiting')) store.publish();
        return advance(turn);
      case 'finish':
        leg.finishReason = event.finishReason;
        return onFinish(turn, leg, event);
      case 'resource-update':
        return tell('onResourceUpdate', event.name, event.value);
      case 'notice':
        return tell('onNotice', toNotice(event));
      case 'error':
        if (isEndOfTurn(turn, leg)) fail(turn, leg, backendError(event));
    }
  };

  /** These answers never arrived: they go out again, or are asked for again. */
  const lose = (keys: readonly string[]) => {
    store.change({ type: 'calls-lost', keys });
    toolCalls.askAgain(keys);
  };

  const loseDelivered = (sent: readonly ToolCall[]): boolean => {
    const keys = sent.filter(({ stage }) => stage === 'delivered').map(({ key }) => key);
    lose(keys);
    return keys.length > 0;
  };

  /** The first word of the backend says that it took the answers; a refusal and "still waiting" say the opposite. */
  const acknowledge = (leg: Leg, event: AgentEvent) => {
    if (leg.heard || event.type === 'error') return;
    if (event.type === 'finish' && event.finishReason === 'client-tool-calls') return;
    leg.heard = true;
    leg.onHeard?.();
    store.change({ type: 'calls-acknowledged', keys: leg.answers });
  };

  /** After a continuation took over, the leg that asked can no longer end the turn. */
  const isEndOfTurn = (turn: Turn, leg: Leg) => leg === turn.current || !together;

  const onFinish = (turn: Turn, leg: Leg, event: AgentEvent & { type: 'finish' }) => {
    leg.open = false;
    // Whoever waits for the turn to rest may have waited for this response alone.
    if (!isEndOfTurn(turn, leg)) return advance(turn);
    if (event.finishReason === 'error') return fail(turn, leg, finishError(event));
    // The run stays with the client while it owes answers; one that stays open says `finish` only when it is over.
    if (together && owesAnswers(turn, leg)) return advance(turn);
    finish(turn, leg);
  };

  const owesAnswers = (turn: Turn, leg: Leg): boolean => {
    if (calls().some(isOpen) || selectUndelivered(store.read()).length > 0) return true;
    // Read on after a cut, the run turns out to wait for answers that never arrived: they go out again.
    if (leg.finishReason !== 'client-tool-calls' || !loseDelivered(calls())) return false;
    turn.answering = false;
    return true;
  };

  const onLegEnd = (turn: Turn, leg: Leg, error?: AgentChatError) => {
    leg.open = false;
    if (!isEndOfTurn(turn, leg) || (together && leg.requested)) return advance(turn);
    if (error || leg === turn.current) return fail(turn, leg, error ?? streamInterrupted());
    // The leg of an answer alone has nothing to say but that it was taken.
    store.change({ type: 'calls-acknowledged', keys: leg.answers });
    advance(turn);
  };

  const advance = (turn: Turn) => {
    if (turn.over) return;
    const open = calls().filter(isOpen);
    const ready = selectUndelivered(store.read());
    if (ready.length > 0 && (!together || open.length === 0)) {
      for (const batch of toBatches(ready, transport)) deliver(turn, batch);
      return;
    }
    // A run that stays open has nothing to say while it waits for a person.
    const isWaitedFor = !together && open.length > 0;
    if (isHeard(turn, isWaitedFor ? turn.current : undefined)) return;
    if (open.some(({ stage }) => stage !== 'waiting')) return;
    if (open.length > 0) return rest(turn);
    // Nothing to wait for and nothing to say: every call expired, or a request named no call at all.
    if (turn.current !== undefined) return finish(turn, turn.current);
    // The answers are out, but nobody reads the run they went to.
    const [leg] = turn.legs;
    if (leg !== undefined) fail(turn, leg, streamInterrupted());
  };

  const deliver = (turn: Turn, calls: readonly ToolCall[]) => {
    if (turn.over) return;
    const leg = createLeg(createRespondCommand(calls, store.read().cursor));
    const limit = options().maxToolRounds ?? MAX_TOOL_ROUNDS;
    if (!turn.answering && turn.rounds++ >= limit) return fail(turn, leg, toolRoundsExceeded(limit));
    turn.answering = true;
    if (together && turn.current?.command.type === 'resume') {
      // Another attempt to read on would take the run away from the request that carries its answers.
      turn.abort.abort();
      turn.abort = new AbortController();
    }
    store.change({ type: 'calls-delivered', keys: leg.answers });
    void run(turn, leg);
  };

  return { run, advance, loseDelivered };
}
