/** Argument schemas of Standard Agents: every kind of the allow-list (`ToolArgsNode`), nested to depth 7, has a widget. */

import { expect, test } from 'vitest';
import { z } from 'zod';
import { fields } from '../../../src/components/form/kinds/fields.tsx';
import type { FormField } from '../../../src/components/form/schema/form-field.ts';
import { readSchema } from '../../../src/components/form/schema/read-schema.ts';
import { englishLabels as labels } from '../../../src/components/text/labels.ts';
import { sortedJson } from '../../support/arbitrary-forms.ts';
import fc, { caseCount } from '../../support/fast-check.ts';

interface Node {
  readonly schema: z.ZodType;
  readonly value: unknown;
  /** The number of `z.unknown()` in it, the only kind without a widget. */
  readonly unknowns: number;
}

const name = fc.constantFrom('a', 'b', 'userName', '__proto__');
const leafOf = (schema: z.ZodType, value: unknown): Node => ({ schema, value, unknowns: 0 });
const leaf: fc.Arbitrary<Node> = fc.oneof(
  fc.constantFrom('x', 'two words').map((value) => leafOf(z.string(), value)),
  fc.integer().map((value) => leafOf(z.number(), value)),
  fc.boolean().map((value) => leafOf(z.boolean(), value)),
  fc.constant(leafOf(z.null(), null)),
  fc.constantFrom('v1', 7, true, null).map((value) => leafOf(z.literal(value), value)),
  fc.constantFrom('red', 'green').map((value) => leafOf(z.enum(['red', 'green']), value)),
  fc.constantFrom(1, { any: ['thing'] }).map((value) => ({ schema: z.unknown(), value, unknowns: 1 })),
);

/** A schema with at most this many levels above its leaves. */
function nodeOf(depth: number): fc.Arbitrary<Node> {
  if (depth === 0) return leaf;
  const inner = nodeOf(depth - 1);
  const wrap = (
    make: (schema: z.ZodType) => z.ZodType,
    hold: (value: unknown) => unknown = (value) => value,
  ) => inner.map(({ schema, value, unknowns }) => ({ schema: make(schema), value: hold(value), unknowns }));
  return fc.oneof(
    { weight: 1, arbitrary: leaf },
    { weight: 3, arbitrary: wrap((schema) => schema.nullable()) },
    {
      weight: 3,
      arbitrary: inner.map(({ value, ...node }) => ({ ...node, value, schema: node.schema.default(value) })),
    },
    {
      weight: 3,
      arbitrary: wrap(
        (schema) => z.array(schema),
        (value) => [value],
      ),
    },
    {
      weight: 3,
      arbitrary: wrap(
        (schema) => z.record(z.string(), schema),
        (value) => ({ key: value }),
      ),
    },
    {
      weight: 3,
      arbitrary: fc.tuple(leaf, inner).map(([one, other]) => ({
        schema: z.union([one.schema, other.schema]),
        value: other.value,
        unknowns: one.unknowns + other.unknowns,
      })),
    },
    {
      weight: 3,
      arbitrary: fc.tuple(name, inner, leaf).map(([key, { schema, value, unknowns }, extra]) => ({
        schema: z.object({ [key]: schema, extra: extra.schema.optional() }),
        value: { [key]: value },
        unknowns: unknowns + extra.unknowns,
      })),
    },
  );
}

/** Counts the JSON fields of a form. */
function countJson(field: FormField): number {
  const sum = (fields: readonly FormField[]) => fields.reduce((total, each) => total + countJson(each), 0);
  switch (field.kind) {
    case 'json':
      return 1;
    case 'group':
      return sum(field.fields.map((child) => child.field));
    case 'list':
    case 'record':
      return countJson(field.item);
    case 'union':
      return sum(field.variants);
    default:
      return 0;
  }
}

test('a form of a Standard Agents schema has JSON fields only for unknown parts, and reads back every value', () => {
  fc.assert(
    fc.property(nodeOf(7), ({ schema, value, unknowns }) => {
      const { field } = readSchema(schema);
      expect(countJson(field)).toBe(unknowns);
      const context = { labels, issues: [] };
      const read = fields.read({ ...field, required: true }, fields.create(field, value), 'value', context);
      expect(context.issues).toEqual([]);
      // The schema adds its defaults for absent properties.
      expect(sortedJson(schema.parse(read))).toBe(sortedJson(schema.parse(value)));
    }),
    { numRuns: caseCount(100) },
  );
});
