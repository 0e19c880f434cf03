import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { pickQuestion } from '../../../src/components/client-tools/pick-question.ts';
import { createTestTool } from '../create-test-tool.ts';

const Stars = () => null;
const rating = z.object({ rating: z.number() });
/** A Standard Schema of a library that offers no JSON Schema. */
const opaque = {
  '~standard': { version: 1, vendor: 'none', validate: (value: unknown) => ({ value }) },
} as const;

describe('the picked question', () => {
  test.each([
    ['{ action, description }', { args: { action: 'delete', description: 'All of it' } }, 'confirm'],
    ['{ fields }', { args: { fields: [{ name: 'a', label: 'A', type: 'text' }] } }, 'form'],
    ['{ options }', { args: { options: ['a'] } }, 'choice'],
    [
      'a requested schema with properties',
      { args: { requestedSchema: { type: 'object', properties: { a: {} } } } },
      'form',
    ],
    [
      'a requested schema without properties',
      { args: { message: 'Go on?', requestedSchema: { type: 'object', properties: {} } } },
      'confirm',
    ],
    ['other arguments', { args: { lat: 1, lng: 2 } }, 'confirm'],
    ['empty fields', { args: { fields: [] } }, 'confirm'],
    ['empty options', { args: { options: [] } }, 'confirm'],
    ['fields that are not an array', { args: { fields: 'name', options: { a: 1 } } }, 'confirm'],
    ['arguments that are not an object', { args: ['a'] }, 'confirm'],
    ['no arguments at all', { args: undefined }, 'confirm'],
    ['an output schema', { definition: { output: rating }, args: { question: 'How was it?' } }, 'form'],
    [
      'an output schema before the arguments',
      { definition: { output: rating }, args: { options: ['a'] } },
      'form',
    ],
    [
      'an output schema without JSON Schema',
      { definition: { output: opaque }, args: { options: ['a'] } },
      'choice',
    ],
    [
      'ui of the definition before everything else',
      { definition: { ui: 'confirm', output: rating }, args: { fields: [{ name: 'a' }] } },
      'confirm',
    ],
    [
      'an approval, whatever the arguments and output are',
      { approvalReason: 'policy', definition: { output: rating }, args: { options: ['a'] } },
      'confirm',
    ],
    [
      'arguments that throw when they are read',
      {
        args: {
          get fields() {
            throw new Error('No fields');
          },
        },
      },
      'confirm',
    ],
    ["an app's component", { definition: { ui: Stars } }, Stars],
  ] as const)('%s', (_, options, expected) => {
    const question = pickQuestion(createTestTool(options));
    expect(question.kind === 'component' ? question.component : question.kind).toBe(expected);
  });

  test('argument shapes on the prototype do not count for the picked question', () => {
    const args = Object.create({ options: ['a'] }) as object;
    expect(pickQuestion(createTestTool({ args })).kind).toBe('confirm');
  });
});
