import type { StandardSchemaV1 } from '@standard-schema/spec';
import { readYesOrNo } from './tool-outcome.ts';

/** The answer to an approval. Whoever submits a value that is neither is told so, and the question stays. */
export const YES_OR_NO: StandardSchemaV1 = {
  '~standard': {
    version: 1,
    vendor: 'handrail',
    validate: (value) =>
      readYesOrNo(value) === undefined
        ? {
            issues: [
              { message: 'This is a question for a yes or no: submit({ confirmed: true }) or decline()' },
            ],
          }
        : { value },
  },
};
