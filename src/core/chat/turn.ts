import type { OpenCommand, RunCommand } from '../protocol/commands.ts';
import type { FinishReason } from '../protocol/events.ts';
import { toolCallKey } from '../state/tool-call.ts';

/** One request of a turn, and how far its response has come. Mutable, and private to `chat/`. */
export interface TurnRequest {
  readonly command: RunCommand | OpenCommand;
  /** Keys of the calls whose answers the request carries. */
  readonly answers: readonly string[];
  /** The response was opened, and may still bring an event that matters. */
  isOpen?: boolean;
  /** The response may end without `finish`: it asked for client tools, or opened a conversation in which no run is under way. */
  mayEndEarly?: boolean;
  /** The response goes on behind its questions. The answers wait for its end. */
  goesOn?: boolean;
  /** The backend has confirmed that the request, and the answers in it, arrived. */
  isAcknowledged?: boolean;
  /** Resolves when the request was acknowledged, or when its response ended without that. */
  readonly acknowledged: Promise<void>;
  readonly resolveAcknowledged: () => void;
  finishReason?: FinishReason;
  /** The cursor of the latest event that came while the turn had not begun. */
  restCursor?: string | undefined;
}

/** The engine's notes about a turn while it lasts. Mutable, and private to `chat/`. */
export interface Turn {
  /** Aborts all open requests of the turn. */
  abort: AbortController;
  readonly requests: Set<TurnRequest>;
  /** The request whose end can be the end of the turn. A continuation takes over from the request that asked. */
  current?: TurnRequest;
  /** Automatic continuations since a person last sent a message or an answer. */
  rounds: number;
  /** An answer to the latest tool request went out. Further answers to it belong to the same round. */
  isAnswering?: boolean;
  /** A person has given an answer that was not sent yet. */
  hasPersonsAnswer?: boolean;
  /** A person wanted to go on with a run that was cut. If that is over, the request is sent again, without another press. */
  isRetry?: boolean;
  /** The turn began by itself, because the server had restarted. It does so once. */
  isRestart?: boolean;
  /** Answers are ready, and wait for the network. */
  awaitsNetwork?: boolean;
  /** The conversation rests, and a request follows it: the turn begins when another one begins on the server. */
  isResting?: boolean;
  /** The turn has ended: its late events must not change anything. */
  isOver?: boolean;
  /** Resolves the promises of those who wait for the turn to rest. */
  readonly onRest: (() => void)[];
}

export function createTurn(): Turn {
  return { abort: new AbortController(), requests: new Set(), rounds: 0, onRest: [] };
}

export function createTurnRequest(command: TurnRequest['command']): TurnRequest {
  const answers =
    command.type === 'respond'
      ? command.answers.map(({ toolCallId }) => toolCallKey(command.executionId, toolCallId))
      : [];
  let resolveAcknowledged = () => {};
  const acknowledged = new Promise<void>((resolve) => {
    resolveAcknowledged = resolve;
  });
  return { command, answers, acknowledged, resolveAcknowledged };
}

/** True if a response of the turn, other than that of `except`, may still bring an event. */
export function hasOpenRequest(turn: Turn, except?: TurnRequest): boolean {
  return [...turn.requests].some((request) => request.isOpen && request !== except);
}

/** True if the run is read by an attempt to resume it: another one would take the run away from a request that carries its answers. */
export function isResumed({ current }: Turn): boolean {
  return current !== undefined && ['resume', 'open'].includes(current.command.type);
}

/** True while a request is under way that carries only some answers of the run: the next ones follow when that is over. */
export function isSendingPart(turn: Turn): boolean {
  return [...turn.requests].some(
    ({ isOpen, command }) => isOpen && command.type === 'respond' && command.partial,
  );
}

/** Resolves the promises of those who wait for the turn to rest. */
export function resolveRest(turn: Turn): void {
  for (const resolve of turn.onRest.splice(0)) resolve();
}
