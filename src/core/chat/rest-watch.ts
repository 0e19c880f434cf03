import type { OpenCommand } from '../protocol/commands.ts';
import { createTurn, createTurnRequest, type Turn, type TurnRequest } from './turn.ts';

/**
 * Watches the server while no turn goes on here: for the turns that others begin, or once, for what a new page cannot know. The request
 * belongs to a turn that rests, and begins with the snapshot that the response brings.
 */
export class RestWatch {
  readonly #run: (turn: Turn, request: TurnRequest) => void;
  #turn: Turn | undefined;

  /** @param run sends a request of a turn */
  constructor(run: (turn: Turn, request: TurnRequest) => void) {
    this.#run = run;
  }

  /** The request whose response is read, if there is one. */
  get request(): TurnRequest | undefined {
    return this.#turn && [...this.#turn.requests][0];
  }

  /** Follows the conversation from the place where it rests. */
  follow(place: Pick<OpenCommand, 'executionId' | 'cursor'>): void {
    this.#begin({ type: 'open', ...place, follow: true });
  }

  /** Asks the backend what a new page cannot know, unless it is being asked. Resolves when the conversation rests. */
  join(): Promise<void> {
    const turn = this.#turn ?? this.#begin({ type: 'open' });
    return new Promise((resolve) => turn.onRest.push(resolve));
  }

  /** Leaves the response. */
  leave(): void {
    const turn = this.#turn;
    this.#turn = undefined;
    turn?.abort.abort();
  }

  /** Lets go of the turn, because it begins or its response has ended. Returns false if the turn is not that of the watch. */
  release(turn: Turn): boolean {
    if (turn !== this.#turn) return false;
    this.#turn = undefined;
    return true;
  }

  #begin(command: OpenCommand): Turn {
    this.leave();
    const turn = createTurn();
    turn.isResting = true;
    this.#turn = turn;
    this.#run(turn, createTurnRequest(command));
    return turn;
  }
}
