/** Failures of the systems around a tool call: NATS, the card store and L0. They leave the call as it is, to be tried again. */
import { describeThrown } from '../../shared/errors.ts';

/**
 * The step of a call at which something failed.
 *
 * - `receive`: the command is malformed and nobody could be answered, so it was dropped
 * - `claim`, `hydrate`, `save`, `report`: NATS, the card store or L0 failed; the step is tried again, except for a report that L0 refused
 * - `execute`: the tool threw; the agent gets the error
 * - `pending`: the row of a call that waits for a person could not be read or written
 * - `rule`: `mayAnswer` of a tool threw, or said neither yes nor no, so the inbox shows its call to nobody
 * - `wakeup`: the worker could not be told that a result is in its inbox; the service tries again
 * - `consume`: the command stream or its consumer is gone
 */
export type UtpStep =
  | 'receive'
  | 'claim'
  | 'hydrate'
  | 'execute'
  | 'pending'
  | 'save'
  | 'report'
  | 'rule'
  | 'wakeup'
  | 'consume';

/** Where a failure happened. */
export interface UtpFailure {
  readonly step: UtpStep;
  readonly subject?: string;
  readonly projectId?: string;
  readonly toolCallId?: string;
}

/** Called with the thrown value itself, for your logs. An error or rejection of the listener is ignored. */
export type UtpFailureListener = (thrown: unknown, failure: UtpFailure) => unknown;

/** A failure after which the call can be tried again. `cause` is the thrown value. */
export class StepFailure extends Error {
  declare readonly name: 'StepFailure';
  readonly step: UtpStep;

  constructor(step: UtpStep, cause: unknown) {
    super(`The step "${step}" failed: ${describeThrown(cause, 'no message')}`, { cause });
    this.name = 'StepFailure';
    this.step = step;
  }
}

/** Resolves as the work does. @throws StepFailure with the thrown value as its cause. */
export async function inStep<Value>(step: UtpStep, work: () => Promise<Value>): Promise<Value> {
  try {
    return await work();
  } catch (thrown) {
    throw new StepFailure(step, thrown);
  }
}
