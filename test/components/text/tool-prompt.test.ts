import { expect, test } from 'vitest';
import { englishLabels } from '../../../src/components/text/labels.ts';
import {
  readPermissionPrompt,
  readToolPrompt,
  severityOf,
} from '../../../src/components/text/tool-prompt.ts';
import { createTestTool } from '../create-test-tool.ts';

test.each([
  [
    'action and description',
    { args: { action: 'Delete file', description: 'Gone for good', path: '/a' } },
    {
      title: 'Delete file',
      isAgentsTitle: true,
      message: 'Gone for good',
      isAgentsMessage: true,
      rest: { path: '/a' },
    },
  ],
  [
    'an action that is an identifier',
    { args: { action: 'delete-file' } },
    { title: 'Delete file', isAgentsTitle: true, rest: {} },
  ],
  [
    "the app's title beats the model's action, which is then shown",
    { args: { action: 'wipe', message: 'Sure?' }, definition: { title: 'Clean up' } },
    { title: 'Clean up', message: 'Sure?', isAgentsMessage: true, rest: { action: 'wipe' } },
  ],
  [
    'the name of the tool at last',
    { args: { total: 3 }, definition: { description: 'Orders coffee' } },
    { title: 'Confirm order', message: 'Orders coffee', rest: { total: 3 } },
  ],
  [
    'the question of a server beside an argument that is called message',
    { args: { to: 'Bob', message: 'Hello' }, definition: { message: 'Send it?', description: 'Sends mail' } },
    { title: 'Confirm order', message: 'Send it?', rest: { to: 'Bob', message: 'Hello' } },
  ],
  [
    'the question of an earlier server, which is among the arguments as well',
    { args: { to: 'Bob', message: 'Send it?' }, definition: { message: 'Send it?' } },
    { title: 'Confirm order', message: 'Send it?', rest: { to: 'Bob' } },
  ],
  [
    'words that are no text',
    { args: { action: { a: 1 }, description: 7 } },
    { title: 'Confirm order', rest: { action: { a: 1 }, description: 7 } },
  ],
  [
    'words that are blank, and names for machines in one word',
    { args: { action: 'deleteFile', description: ' ', message: 'Sure?' } },
    {
      title: 'Delete file',
      isAgentsTitle: true,
      message: 'Sure?',
      isAgentsMessage: true,
      rest: { description: ' ' },
    },
  ],
  [
    "the app's own title, before that of a server",
    { args: {}, definition: { title: 'Clean up', annotations: { title: 'Harmless' } } },
    { title: 'Clean up', rest: {} },
  ],
  [
    'arguments that are no object',
    { args: [1, 2] },
    { title: 'Confirm order', rest: { 'confirm-order': [1, 2] } },
  ],
])('readToolPrompt reads %s', (_, options, expected) => {
  expect(readToolPrompt(createTestTool(options))).toEqual({ message: undefined, ...expected });
});

test('readToolPrompt makes the title and the description of a definition safe', () => {
  const definition = { annotations: { title: 'Pay \u202e01' }, description: 'No\u200bthing' };
  const words = { title: 'Pay \\u{202e}01', message: 'No\\u{200b}thing' };
  expect(readToolPrompt(createTestTool({ args: {}, definition }))).toMatchObject(words);
  expect(
    readPermissionPrompt(createTestTool({ args: {}, definition, approvalReason: 'policy' }), englishLabels),
  ).toMatchObject({ title: words.title, message: words.message });
});

test.each([
  [undefined, 'caution'],
  ['caution', 'caution'],
  ['destructive', 'destructive'],
] as const)('a second run of what is %s is asked about with the severity %s', (severity, asked) => {
  const definition = severity === undefined ? {} : { severity };
  expect(severityOf(createTestTool({ approvalReason: 'interrupted', definition }))).toBe(asked);
});

test('readToolPrompt keeps an argument called __proto__', () => {
  const args = JSON.parse('{"__proto__": {"title": "Owned"}, "a": 1}');
  const { title, rest } = readToolPrompt(createTestTool({ args }));
  expect(title).toBe('Confirm order');
  expect(JSON.stringify(rest)).toBe('{"__proto__":{"title":"Owned"},"a":1}');
  expect(Object.getPrototypeOf(rest)).toBe(Object.prototype);
});

test('the question of an MCP server is not taken for words of the agent', () => {
  const tool = createTestTool({ toolName: 'mcp:notes/elicitation', args: { message: 'Which note?' } });
  const { message, isAgentsMessage, isAgentsTitle } = readToolPrompt(tool);
  expect([message, isAgentsMessage, isAgentsTitle]).toEqual(['Which note?', undefined, undefined]);
});

test.each([
  ['action', 160],
  ['title', 160],
  ['description', 2_000],
  ['message', 2_000],
])('an argument %s that is too long for its place is listed whole below', (name, limit) => {
  const fits = 'x'.repeat(limit);
  expect(readToolPrompt(createTestTool({ args: { [name]: fits } })).rest).toEqual({});
  const long = `${fits}, and the rest of it`;
  expect(readToolPrompt(createTestTool({ args: { [name]: long } })).rest).toEqual({ [name]: long });
});
