import { invalidOptions } from '../../shared/errors.ts';
import { DuplicateStep } from './step-errors.ts';

/**
 * The names of the steps of one run of a tool. The same name a second time is refused: a loop that pays with `once('pay', ...)` for each of
 * its orders would pay the first one alone, and take a yes to its first question for a yes to all of them.
 */
export class StepNames {
  readonly #toolName: string;
  readonly #used = new Set<string>();
  /** How often each question without a key was asked, by its text. */
  readonly #counts = new Map<string, number>();
  /** The texts of the questions without a key that wait for their answer. */
  readonly #waiting = new Set<string>();

  constructor(toolName: string) {
    this.#toolName = toolName;
  }

  /** Returns the key under which the step is stored. @throws DuplicateStep; AgentChatError `invalid_options` for a key that is none. */
  use(method: 'ask' | 'once', key: unknown): string {
    if (typeof key !== 'string' || key === '') {
      const value = key === '' ? 'an empty one' : String(key);
      throw invalidOptions(
        `The tool '${this.#toolName}' calls ${method} with a key that is no text of one or more characters, but ${value}. Name the step, such as 'pay'.`,
      );
    }
    const name = `${method} ${key}`;
    if (this.#used.has(name)) throw new DuplicateStep(this.#toolName, method, key);
    this.#used.add(name);
    return name;
  }

  /** Counts a question without a key: 1 for the first of its text. @throws DuplicateStep while an equal one waits. */
  count(text: string): number {
    if (this.#waiting.has(text)) throw new DuplicateStep(this.#toolName, 'ask');
    this.#waiting.add(text);
    const count = (this.#counts.get(text) ?? 0) + 1;
    this.#counts.set(text, count);
    return count;
  }

  /** A question without a key has got its answer: an equal one may be asked. */
  release(text: string): void {
    this.#waiting.delete(text);
  }
}
