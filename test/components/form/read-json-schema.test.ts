import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { FormField } from '../../../src/components/form/schema/form-field.ts';
import { readFields } from '../../../src/components/form/schema/read-fields.ts';
import { readSchema } from '../../../src/components/form/schema/read-schema.ts';

/** Returns the fields of a form by name, without undefined properties. */
function fieldsOf(schema: Parameters<typeof readSchema>[0]): Record<string, unknown> {
  const { field } = readSchema(schema);
  if (field.kind !== 'group') throw new Error(`not a group but ${field.kind}`);
  return Object.fromEntries(field.fields.map(({ name, field: child }) => [name, defined(child)]));
}

function defined(field: FormField): unknown {
  return JSON.parse(JSON.stringify(field));
}

describe('readJsonSchema reads every kind of property of MCP elicitation', () => {
  const fields = fieldsOf({
    type: 'object',
    required: ['email', 'plan'],
    properties: {
      email: { type: 'string', title: 'Email', description: 'Yours', format: 'email', default: 'a@b.cd' },
      site: { type: 'string', format: 'uri' },
      day: { type: 'string', format: 'date' },
      at: { type: 'string', format: 'date-time' },
      nickName: { type: 'string', minLength: 2, maxLength: 9, pattern: '^[a-z]+$' },
      count: { type: 'integer', minimum: 1, maximum: 5 },
      ratio: { type: 'number' },
      agree: { type: 'boolean', default: true },
      color: { type: 'string', enum: ['r', 'g'] },
      plan: { type: 'string', oneOf: [{ const: 'p', title: 'Pro' }] },
      legacy: { type: 'string', enum: ['a', 'b'], enumNames: ['Alpha', 'Beta'] },
      wrongNames: { type: 'string', enum: ['a', 'b'], enumNames: ['Alpha'] },
      tags: { type: 'array', items: { type: 'string', enum: ['x', 'y'] }, minItems: 1, maxItems: 2 },
      topics: { type: 'array', items: { anyOf: [{ const: 'n', title: 'News' }] } },
    },
  });

  test.each([
    [
      'email',
      {
        kind: 'text',
        format: 'email',
        label: 'Email',
        description: 'Yours',
        required: true,
        defaultValue: 'a@b.cd',
        autoComplete: 'email',
      },
    ],
    ['site', { kind: 'text', format: 'uri', label: 'Site', required: false, autoComplete: 'url' }],
    ['day', { kind: 'text', format: 'date', label: 'Day', required: false }],
    ['at', { kind: 'text', format: 'date-time', label: 'At', required: false }],
    [
      'nickName',
      {
        kind: 'text',
        format: 'plain',
        label: 'Nick name',
        required: false,
        minLength: 2,
        maxLength: 9,
        pattern: '^[a-z]+$',
      },
    ],
    ['count', { kind: 'scale', label: 'Count', required: false, values: [1, 2, 3, 4, 5] }],
    ['ratio', { kind: 'number', integer: false, label: 'Ratio', required: false }],
    ['agree', { kind: 'boolean', label: 'Agree', required: false, defaultValue: true }],
    [
      'color',
      {
        kind: 'choice',
        label: 'Color',
        required: false,
        options: [
          { value: 'r', label: 'r' },
          { value: 'g', label: 'g' },
        ],
      },
    ],
    ['plan', { kind: 'choice', label: 'Plan', required: true, options: [{ value: 'p', label: 'Pro' }] }],
    [
      'legacy',
      {
        kind: 'choice',
        label: 'Legacy',
        required: false,
        options: [
          { value: 'a', label: 'Alpha' },
          { value: 'b', label: 'Beta' },
        ],
      },
    ],
    [
      'wrongNames',
      {
        kind: 'choice',
        label: 'Wrong names',
        required: false,
        options: [
          { value: 'a', label: 'a' },
          { value: 'b', label: 'b' },
        ],
      },
    ],
    [
      'tags',
      {
        kind: 'multi-choice',
        label: 'Tags',
        required: false,
        minItems: 1,
        maxItems: 2,
        options: [
          { value: 'x', label: 'x' },
          { value: 'y', label: 'y' },
        ],
      },
    ],
    [
      'topics',
      { kind: 'multi-choice', label: 'Topics', required: false, options: [{ value: 'n', label: 'News' }] },
    ],
  ])('%s', (name, expected) => {
    expect(fields[name]).toEqual(expected);
  });
});

describe('readJsonSchema reads the schemas of Zod', () => {
  test('wrappers, literals, unions, records and lists', () => {
    const fields = fieldsOf(
      z.object({
        optional: z.string().optional(),
        nullable: z.string().nullable(),
        preset: z.number().int().default(3),
        fixed: z.literal('v1'),
        maybe: z.boolean().nullable(),
        either: z.union([z.string(), z.number()]),
        limits: z.record(z.string(), z.number()),
        rows: z.array(z.object({ a: z.string() })),
        anything: z.unknown(),
        when: z.date(),
        typed: z.coerce.date(),
      }),
    );
    expect(Object.entries(fields).map(([name, field]) => [name, (field as FormField).kind])).toEqual([
      ['optional', 'text'],
      ['nullable', 'text'],
      ['preset', 'number'],
      ['fixed', 'constant'],
      ['maybe', 'union'],
      ['either', 'union'],
      ['limits', 'record'],
      ['rows', 'list'],
      ['anything', 'json'],
      ['when', 'json'],
      ['typed', 'text'],
    ]);
    expect(fields.optional).toMatchObject({ required: false });
    expect(fields.nullable).toMatchObject({ required: true, nullable: true });
    expect(fields.preset).toMatchObject({ required: false, defaultValue: 3, integer: true });
    expect(fields.preset).not.toHaveProperty('minimum');
    expect(fields.typed).toMatchObject({ format: 'date-time', required: true });
  });

  test('a record with a closed list of keys has a field for each key', () => {
    const keys = z.enum(['small', 'large']);
    const { all, some } = fieldsOf(
      z.object({ all: z.record(keys, z.number()), some: z.partialRecord(keys, z.number()) }),
    );
    const size = { kind: 'number', integer: false };
    const sizes = (required: boolean) => [
      { name: 'small', field: { ...size, label: 'Small', required } },
      { name: 'large', field: { ...size, label: 'Large', required } },
    ];
    expect(all).toMatchObject({ kind: 'group', fields: sizes(true) });
    expect(some).toMatchObject({ kind: 'group', fields: sizes(false) });
  });

  test('the default null of a variant is the default of the union', () => {
    const nothing = z.null().default(null);
    const fields = fieldsOf(
      z.object({
        colour: z.union([z.enum(['red', 'green']), nothing]),
        either: z.union([z.string(), z.number(), nothing]),
      }),
    );
    expect(fields.colour).toMatchObject({ kind: 'choice', nullable: true, defaultValue: null });
    expect(fields.either).toMatchObject({ kind: 'union', defaultValue: null });
  });

  test('a recursive schema becomes JSON below depth 7', () => {
    const Node: z.ZodType = z.object({
      name: z.string(),
      get children() {
        return z.array(Node);
      },
    });
    let { field } = readSchema(Node);
    let depth = 0;
    for (; field.kind !== 'json'; depth += 1) {
      if (field.kind === 'group') field = field.fields[1]?.field ?? field;
      else if (field.kind === 'list') field = field.item;
      else throw new Error(field.kind);
    }
    expect(depth).toBe(8);
  });
});

describe('readJsonSchema never throws', () => {
  test.each([
    ['a reference to nowhere', { $ref: '#/$defs/lost' }],
    ['a reference to another document', { $ref: 'https://example.com/schema.json' }],
    ['a reference to itself', { $ref: '#' }],
    ['a reference to an anchor that is not there', { type: 'object', $ref: '#lost' }],
    ['a tuple', { type: 'array', prefixItems: [{ type: 'string' }] }],
    ['a boolean schema', true],
    ['an unknown type', { type: 'money' }],
    [
      'more fields than a page holds',
      {
        type: 'object',
        properties: Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`f${index}`, {}])),
      },
    ],
  ])('and reads %s as a JSON field', (_, schema) => {
    expect(readSchema(schema as never).field.kind).toBe('json');
  });

  const manyTimes = (count: number, part: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, part]));

  test.each([
    ['an object', { type: 'object', properties: manyTimes(12, { $ref: '#' }) }, 'group'],
    ['a union', { anyOf: [{ type: 'string' }, ...Object.values(manyTimes(12, { $ref: '#' }))] }, 'union'],
    ['an allOf', { allOf: Object.values(manyTimes(12, { $ref: '#' })) }, 'json'],
    ['a union of 5,000 variants', { anyOf: Object.values(manyTimes(5_000, { type: 'object' })) }, 'json'],
  ])('and limits the parts of %s that contains itself many times', (_, schema, kind) => {
    const { field } = readSchema(schema);
    expect(field.kind).toBe(kind);
    expect(JSON.stringify(field).split('"kind"').length).toBeLessThan(3_000);
  });

  test.each([
    ['#count', { count: { $anchor: 'count', type: 'integer' } }],
    ['#sizes/items', { sizes: { $anchor: 'sizes', items: { type: 'integer' } } }],
    ['#/$defs/number%20of~1cups', { 'number of/cups': { type: 'integer' } }],
    ['#/$defs/100%', { '100%': { type: 'integer' } }],
  ])('follows the reference %s', ($ref, $defs) => {
    expect(fieldsOf({ $defs, type: 'object', properties: { cups: { $ref } } })).toEqual({
      cups: { kind: 'number', label: 'Cups', required: false, integer: true },
    });
  });

  test('follows references and merges allOf', () => {
    const fields = fieldsOf({
      $defs: {
        name: { type: 'string', title: 'Name', minLength: 1 },
        base: { properties: { a: { type: 'number' } }, required: ['a'] },
      },
      type: 'object',
      allOf: [{ $ref: '#/$defs/base' }],
      properties: { b: { $ref: '#/$defs/name', description: 'Here' } },
    });
    expect(fields).toEqual({
      a: { kind: 'number', label: 'A', required: true, integer: false },
      b: { kind: 'text', label: 'Name', description: 'Here', required: false, format: 'plain', minLength: 1 },
    });
  });
});

test('autocomplete follows the format or the name of a field, and is off for a secret', () => {
  const text = { type: 'string' };
  const { field } = readSchema({
    type: 'object',
    properties: {
      first_name: text,
      postalCode: text,
      phone: text,
      mail: { ...text, format: 'email' },
      city: { ...text, writeOnly: true },
      constructor: text,
      name: text,
    },
  });
  const words = field.kind === 'group' ? field.fields.map((child) => child.field) : [];
  expect(words.map((child) => (child.kind === 'text' ? child.autoComplete : child.kind))).toEqual([
    'given-name',
    'postal-code',
    'tel',
    'email',
    'off',
    undefined,
    undefined,
  ]);
});

describe('readFields', () => {
  test('reads every type', () => {
    const { field, skipped } = readFields([
      { name: 'name', label: 'Full name', type: 'text', required: true, placeholder: 'Ada' },
      { name: 'mail', type: 'email' },
      { name: 'age', label: 'Age', type: 'number', min: 0, max: 150 },
      { name: 'bio', label: 'Bio', type: 'textarea' },
      { name: 'size', label: 'Size', type: 'select', options: ['S', { value: 'm', label: 'Medium' }] },
      { name: 'extras', label: 'Extras', type: 'checkbox', options: ['a', 'b'] },
      { name: 'ok', label: 'OK', type: 'checkbox' },
      { name: 'pin', label: 'PIN', type: 'password' },
      { name: 'odd', label: 'Odd', type: 'hologram', defaultValue: 'x' },
      { name: 'mail', type: 'email' },
      { label: 'No name' },
      'text',
    ]);
    expect(skipped).toBe(3);
    expect(
      field.fields.map(({ name, field: child }) => [name, child.kind, child.label, child.required]),
    ).toEqual([
      ['name', 'text', 'Full name', true],
      ['mail', 'text', 'Mail', false],
      ['age', 'number', 'Age', false],
      ['bio', 'text', 'Bio', false],
      ['size', 'choice', 'Size', false],
      ['extras', 'multi-choice', 'Extras', false],
      ['ok', 'boolean', 'OK', true],
      ['pin', 'text', 'PIN', false],
      ['odd', 'text', 'Odd', false],
    ]);
    expect(defined(field.fields[4]?.field as FormField)).toMatchObject({
      options: [
        { value: 'S', label: 'S' },
        { value: 'm', label: 'Medium' },
      ],
    });
    expect(field.fields[7]?.field).toMatchObject({ format: 'secret', autoComplete: 'off' });
    expect(field.fields[8]?.field).toMatchObject({ format: 'plain', defaultValue: 'x' });
  });

  test.each([
    ['the step counts from min', { type: 'number', min: 1, step: 2 }, { minimum: 1 }],
    ['the step counts from minimum', { type: 'number', minimum: 1, step: 2 }, { minimum: 1 }],
    [
      'a step that divides min is a multipleOf',
      { type: 'number', min: 4, step: 2 },
      { minimum: 4, multipleOf: 2 },
    ],
    [
      'without a minimum a step is a multipleOf',
      { type: 'range', max: 10, step: 5 },
      { maximum: 10, multipleOf: 5 },
    ],
    ['a step of 0 is ignored', { type: 'number', step: 0 }, {}],
    [
      'an integer has limits',
      { type: 'integer', minimum: 1, maximum: 30 },
      { integer: true, minimum: 1, maximum: 30 },
    ],
  ])('reads the limits of a number: %s', (_, entry, expected) => {
    const [only] = readFields([{ name: 'n', ...entry }]).field.fields;
    expect(defined(only?.field as FormField)).toEqual({
      kind: 'number',
      label: 'N',
      required: false,
      integer: false,
      ...expected,
    });
  });

  test.each([
    [{ type: 'select', multiple: true, options: ['a', 'b'] }, { kind: 'multi-choice' }],
    [{ type: 'checkboxes', options: ['a', 'b'] }, { kind: 'multi-choice' }],
    [{ type: 'multiselect', options: ['a', 'b'] }, { kind: 'multi-choice' }],
    [{ type: 'multi-select', options: ['a', 'b'] }, { kind: 'multi-choice' }],
    [{ type: 'checkbox', options: ['a'] }, { kind: 'choice' }],
    [
      { type: 'radio', options: ['a', 'b'] },
      { kind: 'choice', control: 'radio' },
    ],
    [{ type: 'file' }, { kind: 'file', multiple: false }],
    [
      { type: 'file', multiple: true },
      { kind: 'file', multiple: true },
    ],
    [{ type: 'files' }, { kind: 'file', multiple: true }],
    [{ description: 'Here', help: 'There' }, { description: 'Here' }],
    [{ help: 'Here', hint: 'There' }, { description: 'Here' }],
    [{ hint: 'Here' }, { description: 'Here' }],
    [{ value: 'x' }, { defaultValue: 'x' }],
  ])('%j', (entry, expected) => {
    const [only] = readFields([{ name: 'n', ...entry }]).field.fields;
    expect(only?.field).toMatchObject(expected);
  });
});
