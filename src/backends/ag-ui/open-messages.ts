import type { AgUiEvent } from './messages.ts';

const PARTS: Readonly<Record<string, string>> = {
  TEXT_MESSAGE: 'messageId',
  REASONING_MESSAGE: 'messageId',
  TOOL_CALL: 'toolCallId',
};

/** Knows which messages and calls have begun and not ended. A run that leaves them open breaks a rule, and is shown all the same. */
export class OpenMessages {
  readonly #ends = new Map<string, AgUiEvent>();

  add(event: AgUiEvent): void {
    const [, part = '', step] = /^(.*)_(START|END)$/.exec(event.type) ?? [];
    const idKey = PARTS[part];
    if (idKey === undefined) return;
    const key = `${part} ${event[idKey]}`;
    const { subagentRunId } = event;
    const end = { type: `${part}_END`, [idKey]: event[idKey], ...(subagentRunId && { subagentRunId }) };
    if (step === 'START') this.#ends.set(key, end);
    else this.#ends.delete(key);
  }

  /** Returns true for a message or a call that goes on. */
  isOpen(part: string, id: string): boolean {
    return this.#ends.has(`${part} ${id}`);
  }

  /** Returns the events that are missing. */
  takeEnds(): readonly AgUiEvent[] {
    const ends = [...this.#ends.values()];
    this.#ends.clear();
    return ends;
  }
}
