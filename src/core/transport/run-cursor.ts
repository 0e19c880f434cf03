import type { OpenCommand, ResumeCommand, RunCommand } from '../protocol/commands.ts';
import type { AgentEvent } from '../protocol/events.ts';
import { endsRun } from '../protocol/native-endings.ts';

/** The cursor of a run, taken from its command and then from its events. Every transport that resumes runs uses this. */
export class RunCursor<Command extends RunCommand | OpenCommand = RunCommand> {
  readonly #command: Command;
  #executionId: string | undefined;
  #cursor: string | undefined;
  #isOver = false;
  /** The run has another reader, who must not lose it: it is opened, which is not done by a `resume`. Only the native wire has such runs. */
  isBeside = false;

  constructor(command: Command) {
    this.#command = command;
    if (command.type === 'trigger' || command.type === 'open') return;
    this.#executionId = command.executionId;
    this.#cursor = command.cursor;
  }

  /** The cursor of the latest event that had one; undefined where the backend cannot resume. */
  get value(): string | undefined {
    return this.#cursor;
  }

  /** True after the last event of the response. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Moves to a cursor. An empty cursor (SSE `id:`) resets the position on the wire and is ignored: no run can be resumed from it. */
  moveTo(cursor: string | undefined): void {
    if (cursor) this.#cursor = cursor;
  }

  /** Moves to the position after an event. */
  advance(event: AgentEvent): void {
    this.moveTo(event.cursor);
    if (event.type === 'start') this.#executionId = event.executionId ?? this.#executionId;
    this.#isOver ||= endsResponse(event, this.#command);
  }

  /**
   * Returns the command that goes on here: it resumes the run, or opens the conversation again if no run has begun. Undefined if the run is
   * over or its cursor unknown.
   */
  toNextCommand(): Command | ResumeCommand | undefined {
    const executionId = this.#executionId;
    const cursor = this.#cursor;
    if (this.#isOver) return undefined;
    if (executionId && cursor) {
      const position = { executionId, cursor };
      return this.isBeside ? ({ type: 'open', ...position } as Command) : { type: 'resume', ...position };
    }
    return this.#command.type === 'open' ? this.#command : undefined;
  }
}

/**
 * Returns true for the last event of a response. Nothing follows the snapshot of a conversation that rests, but a client that follows it
 * while it waits for people gets what they do.
 */
export function endsResponse(event: AgentEvent, command: RunCommand | OpenCommand): boolean {
  if (event.type !== 'snapshot') return endsRun(event);
  const isFollowed = command.type === 'open' && command.follow;
  return event.executionId === undefined || (event.openCalls.length > 0 && !isFollowed);
}
