import { describe, expect, test } from 'vitest';
import { fields } from '../../../src/components/form/kinds/fields.tsx';
import { ABSENT } from '../../../src/components/form/kinds/read-context.ts';
import { readJsonSchema } from '../../../src/components/form/schema/read-json-schema.ts';
import { englishLabels } from '../../../src/components/text/labels.ts';
import { formSample, sortedJson } from '../../support/arbitrary-forms.ts';
import fc, { caseCount } from '../../support/fast-check.ts';

describe('createFormValues and readFormValues', () => {
  test('return the same value for every schema', () => {
    fc.assert(
      fc.property(formSample, ({ schema, value }) => {
        const field = readJsonSchema(schema, { label: 'Value', required: true });
        const issues: unknown[] = [];
        const read = fields.read(field, fields.create(field, value), 'value', {
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
        const read = fields.read(field, fields.create(field), 'value', context);
        expect(read === ABSENT || JSON.stringify(read) !== undefined).toBe(true);
      }),
      { numRuns: caseCount(100) },
    );
  });
});
