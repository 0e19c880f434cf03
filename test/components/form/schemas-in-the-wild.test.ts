/** Schemas that agents and generators write beside the newest JSON Schema: draft 4, OpenAPI 3.0, vendor keywords, allOf. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readSchema } from '../../../src/components/form/schema/read-schema.ts';

/** Returns the field of one property, without its label and undefined properties. */
function fieldOf(schema: unknown, definitions: Record<string, unknown> = {}): unknown {
  const { field } = readSchema({ type: 'object', required: ['a'], properties: { a: schema }, definitions });
  if (field.kind !== 'group') throw new Error(`not a group but ${field.kind}`);
  const { label, required, ...rest } = JSON.parse(JSON.stringify(field.fields[0]?.field));
  return rest;
}

const text = { kind: 'text', format: 'plain' };
const number = { kind: 'number', integer: false };
const string = { type: 'string' };

describe('OpenAPI 3.0', () => {
  const ab = [
    { value: 'a', label: 'a' },
    { value: 'b', label: 'b' },
  ];
  test.each<[string, unknown, unknown]>([
    ['a text', { ...string, nullable: true, minLength: 2 }, { ...text, nullable: true, minLength: 2 }],
    [
      'a number',
      { type: 'number', nullable: true, default: null },
      { ...number, nullable: true, defaultValue: null },
    ],
    [
      'a choice',
      { ...string, nullable: true, enum: ['a', 'b'] },
      { kind: 'choice', options: ab, nullable: true },
    ],
    [
      'a choice that has null itself',
      { nullable: true, enum: ['a', 'b', null] },
      { kind: 'choice', options: [...ab, { value: null, label: 'null' }] },
    ],
    [
      'a nullable type that lists null too',
      { type: ['string', 'null'], nullable: true },
      { ...text, nullable: true },
    ],
    ['nullable: false', { ...string, nullable: false }, text],
    [
      'a reference beside it',
      { allOf: [{ $ref: '#/definitions/short' }], nullable: true, description: 'Here' },
      { ...text, nullable: true, maxLength: 5, description: 'Here' },
    ],
  ])('nullable: %s', (_, schema, expected) => {
    expect(fieldOf(schema, { short: { ...string, maxLength: 5 } })).toEqual(expected);
  });

  test('reads a nullable object as a union', () => {
    const schema = { type: 'object', nullable: true, properties: { b: string } };
    expect(fieldOf(schema)).toMatchObject({
      kind: 'union',
      variants: [
        { kind: 'group', fields: [{ name: 'b' }] },
        { kind: 'constant', value: null },
      ],
    });
  });

  test('uses the example of a text as its placeholder', () => {
    expect(fieldOf({ ...string, example: 'Ada' })).toEqual({ ...text, placeholder: 'Ada' });
    expect(fieldOf({ type: 'number', examples: [7, 8] })).toEqual({ ...number, placeholder: '7' });
  });
});

describe('exclusive limits', () => {
  test.each<[string, object, object]>([
    ['draft 4', { minimum: 5, exclusiveMinimum: true }, { exclusiveMinimum: 5 }],
    ['draft 4, maximum', { maximum: 5, exclusiveMaximum: true }, { exclusiveMaximum: 5 }],
    ['draft 4, a flag that is false', { minimum: 5, exclusiveMinimum: false }, { minimum: 5 }],
    ['draft 4, a flag without a limit', { exclusiveMinimum: true }, {}],
    ['draft 2020-12', { exclusiveMinimum: 5, maximum: 9 }, { exclusiveMinimum: 5, maximum: 9 }],
  ])('%s', (_, limits, expected) => {
    expect(fieldOf({ type: 'number', ...limits })).toEqual({ ...number, ...expected });
  });
});

test.each(['draft-04', 'draft-07', 'draft-2020-12', 'openapi-3.0'] as const)(
  'what Zod writes as %s gives the form of the schema itself',
  (target) => {
    const schema = z.object({
      note: z.string().min(2).nullable(),
      price: z.number().gt(0).lt(100),
      count: z.int().min(1),
      size: z.enum(['S', 'M']),
      colour: z.union([z.literal('red'), z.literal('green')]),
      rows: z.array(z.object({ at: z.iso.date() })),
      address: z.object({ city: z.string() }).nullable(),
    });
    const shape = (given: Parameters<typeof readSchema>[0]) =>
      JSON.parse(JSON.stringify(readSchema(given).field));
    expect(shape(z.toJSONSchema(schema, { target }))).toEqual(shape(schema));
  },
);

describe('allOf keeps the stricter of two rules', () => {
  test.each<[string, readonly unknown[], unknown]>([
    [
      'lengths',
      [
        { ...string, minLength: 2, maxLength: 5 },
        { minLength: 3, maxLength: 9 },
      ],
      { ...text, minLength: 3, maxLength: 5 },
    ],
    [
      'in either order',
      [
        { minLength: 3, maxLength: 9 },
        { ...string, minLength: 2, maxLength: 5 },
      ],
      { ...text, minLength: 3, maxLength: 5 },
    ],
    [
      'ranges, one of them of draft 4',
      [
        { type: 'number', minimum: 1, exclusiveMinimum: true, multipleOf: 5 },
        { minimum: 0, exclusiveMinimum: 2, multipleOf: 10 },
      ],
      { ...number, minimum: 0, exclusiveMinimum: 2, multipleOf: 10 },
    ],
    ['types', [{ type: 'number' }, { type: 'integer' }], { kind: 'number', integer: true }],
    [
      'types in the other order',
      [{ type: 'integer' }, { type: 'number' }],
      { kind: 'number', integer: true },
    ],
    [
      'defaults, of which the first counts',
      [{ type: 'number', default: 5 }, { default: 3 }],
      { ...number, defaultValue: 5 },
    ],
    ['types with and without null', [{ type: ['string', 'null'] }, string], text],
    ['types that exclude each other', [string, { type: 'number' }], { kind: 'json' }],
    [
      'options',
      [{ enum: ['a', 'b', 'c'] }, { enum: ['c', 'b'] }],
      {
        kind: 'choice',
        options: [
          { value: 'b', label: 'b' },
          { value: 'c', label: 'c' },
        ],
      },
    ],
    [
      'lists',
      [
        { type: 'array', minItems: 1, items: { type: 'string', minLength: 1 } },
        { maxItems: 3, minItems: 2, uniqueItems: true, items: { minLength: 4 } },
      ],
      {
        kind: 'list',
        minItems: 2,
        maxItems: 3,
        uniqueItems: true,
        item: { ...text, label: 'A', required: true, minLength: 4 },
      },
    ],
    [
      'entries of a record',
      [{ type: 'object', additionalProperties: string }, { additionalProperties: { minLength: 4 } }],
      { kind: 'record', item: { ...text, label: 'A', required: true, minLength: 4 } },
    ],
    ...[string, true].map((other): [string, readonly unknown[], unknown] => [
      `no more properties, or ${other === true ? 'any' : 'texts'}`,
      [{ type: 'object', additionalProperties: false }, { additionalProperties: other }],
      { kind: 'group', fields: [] },
    ]),
    [
      'texts, or no more properties',
      [{ type: 'object', additionalProperties: string }, { additionalProperties: false }],
      { kind: 'group', fields: [] },
    ],
    ...[true, false].map((isFirst): [string, readonly unknown[], unknown] => [
      `any more properties ${isFirst ? 'before' : 'after'} texts`,
      [
        { type: 'object', additionalProperties: isFirst || string },
        { additionalProperties: isFirst ? string : true },
      ],
      { kind: 'record', item: { ...text, label: 'A', required: true } },
    ]),
    [
      'items that may be equal, and must not',
      [{ type: 'array', items: string, uniqueItems: false }, { uniqueItems: true }],
      { kind: 'list', uniqueItems: true, item: { ...text, label: 'A', required: true } },
    ],
    [
      'what is secret',
      [{ ...string, format: 'email' }, { format: 'password' }],
      { kind: 'text', format: 'secret', secret: true, autoComplete: 'off' },
    ],
  ])('%s', (_, allOf, expected) => {
    expect(fieldOf({ allOf })).toEqual(expected);
  });

  test('merges a property of both parts and their required properties', () => {
    const one = { type: 'object', required: ['b'], properties: { b: { ...string, minLength: 2 } } };
    const other = {
      required: ['c'],
      properties: { b: { minLength: 4, title: 'Bee' }, c: { type: 'integer' } },
    };
    expect(fieldOf({ allOf: [one, other] })).toEqual({
      kind: 'group',
      fields: [
        { name: 'b', field: { ...text, label: 'Bee', required: true, minLength: 4 } },
        { name: 'c', field: { kind: 'number', integer: true, label: 'C', required: true } },
      ],
    });
  });

  test('merges a reference with the keywords beside it', () => {
    const short = { ...string, maxLength: 5, description: 'There' };
    const schema = { $ref: '#/definitions/short', maxLength: 9, minLength: 1, description: 'Here' };
    expect(fieldOf(schema, { short })).toEqual({ ...text, maxLength: 5, minLength: 1, description: 'Here' });
  });

  test('reads two unions as one inside the other', () => {
    const shape = (...names: string[]) => ({
      properties: Object.fromEntries(names.map((name) => [name, string])),
    });
    const schema = {
      allOf: [{ anyOf: [shape('b'), shape('c')] }, { anyOf: [shape('d'), shape('e')] }],
      type: 'object',
    };
    const group = (...names: string[]) => ({ kind: 'group', fields: names.map((name) => ({ name })) });
    expect(fieldOf(schema)).toMatchObject({
      kind: 'union',
      variants: [
        { kind: 'union', variants: [group('b', 'd'), group('b', 'e')] },
        { kind: 'union', variants: [group('c', 'd'), group('c', 'e')] },
      ],
    });
  });
});

describe('choices', () => {
  test('titled constants may include null', () => {
    const options = [
      { value: 1, label: 'One' },
      { value: 2, label: 'Two' },
    ];
    const constants = options.map(({ value, label }) => ({ const: value, title: label }));
    for (const nothing of [{ type: 'null' }, { const: null }])
      expect(fieldOf({ anyOf: [...constants, nothing] })).toEqual({
        kind: 'choice',
        options,
        nullable: true,
      });
    expect(fieldOf({ oneOf: constants })).toEqual({ kind: 'choice', options });
  });

  test('keywords beside alternatives belong to each of them', () => {
    const schema = {
      type: 'object',
      properties: { mail: { ...string, format: 'email' }, phone: string },
      anyOf: [{ required: ['mail'] }, { required: ['phone'] }],
    };
    const fields = (mail: boolean, phone: boolean) => [
      { name: 'mail', field: { format: 'email', required: mail } },
      { name: 'phone', field: { kind: 'text', required: phone } },
    ];
    expect(fieldOf(schema)).toMatchObject({
      kind: 'union',
      variants: [
        { kind: 'group', fields: fields(true, false) },
        { kind: 'group', fields: fields(false, true) },
      ],
    });
    expect(fieldOf({ ...string, oneOf: [{ format: 'email' }, { format: 'uri' }] })).toMatchObject({
      variants: [
        { kind: 'text', format: 'email' },
        { kind: 'text', format: 'uri' },
      ],
    });
  });
});

test('unknown keywords change nothing', () => {
  const extra = {
    'x-order': 1,
    'x-enumNames': ['A'],
    $comment: 'no',
    deprecated: true,
    xml: {},
    externalDocs: {},
  };
  expect(fieldOf({ ...string, ...extra })).toEqual(text);
});

test('a recursive schema of draft 4 is edited as JSON below the maximum depth', () => {
  const tree = {
    type: 'object',
    properties: { name: string, parts: { type: 'array', items: { $ref: '#/definitions/tree' } } },
  };
  let { field } = readSchema({ $ref: '#/definitions/tree', definitions: { tree } });
  let depth = 0;
  for (; field.kind !== 'json'; depth += 1) {
    if (field.kind === 'group') field = field.fields[1]?.field ?? field;
    else if (field.kind === 'list') field = field.item;
    else throw new Error(field.kind);
  }
  expect(depth).toBe(8);
});
