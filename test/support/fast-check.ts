/**
 * fast-check with the same cases on every machine: what one run in a hundred finds must not stop a change that has
 * nothing to do with it. Other cases are looked for on purpose: `HANDRAIL_SEED=$RANDOM npm test`.
 */
import fc from 'fast-check';
import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    seed: number;
  }
}

fc.configureGlobal({ seed: inject('seed') });

export { default } from 'fast-check';
