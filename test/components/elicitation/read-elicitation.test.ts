import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { pickQuestion } from '../../../src/components/client-tools/pick-question.ts';
import { readElicitation } from '../../../src/components/elicitation/read-elicitation.ts';
import { createTestTool, type TestToolOptions } from '../create-test-tool.ts';

const elicit = (property: object, message = 'Shall I go on?', more: object = { required: ['go'] }) => ({
  message,
  requestedSchema: { type: 'object', properties: { go: property }, ...more },
});
const letters = (count: number) => Array.from({ length: count }, (_, index) => `option ${index}`);
const named: TestToolOptions = { toolName: 'mcp:github/elicitation' };

describe('readElicitation and pickQuestion', () => {
  test.each<[string, TestToolOptions, string | undefined, string]>([
    ['a page', { args: { mode: 'url', message: 'Sign in', url: 'https://a.example' } }, 'page', 'confirm'],
    [
      'a page whose URL is a number',
      { args: { mode: 'url', message: 'Sign in', url: 7 } },
      'page',
      'confirm',
    ],
    [
      'a page without its mode',
      { ...named, args: { message: '', url: 'https://a.example' } },
      'page',
      'confirm',
    ],
    [
      'nothing to fill in',
      { args: { message: 'Go on', requestedSchema: { type: 'object' } } },
      'consent',
      'confirm',
    ],
    ['empty properties', { args: { requestedSchema: { properties: {} } } }, 'consent', 'confirm'],
    ['no schema', { ...named, args: { message: 'Go on' } }, 'consent', 'confirm'],
    ['one boolean and a question', { args: elicit({ type: 'boolean' }) }, 'yes-no', 'confirm'],
    ['a question in quotes', { args: elicit({ type: 'boolean' }, 'She asks: “Go?” ') }, 'yes-no', 'confirm'],
    ['a question in Chinese', { args: elicit({ type: 'boolean' }, '继续吗？') }, 'yes-no', 'confirm'],
    [
      'one boolean and a message that is not a question',
      { args: elicit({ type: 'boolean' }, 'Tell me.') },
      'form',
      'form',
    ],
    ['one boolean with a default', { args: elicit({ type: 'boolean', default: true }) }, 'form', 'form'],
    ['one optional boolean', { args: elicit({ type: 'boolean' }, 'Go?', {}) }, 'form', 'form'],
    ['seven options', { args: elicit({ type: 'string', enum: letters(7) }) }, 'choice', 'choice'],
    ['eight options', { args: elicit({ type: 'string', enum: letters(8) }) }, 'form', 'form'],
    ['no options', { args: elicit({ type: 'string', enum: [] }) }, 'form', 'form'],
    [
      'labelled options',
      { args: elicit({ type: 'string', oneOf: [{ const: 'a', title: 'A' }] }) },
      'choice',
      'choice',
    ],
    [
      'labelled options of which one is none',
      { args: elicit({ type: 'string', oneOf: [{ const: 'a' }, { format: 'email' }] }) },
      'form',
      'form',
    ],
    [
      'several of some options',
      { args: elicit({ type: 'array', items: { type: 'string', enum: ['a'] } }) },
      'form',
      'form',
    ],
    ['options that are numbers', { args: elicit({ type: 'number', enum: [1, 2] }) }, 'form', 'form'],
    ['a text', { args: elicit({ type: 'string' }) }, 'form', 'form'],
    ['a property without a schema', { args: { requestedSchema: { properties: { a: 1 } } } }, 'form', 'form'],
    [
      'more than one property',
      {
        args: {
          message: 'Shall I?',
          requestedSchema: {
            properties: { a: { type: 'boolean' }, b: { type: 'boolean' } },
            required: ['a', 'b'],
          },
        },
      },
      'form',
      'form',
    ],
    [
      'options beside another property',
      { args: { requestedSchema: { properties: { a: { type: 'string', enum: ['x'] }, b: {} } } } },
      'form',
      'form',
    ],
    [
      'a form that names an address',
      { ...named, args: { mode: 'form', url: 'https://a.example' } },
      'consent',
      'confirm',
    ],
    [
      'a form of its own beside a schema',
      { args: { ...elicit({ type: 'string' }), fields: [{ name: 'a' }], options: ['a'] } },
      'form',
      'form',
    ],
    [
      'a form of its own beside a page',
      { args: { mode: 'url', url: 'https://a.example', fields: [{ name: 'a' }] } },
      'page',
      'confirm',
    ],
    [
      'a form of its own instead of a schema',
      { ...named, args: { message: 'Go on', fields: [{ name: 'a' }] } },
      'consent',
      'confirm',
    ],
    ['options instead of a schema', { ...named, args: { options: ['a'] } }, 'consent', 'confirm'],
    ['a URL among other arguments', { args: { url: 'https://a.example' } }, undefined, 'confirm'],
    ['the mode url without a URL', { args: { mode: 'url' } }, undefined, 'confirm'],
    [
      'whether a handler may run',
      { approvalReason: 'policy', args: { mode: 'url', url: 'https://a.example' } },
      undefined,
      'confirm',
    ],
    [
      'a result the app described',
      { args: elicit({ type: 'boolean' }), definition: { output: z.object({ a: z.string() }) } },
      undefined,
      'form',
    ],
  ])('read %s', (_, options, type, kind) => {
    const tool = createTestTool(options);
    expect(readElicitation(tool)?.type).toBe(type);
    expect(pickQuestion(tool).kind).toBe(kind);
  });

  test('ignore inherited properties', () => {
    const args: unknown = Object.create({ mode: 'url', url: 'https://a.example', requestedSchema: {} });
    expect(readElicitation(createTestTool({ args }))).toBeUndefined();
  });
});
