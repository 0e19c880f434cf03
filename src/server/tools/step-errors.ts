/** The errors that `ask` and `once` throw inside a tool. Uncaught, their message is what the agent reads. */
import type { Answerer } from '../../shared/principal.ts';
import type { ToolOutcome } from '../../shared/tool-outcome.ts';

/** `ask` throws it for a question that got no answer. Uncaught, its message is what the agent reads. */
export class QuestionNotAnswered extends Error {
  override readonly name = 'QuestionNotAnswered';
  readonly outcome: Exclude<ToolOutcome, 'submitted'>;
  /** What the person said, if anything. */
  readonly reason: string | undefined;
  readonly answeredBy: Answerer | undefined;

  constructor(outcome: QuestionNotAnswered['outcome'], reason?: string, answeredBy?: Answerer) {
    super(
      `The question was ${outcome === 'expired' ? 'not answered in time' : outcome}${reason ? `: ${reason}` : ''}`,
    );
    this.outcome = outcome;
    this.reason = reason;
    this.answeredBy = answeredBy;
  }
}

/** `once` throws it for a step that began before a crash, and of which nobody knows whether it was done. */
export class StepInterrupted extends Error {
  override readonly name = 'StepInterrupted';

  constructor(key: string) {
    super(
      `The step '${key}' began and was interrupted. It is not known whether it was done, so it was not done again.`,
    );
  }
}

/** `ask` and `once` throw it for a second step of one name: it would get the answer, or the value, of the first. Nothing was done for it. */
export class DuplicateStep extends Error {
  override readonly name = 'DuplicateStep';
  readonly toolName: string;
  /** Undefined for a question without a key that was asked twice at once. */
  readonly key: string | undefined;

  constructor(toolName: string, method: 'ask' | 'once', key?: string) {
    super(
      key === undefined
        ? `The tool '${toolName}' asks the same question twice at once, so nobody could say which of them an answer is for. Give each a key with what differs: ask({ key: \`confirm:\${id}\`, ... }).`
        : `The tool '${toolName}' uses the key '${key}' of ${method} twice, so the second step would get what is stored of the first. It was not done. Add what differs to the key: ${toExample(method, key)}.`,
    );
    this.toolName = toolName;
    this.key = key;
  }
}

function toExample(method: 'ask' | 'once', key: string): string {
  const longer = `\`${key}:\${id}\``;
  return method === 'once' ? `once(${longer}, ...)` : `ask({ key: ${longer}, ... })`;
}

/** `ask` and `once` throw it inside the work of a `once`: the step can neither wait for a person nor hold a second step. */
export class NestedStep extends Error {
  override readonly name = 'NestedStep';
  readonly toolName: string;

  constructor(toolName: string, method: 'ask' | 'once') {
    super(
      `The tool '${toolName}' calls ${method} inside the work of a once. A step is stored when its work is over, so nothing in it can be stored or wait for a person. Call ${method} before or after the once, and pass the value on.`,
    );
    this.toolName = toolName;
  }
}
