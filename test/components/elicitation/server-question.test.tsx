// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { ClientToolDialogs } from '../../../src/components/client-tools/client-tool-dialogs.tsx';
import { createTestTool } from '../create-test-tool.ts';

const button = (name: string) => screen.getByRole('button', { name });
const consent = { message: 'Send usage data.', requestedSchema: { type: 'object', properties: {} } };
const deploy = {
  message: 'Deploy to production?',
  requestedSchema: {
    type: 'object',
    properties: { go: { type: 'boolean', title: 'Go live', description: 'Everybody sees it.' } },
    required: ['go'],
  },
};

describe('a question of a server', () => {
  test.each([
    ['a consent, on Confirm', consent, 'Confirm', { submit: [[{}]] }],
    ['a consent, on Decline', consent, 'Decline', { decline: [[]] }],
    ['a consent, on the cross', consent, 'Cancel', { cancel: [[]] }],
    ['a yes/no question, on Yes', deploy, 'Yes', { submit: [[{ go: true }]] }],
    ['a yes/no question, on No', deploy, 'No', { submit: [[{ go: false }]] }],
    ['a yes/no question, on Decline', deploy, 'Decline', { decline: [[]] }],
    ['a yes/no question, on the cross', deploy, 'Cancel', { cancel: [[]] }],
  ])('answers %s', async (_, args, press, calls) => {
    const user = userEvent.setup();
    const tool = createTestTool({ args });
    render(<ClientToolDialogs tools={[tool]} />);
    await user.click(button(press));
    const { submit, decline, cancel } = tool;
    expect({
      submit: submit.mock.calls,
      decline: decline.mock.calls.map((call) => call.filter((argument) => argument !== undefined)),
      cancel: cancel.mock.calls,
    }).toEqual({ submit: [], decline: [], cancel: [], ...calls });
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('cancels on Escape', async () => {
    const user = userEvent.setup();
    const tool = createTestTool({ args: deploy });
    render(<ClientToolDialogs tools={[tool]} />);
    await user.keyboard('{Escape}');
    expect(tool.cancel.mock.calls).toEqual([[]]);
    expect(tool.decline).not.toHaveBeenCalled();
  });
});

test('a yes/no question shows the title and the description of its property', () => {
  render(<ClientToolDialogs tools={[createTestTool({ args: deploy })]} />);
  expect(screen.getByText('Go live')).toBeTruthy();
  expect(screen.getByText('Everybody sees it.')).toBeTruthy();
  expect(document.activeElement).toBe(button('Yes'));
});

test('a yes/no question shows a title once that is also the description', () => {
  const go = { type: 'boolean', title: 'Go live', description: 'Go live' };
  const requestedSchema = { ...deploy.requestedSchema, properties: { go } };
  render(<ClientToolDialogs tools={[createTestTool({ args: { ...deploy, requestedSchema } })]} />);
  expect(screen.getAllByText('Go live')).toHaveLength(1);
});

test('a yes/no question spells out characters that reorder text', () => {
  const go = { ...deploy.requestedSchema.properties.go, title: 'Go \u202Eevil' };
  const requestedSchema = { ...deploy.requestedSchema, properties: { go } };
  render(<ClientToolDialogs tools={[createTestTool({ args: { ...deploy, requestedSchema } })]} />);
  expect(screen.getByText('Go \\u{202e}evil')).toBeTruthy();
});

test.each([
  ['a consent', consent],
  ['a yes/no question', deploy],
  ['a page', { mode: 'url', url: 'https://a.example' }],
])('the details show the arguments of %s', async (_, args) => {
  const user = userEvent.setup();
  render(<ClientToolDialogs tools={[createTestTool({ args: { ...args, note: 'from the server' } })]} />);
  await user.click(screen.getByText('Details'));
  expect(screen.getByText(/"note": "from the server"/)).toBeTruthy();
});

test('a server cannot replace its schema by a fields list', () => {
  const args = { message: 'Hi', fields: [{ name: 'login', label: 'Login', type: 'password' }] };
  const tool = createTestTool({ toolName: 'mcp:github/elicitation', args, definition: { ui: 'form' } });
  render(<ClientToolDialogs tools={[tool]} />);
  expect(screen.getByRole('textbox', { name: 'Login' }).getAttribute('type')).toBe('text');
  expect(screen.getByText(/leave out passwords, keys and card numbers/)).toBeTruthy();
});

test('a fields list of a server gets no password field', () => {
  const args = {
    message: 'Who are you?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
    fields: [{ name: 'login', label: 'Login', type: 'password' }],
  };
  render(<ClientToolDialogs tools={[createTestTool({ toolName: 'mcp:github/elicitation', args })]} />);
  expect(screen.getByRole('textbox', { name: 'Name' })).toBeTruthy();
  expect(document.querySelector('input[type=password]')).toBeNull();
});

test('a destructive yes/no question starts on No', () => {
  const tool = createTestTool({ args: deploy, definition: { severity: 'destructive' } });
  render(<ClientToolDialogs tools={[tool]} />);
  expect(document.activeElement).toBe(button('No'));
});

test('the title names the server that the host names', () => {
  const toolName = 'mcp:github/elicitation';
  const args = { ...deploy, title: 'Your bank', action: 'bank-login' };
  const { rerender } = render(<ClientToolDialogs tools={[createTestTool({ toolName, args })]} />);
  expect(screen.getByRole('dialog', { name: '“github” asks' })).toBeTruthy();
  const named = createTestTool({
    toolName,
    toolCallId: 'call-2',
    args,
    definition: { title: 'GitHub Enterprise' },
  });
  rerender(<ClientToolDialogs tools={[named]} />);
  expect(screen.getByRole('dialog', { name: 'GitHub Enterprise' })).toBeTruthy();
});

test('a message is shown as text, without markup and links', () => {
  const message = '<b>Deploy</b> [here](https://evil.test) https://evil.test ?';
  render(<ClientToolDialogs tools={[createTestTool({ args: { ...deploy, message } })]} />);
  expect(screen.getByText(message)).toBeTruthy();
  expect(screen.queryByRole('link')).toBeNull();
});

test('a refused answer shows a notice and only a Close button', async () => {
  const user = userEvent.setup();
  const tool = createTestTool({ args: consent, refusals: [{ settled: false, reason: 'expired' }] });
  render(<ClientToolDialogs tools={[tool]} />);
  await user.click(button('Confirm'));
  expect(screen.queryByRole('button', { name: 'Confirm' })).toBeNull();
  await user.click(button('Close'));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(tool.cancel).not.toHaveBeenCalled();
});

test('an optional choice can be submitted without a pick', async () => {
  const user = userEvent.setup();
  const requestedSchema = {
    type: 'object',
    properties: { size: { type: 'string', enum: ['S', 'M'], default: 'M' } },
  };
  const tool = createTestTool({ args: { message: 'Which size?', requestedSchema } });
  render(<ClientToolDialogs tools={[tool]} />);
  expect(screen.getByRole('radiogroup', { name: 'Size · Choose one' })).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'M', checked: true }));
  await user.keyboard('0');
  expect(document.activeElement).toBe(screen.getByRole('radio', { name: 'None', checked: true }));
  await user.click(button('Send'));
  expect(tool.submit.mock.calls).toEqual([[{}]]);
});
