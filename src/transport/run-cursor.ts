import type { ResumeCommand, RunCommand } from '../protocol/commands.ts';
import type { AgentEvent } from '../protocol/events.ts';
import { endsRun } from '../protocol/native-endings.ts';

/** The cursor of a run, from its command and its events. Every transport that resumes runs uses this. */
export class RunCursor {
  #executionId: string | undefined;
  #cursor: string | undefined;
  #isOver = false;

  constructor(command: RunCommand) {
    if (command.type === 'trigger') return;
    this.#executionId = command.executionId;
    this.#cursor = command.cursor;
  }

  /** The cursor of the latest event that had one; undefined where the backend cannot resume. */
  get value(): string | undefined {
    return this.#cursor;
  }

  /** Moves to a cursor. An empty one resets the position on the wire, which leaves no position to come back to. */
  moveTo(cursor: string | undefined): void {
    if (cursor) this.#cursor = cursor;
  }

  /** Moves behind an event. */
  advance(event: AgentEvent): void {
    this.moveTo(event.cursor);
    if (event.type === 'start') this.#executionId = event.executionId ?? this.#executionId;
    this.#isOver ||= endsRun(event);
  }

  /** Returns the command that resumes the run here; undefined if the run is over or its position unknown. */
  toResumeCommand(): ResumeCommand | undefined {
    if (this.#isOver || !this.#executionId || !this.#cursor) return undefined;
    return { type: 'resume', executionId: this.#executionId, cursor: this.#cursor };
  }
}
