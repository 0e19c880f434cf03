import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readChoice } from '../../../src/components/choice/read-choice.ts';
import { createTestTool } from '../create-test-tool.ts';

describe('readChoice reads options', () => {
  test.each([
    [
      'plain values',
      ['a', 2, null],
      [
        { value: 'a', label: 'a' },
        { value: 2, label: '2' },
        { value: null, label: 'null' },
      ],
    ],
    [
      'value and label',
      [{ value: 'x', label: 'Ex', description: 'the one' }],
      [{ value: 'x', label: 'Ex', description: 'the one' }],
    ],
    ['with id and name', [{ id: 7, name: 'Seven' }], [{ value: 7, label: 'Seven' }]],
    ['with a label alone', [{ label: 'Only' }], [{ value: 'Only', label: 'Only' }]],
    ['and leaves out entries without a value', [{}, { color: 'red' }, 'a'], [{ value: 'a', label: 'a' }]],
  ])('%s', (_, options, expected) => {
    const choice = readChoice(createTestTool({ args: { options } }));
    expect(JSON.parse(JSON.stringify(choice.options))).toEqual(expected);
  });

  test('of the output schema when the arguments have none', () => {
    const output = z.object({ color: z.enum(['red', 'blue']) });
    const choice = readChoice(createTestTool({ args: { question: 'Which?' }, definition: { output } }));
    expect(choice.options.map((option) => option.value)).toEqual(['red', 'blue']);
    expect(choice.initial).toEqual([]);
  });
});

describe('the result of a choice', () => {
  const args = { options: ['a', 'b'] };
  test.each([
    ['without a schema', undefined, { args }, ['a'], { selected: 'a' }],
    [
      'several, without a schema',
      undefined,
      { args: { ...args, multiple: true } },
      ['a', 'b'],
      { selected: ['a', 'b'] },
    ],
    ['is the value itself', z.string(), { args }, ['a'], 'a'],
    [
      'has the value under the only property',
      z.object({ choice: z.string() }),
      { args },
      ['a'],
      { choice: 'a' },
    ],
    [
      'several under the one property',
      z.object({ picks: z.array(z.string()) }),
      { args },
      ['a', 'b'],
      { picks: ['a', 'b'] },
    ],
    [
      'several of an enumeration',
      z.object({ picks: z.array(z.enum(['a', 'b'])) }),
      { args: {} },
      ['a', 'b'],
      { picks: ['a', 'b'] },
    ],
    [
      'several by the other name',
      undefined,
      { args: { ...args, multiSelect: true } },
      ['a'],
      { selected: ['a'] },
    ],
    [
      'where a schema has several places for it',
      z.object({ a: z.string(), b: z.string() }),
      { args },
      ['a'],
      { selected: 'a' },
    ],
    ['is { selected } for a schema without a shape', z.unknown(), { args }, ['a'], { selected: 'a' }],
  ] as const)('%s', (_, output, options, values, expected) => {
    const definition = output === undefined ? {} : { definition: { output } };
    expect(readChoice(createTestTool({ ...options, ...definition })).toResult(values)).toEqual(expected);
  });
});

test('readChoice reads the limits from the schema, or else from the arguments', () => {
  const args = { options: ['a', 'b', 'c'], multiple: true, min: 1, max: 2 };
  const fromArgs = readChoice(createTestTool({ args }));
  expect([fromArgs.min, fromArgs.max]).toEqual([1, 2]);
  const byLongNames = { options: ['a'], multiple: true, minItems: 0, maxItems: 3 };
  const fromOthers = readChoice(createTestTool({ args: byLongNames }));
  expect([fromOthers.min, fromOthers.max]).toEqual([0, 3]);
  const senseless = readChoice(createTestTool({ args: { ...args, min: -1, max: 1.5 } }));
  expect([senseless.min, senseless.max]).toEqual([0, undefined]);
  const output = z.object({ picks: z.array(z.string()).min(2).max(3) });
  const fromSchema = readChoice(createTestTool({ args, definition: { output } }));
  expect([fromSchema.min, fromSchema.max]).toEqual([2, 3]);
});

describe('an MCP elicitation of one choice', () => {
  const color = {
    type: 'string',
    title: 'Colour',
    description: 'Of the lamp.',
    oneOf: [
      { const: '#f00', title: 'Red' },
      { const: '#00f', title: 'Blue' },
    ],
    default: '#00f',
  };
  const elicit = (schema: object, more: object = {}) => {
    const requestedSchema = { type: 'object', properties: { color }, ...schema };
    return readChoice(createTestTool({ args: { message: 'Which?', requestedSchema, ...more } }));
  };

  test('shows titles, starts with the default, and submits the constant under the property', () => {
    const choice = elicit({ required: ['color'] });
    expect(choice.options.map(({ label }) => label)).toEqual(['Red', 'Blue']);
    expect(choice).toMatchObject({ initial: [1], optional: false, caption: 'Colour: Of the lamp.' });
    expect(choice.consumed).toEqual(expect.arrayContaining(['mode', 'requestedSchema']));
    expect(choice.toResult(['#f00'])).toEqual({ color: '#f00' });
  });

  test('offers the options of the schema, not those that the server lists beside it', () => {
    const choice = elicit({}, { options: ['green'], multiple: true });
    expect(choice.options.map(({ value }) => value)).toEqual(['#f00', '#00f']);
    expect(choice.multiple).toBe(false);
    expect(choice.consumed).not.toContain('options');
  });

  test('leaves out an optional property without a pick', () => {
    const choice = elicit({});
    expect(choice.optional).toBe(true);
    expect(choice.toResult([])).toStrictEqual({});
  });
});
