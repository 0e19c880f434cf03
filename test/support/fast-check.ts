/**
 * fast-check with the same cases on every machine: a failure that one seed in a hundred finds must not stop an unrelated change. To
 * look for other cases, run `HANDRAIL_SEED=$RANDOM npm run test:unit`; `HANDRAIL_RUNS=10` makes ten times as many.
 */
import fc from 'fast-check';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    seed: number;
    /** How many times the usual number of cases a property gets. */
    runs: number;
  }
}

fc.configureGlobal({ seed: inject('seed') });

/** The number of cases for a property: a modest one by default, times `HANDRAIL_RUNS`. */
export function caseCount(usual: number): number {
  return Math.ceil(usual * inject('runs'));
}

export { default } from 'fast-check';
