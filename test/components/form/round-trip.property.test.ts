import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDraft } from '../../../src/components/form/create-draft.ts';
import { ABSENT, readDraft } from '../../../src/components/form/read-draft.ts';
import { readJsonSchema } from '../../../src/components/form/read-json-schema.ts';
import { englishLabels } from '../../../src/components/text/labels.ts';

/** A schema of the supported subset, and a value that matches it. */
interface Sample {
  schema: Record<string, unknown>;
  value: unknown;
}

const text = fc.string({ minLength: 1, unit: 'grapheme' }).filter((value) => value.trim() !== '');
const key = fc.oneof(
  fc.string(),
  fc.constantFrom('__proto__', 'constructor', 'a.b', 'a[0]', '0', 'root', ''),
);
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);

const leaf: fc.Arbitrary<Sample> = fc.oneof(
  text.map((value) => ({ schema: { type: 'string' }, value })),
  number.map((value) => ({ schema: { type: 'number' }, value })),
  fc.maxSafeInteger().map((value) => ({ schema: { type: 'integer' }, value })),
  fc.boolean().map((value) => ({ schema: { type: 'boolean' }, value })),
  fc
    .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
    .map((date) => ({ schema: { type: 'string', format: 'date' }, value: date.toISOString().slice(0, 10) })),
  fc
    .tuple(fc.uniqueArray(text, { minLength: 1 }), fc.nat())
    .map(([options, pick]) => ({ schema: { enum: options }, value: options[pick % options.length] })),
  fc
    .uniqueArray(text, { minLength: 1 })
    .chain((options) => fc.tuple(fc.constant(options), fc.subarray(options)))
    .map(([options, picked]) => ({
      schema: { type: 'array', items: { type: 'string', enum: options } },
      value: picked,
    })),
  fc.oneof(fc.constant(null), text).map((value) => ({ schema: { type: ['string', 'null'] }, value })),
  fc.json().map((value) => ({ schema: {}, value: JSON.parse(value) })),
);

function objectOf(entries: readonly (readonly [string, Sample, boolean])[]): Sample {
  const present = entries.filter(([, , left]) => !left);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
      required: present.map(([name]) => name),
    },
    value: Object.fromEntries(present.map(([name, { value }]) => [name, value])),
  };
}

const { sample } = fc.letrec<{ sample: Sample; list: Sample; record: Sample; object: Sample; union: Sample }>(
  (tie) => ({
    sample: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      tie('list'),
      tie('record'),
      tie('object'),
      tie('union'),
    ),
    list: fc.tuple(leaf, fc.nat({ max: 3 })).map(([{ schema, value }, count]) => ({
      schema: { type: 'array', items: schema, uniqueItems: false },
      value: Array.from({ length: count }, () => value),
    })),
    record: fc
      .tuple(tie('sample'), fc.uniqueArray(key.filter((name) => name !== '')))
      .map(([{ schema, value }, names]) => ({
        schema: { type: 'object', additionalProperties: schema },
        value: Object.fromEntries(names.map((name) => [name, value])),
      })),
    object: fc
      .uniqueArray(fc.tuple(key, tie('sample'), fc.boolean()), { selector: ([name]) => name, minLength: 1 })
      .map((entries) => objectOf(entries)),
    union: fc.tuple(tie('sample'), tie('sample')).map(([{ schema, value }, other]) => ({
      schema: { anyOf: [other.schema, schema] },
      value,
    })),
  }),
);

describe('a value of a schema, put into a form and read back', () => {
  test('comes out equal', () => {
    fc.assert(
      fc.property(sample, ({ schema, value }) => {
        const field = readJsonSchema(schema, { label: 'Value', required: true });
        const issues: unknown[] = [];
        const read = readDraft(field, createDraft(field, value), 'value', {
          labels: englishLabels,
          issues: issues as never,
        });
        expect(issues).toEqual([]);
        expect(sortKeys(read)).toBe(sortKeys(value));
      }),
      { numRuns: 500 },
    );
  });

  test('any JSON at all as a schema gives a form that can be read', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (schema) => {
        const field = readJsonSchema(schema, { label: 'Value', required: true });
        const context = { labels: englishLabels, issues: [] };
        const read = readDraft(field, createDraft(field), 'value', context);
        expect(read === ABSENT || JSON.stringify(read) !== undefined).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});

/** JSON with the keys of every object in order: `{ a, b }` and `{ b, a }` are the same value. */
function sortKeys(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([left], [right]) => (left < right ? -1 : 1)))
      : item,
  );
}
