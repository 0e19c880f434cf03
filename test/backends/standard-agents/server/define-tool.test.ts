/** The allow-list of section "Tools": every row of it, and every kind that it leaves out. */
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import * as mini from 'zod/mini';
import { defineTool, type ToolArgs } from '../../../../src/backends/standard-agents/server/define-tool.ts';

const execute = () => ({ status: 'success' }) as const;
const define = (args: unknown) => () =>
  defineTool({ description: 'A tool.', args: args as ToolArgs, execute });
const withArg = (arg: z.ZodType) => define(z.object({ list: z.array(z.object({ arg })) }));

test.each([
  ['string', z.string().min(1)],
  ['string format', z.email()],
  ['number', z.number()],
  ['integer', z.int()],
  ['boolean', z.boolean()],
  ['null', z.null()],
  ['literal', z.literal(['a', 1, true, null])],
  ['enum', z.enum(['a', 'b'])],
  ['unknown', z.unknown()],
  ['optional', z.string().optional()],
  ['nullable', z.string().nullable()],
  ['default', z.string().default('a')],
  ['array', z.array(z.number())],
  ['object', z.object({ a: z.string() })],
  ['record', z.record(z.string(), z.number())],
  ['union', z.union([z.string(), z.number()])],
])('defineTool allows %s as an argument', (_, arg) => {
  expect(withArg(arg)).not.toThrow();
});

test.each([
  ['a ZodDate', z.date()],
  ['a ZodTuple', z.tuple([z.string()])],
  ['a ZodIntersection', z.intersection(z.object({}), z.object({}))],
  ['a ZodPipe', z.string().transform((text) => text.length)],
  ['a ZodPipe', z.stringbool()],
  ['a ZodLazy', z.lazy(() => z.string())],
  ['a ZodAny', z.any()],
  ['a ZodBigint', z.bigint()],
  ['a ZodReadonly', z.string().readonly()],
  ['a ZodPrefault', z.string().prefault('a')],
  ['a ZodCatch', z.string().catch('a')],
  ['a ZodUndefined', z.undefined()],
  ['a ZodNever', z.never()],
  ['a ZodMap', z.map(z.string(), z.string())],
  ['a ZodFile', z.file()],
])('defineTool refuses %s and names its path', (kind, arg) => {
  expect(withArg(arg)).toThrow(
    `defineTool: args.list[].arg is ${kind}, which the arguments of a tool may not have`,
  );
});

test.each([
  [
    'a discriminated union',
    z.discriminatedUnion('t', [z.object({ t: z.literal('a') }), z.object({ t: z.literal('b') })]),
    'args.list[].arg is a ZodDiscriminatedUnion that has a discriminator; use z.union',
  ],
  ['a union of one', z.union([z.string()]), 'args.list[].arg is a ZodUnion that has fewer than two options'],
  ['a bigint literal', z.literal(1n), 'is a ZodLiteral that has a value other than'],
  ['an undefined literal', z.literal(undefined), 'is a ZodLiteral that has a value other than'],
  ['an enum of numbers', z.enum({ A: 1 }), 'is a ZodEnum that has a value that is no string'],
  [
    'a record with keys from a list',
    z.record(z.enum(['a']), z.string()),
    'is a ZodRecord that has keys that are no z.string()',
  ],
  ['a date in a union', z.union([z.string(), z.date()]), 'args.list[].arg|1 is a ZodDate'],
  ['a date in a record', z.record(z.string(), z.date()), 'args.list[].arg{} is a ZodDate'],
  ['a date that is optional', z.date().optional(), 'args.list[].arg is a ZodDate'],
])('defineTool refuses %s with the reason', (_, arg, message) => {
  expect(withArg(arg)).toThrow(message);
});

test.each([
  ['of the arguments', z.object({ a: z.string() }).catchall(z.date()), 'args.* is a ZodDate'],
  ['of an argument', z.object({ a: z.object({}).catchall(z.tuple([z.string()])) }), 'args.a.* is a ZodTuple'],
])('defineTool checks the other properties %s', (_, args, message) => {
  expect(define(args)).toThrow(message);
});

test.each([
  ['strict', z.strictObject({ a: z.strictObject({}) })],
  ['loose', z.looseObject({ a: z.looseObject({}) })],
  ['numbers besides', z.object({ a: z.string() }).catchall(z.number())],
])('defineTool allows an object that is %s', (_, args) => {
  expect(define(args)).not.toThrow();
});

describe('depth', () => {
  const nest = (levels: number): z.ZodType => (levels === 0 ? z.string() : z.array(nest(levels - 1)));

  test('defineTool allows seven containers inside each other and refuses the eighth', () => {
    expect(define(z.object({ deep: nest(7) }))).not.toThrow();
    expect(define(z.object({ deep: nest(8) }))).toThrow(
      'args.deep[][][][][][][] is a ZodArray deeper than 7 levels',
    );
  });

  test('defineTool counts wrappers as levels', () => {
    expect(define(z.object({ deep: nest(7).optional() }))).toThrow('deeper than 7 levels');
  });

  test('defineTool refuses a schema that contains itself', () => {
    const node = z.object({
      get child() {
        return node;
      },
    });
    expect(define(z.object({ node }))).toThrow(/deeper than 7 levels/);
  });
});

test('defineTool returns the definition, with or without arguments', () => {
  const definition = { description: 'A tool.', args: z.object({ a: z.string() }), execute };
  expect(defineTool(definition)).toBe(definition);
  expect(defineTool({ description: 'A tool.', execute })).toMatchObject({ description: 'A tool.' });
  expect(define(mini.object({ a: mini.optional(mini.string()) }))).not.toThrow();
});

test.each([
  ['a list', z.array(z.string()), 'defineTool: args must be a z.object() of Zod 4, got a ZodArray'],
  [
    'a JSON Schema',
    { type: 'object' },
    'defineTool: args must be a z.object() of Zod 4, got no schema of Zod 4',
  ],
])('defineTool refuses %s as arguments', (_, args, message) => {
  expect(define(args)).toThrow(message);
});

test('defineTool refuses a definition without a description or a function', () => {
  expect(() => defineTool({ description: ' ', execute })).toThrow(/description must be a text/);
  expect(() =>
    defineTool({ description: 'A tool.', execute: undefined as unknown as typeof execute }),
  ).toThrow(/execute must be a function/);
});
