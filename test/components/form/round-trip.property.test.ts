import { describe, expect, test } from 'vitest';
import { createFormValues } from '../../../src/components/form/create-form-values.ts';
import { ABSENT, readFormValues } from '../../../src/components/form/read-form-values.ts';
import { readJsonSchema } from '../../../src/components/form/read-json-schema.ts';
import { englishLabels } from '../../../src/components/text/labels.ts';
import { formSample, sortedJson } from '../../support/arbitrary-forms.ts';
import fc, { caseCount } from '../../support/fast-check.ts';

describe('createFormValues and readFormValues', () => {
  test('return the same value for every schema', () => {
    fc.assert(
      fc.property(formSample, ({ schema, value }) => {
        const field = readJsonSchema(schema, { label: 'Value', required: true });
        const issues: unknown[] = [];
        const read = readFormValues(field, createFormValues(field, value), 'value', {
          labels: englishLabels,
          issues: issues as never,
        });
        expect(issues).toEqual([]);
        expect(sortedJson(read)).toBe(sortedJson(value));
      }),
      { numRuns: caseCount(100) },
    );
  });

  test('work with any JSON as a schema', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (schema) => {
        const field = readJsonSchema(schema, { label: 'Value', required: true });
        const context = { labels: englishLabels, issues: [] };
        const read = readFormValues(field, createFormValues(field), 'value', context);
        expect(read === ABSENT || JSON.stringify(read) !== undefined).toBe(true);
      }),
      { numRuns: caseCount(100) },
    );
  });
});
