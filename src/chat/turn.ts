/** What the engine remembers of a turn while it lasts. Mutable, and private to `chat/`. */
import type { RespondCommand, ResumeCommand, TriggerCommand } from '../protocol/commands.ts';
import type { FinishReason } from '../protocol/events.ts';
import { toolCallKey } from '../state/tool-call.ts';

/** One request of a turn and the stream it opened. */
export interface Leg {
  readonly command: TriggerCommand | RespondCommand | ResumeCommand;
  /** Calls this leg answers. */
  readonly answers: readonly string[];
  /** Its stream was opened and may still bring something that matters. */
  open?: boolean;
  /** It asked for client tools, so it may end without `finish`. */
  requested?: boolean;
  /** The backend said something: what the leg delivered has arrived. */
  heard?: boolean;
  /** Called when the backend said something, or never will. */
  onHeard?: () => void;
  finishReason?: FinishReason;
}

export interface Turn {
  /** One scope for the requests of the turn, so that `stop()` also reaches those that overlap. */
  abort: AbortController;
  readonly legs: Set<Leg>;
  /** The leg whose ending counts; a continuation takes over from the leg that asked. */
  current?: Leg;
  /** Automatic continuations since a person last said something. */
  rounds: number;
  /** The latest request of the run has had an answer: further answers to it are the same round. */
  answering?: boolean;
  /** Nothing that belongs to the turn may change anything any more. */
  over?: boolean;
  /** Those who wait for the turn to rest. */
  readonly resting: (() => void)[];
}

export function createTurn(): Turn {
  return {
    abort: new AbortController(),
    legs: new Set(),
    rounds: 0,
    resting: [],
  };
}

export function createLeg(command: Leg['command']): Leg {
  const answers =
    command.type === 'respond'
      ? command.answers.map(({ toolCallId }) => toolCallKey(command.executionId, toolCallId))
      : [];
  return { command, answers };
}

/** Whether a stream of the turn, or one other than that leg's, may still bring something. */
export function isHeard(turn: Turn, except?: Leg): boolean {
  return [...turn.legs].some((leg) => leg.open && leg !== except);
}
