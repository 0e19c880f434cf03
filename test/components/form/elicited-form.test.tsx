// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { FormDialog } from '../../../src/components/form/form-dialog.tsx';
import { guardElicitedForm } from '../../../src/components/form/guard-elicited-form.ts';
import { readSchema } from '../../../src/components/form/schema/read-schema.ts';
import { englishLabels } from '../../../src/components/text/labels.ts';
import { createTestTool } from '../create-test-tool.ts';

const warning = englishLabels.asksForSecret;
const text = { type: 'string' };
const elicit = (properties: object, message = 'A few details, please.', required: string[] = []) => ({
  mode: 'form',
  message,
  requestedSchema: { type: 'object', properties, required },
});
const box = (name: string) => screen.getByRole('textbox', { name });
/** Returns the description that assistive technology reads with a control. */
const described = (element: HTMLElement) =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ');

describe('a form of an MCP server that asks for a secret', () => {
  test.each([
    ['the name of a property', { apiKey: text }, 'Api key'],
    ['the name of a property with a harmless title', { password: { ...text, title: 'Word' } }, 'Word'],
    ['a title', { a: { ...text, title: 'Card number' } }, 'Card number'],
    ['a description', { a: { ...text, description: 'The token for the registry' } }, 'A'],
    ['a mark in the schema', { a: { ...text, format: 'password' } }, 'A'],
    ['a field of several lines', { privateKey: { ...text, maxLength: 5_000 } }, 'Private key'],
  ])('shows a warning at the field, and no password field, when %s asks', (_, properties, name) => {
    render(<FormDialog tool={createTestTool({ args: elicit({ note: text, ...properties }) })} />);
    const input = box(name);
    expect(described(input)).toContain(warning);
    expect(input.getAttribute('autocomplete')).toBe('off');
    expect(document.querySelector('[type="password"]')).toBeNull();
    expect(screen.getAllByText(warning)).toHaveLength(1);
    expect(described(box('Note'))).not.toContain(warning);
  });

  test('shows a warning at a number field that is marked as secret', () => {
    render(
      <FormDialog tool={createTestTool({ args: elicit({ pin: { type: 'integer', writeOnly: true } }) })} />,
    );
    const input = screen.getByRole('spinbutton', { name: 'Pin' });
    expect(described(input)).toContain(warning);
    expect(input.getAttribute('autocomplete')).toBe('off');
  });

  test('shows a warning at every free text field when only the message asks', () => {
    const free = { value: text, lines: { ...text, maxLength: 5_000 }, size: { type: 'integer' } };
    const properties = { ...free, email: { ...text, format: 'email' }, keep: { type: 'boolean' } };
    render(<FormDialog tool={createTestTool({ args: elicit(properties, 'Paste the API key below.') })} />);
    for (const input of [box('Value'), box('Lines'), screen.getByRole('spinbutton', { name: 'Size' })]) {
      expect(described(input)).toContain(warning);
    }
    expect(screen.getAllByText(warning)).toHaveLength(3);
  });

  test('shows a warning only at the field when the message and the field ask', () => {
    const args = elicit({ name: text, password: text }, 'Your name and password, please.');
    render(<FormDialog tool={createTestTool({ args })} />);
    expect(described(box('Password'))).toContain(warning);
    expect(described(box('Name'))).not.toContain(warning);
  });

  test('shows no warning at checkboxes and choices, into which nobody can type', () => {
    const properties = { rememberPassword: { type: 'boolean' }, token: { ...text, enum: ['ETH', 'BTC'] } };
    render(<FormDialog tool={createTestTool({ args: elicit(properties) })} />);
    expect(screen.queryByText(warning)).toBeNull();
  });

  test('shows a warning at an entry of a fields list', () => {
    const args = { fields: [{ name: 'apiKey', label: 'API key', type: 'text' }] };
    render(<FormDialog tool={createTestTool({ toolName: 'mcp:shop/elicitation', args })} />);
    expect(described(box('API key'))).toContain(warning);
  });

  test('submits the pick of a choice that is marked as secret, and redacts it', async () => {
    const user = userEvent.setup();
    const plan = { ...text, enum: ['a', 'b'], default: 'b', writeOnly: true };
    const tool = createTestTool({ args: elicit({ name: text, plan }) });
    render(<FormDialog tool={tool} />);
    await user.keyboard('Ada{Enter}');
    await waitFor(() =>
      expect(tool.submit.mock.calls).toEqual([
        [{ name: 'Ada', plan: 'b' }, { redactedResult: { name: 'Ada' } }],
      ]),
    );
  });

  test('submits the secret, but neither saves it nor shows it again', async () => {
    const user = userEvent.setup();
    const tool = createTestTool({ args: elicit({ name: text, password: text }) });
    render(<FormDialog tool={tool} />);
    await user.keyboard('Ada');
    await user.type(box('Password'), 'hunter2');
    expect(JSON.stringify(tool.getSavedInput?.())).toContain('Ada');
    expect(JSON.stringify(tool.getSavedInput?.())).not.toContain('hunter2');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() =>
      expect(tool.submit.mock.calls).toEqual([
        [{ name: 'Ada', password: 'hunter2' }, { redactedResult: { name: 'Ada' } }],
      ]),
    );
  });

  const shapes = {
    properties: { name: text, password: text },
    anyOf: [{ required: ['password'] }, { required: ['name'] }],
  };
  const tooMany = Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`field${index}`, text]));
  test.each([
    ['one of several variants', 'Who are you?', shapes, 'Password', 'hunter2'],
    [
      'more fields than a page can hold',
      'Paste your API key.',
      { properties: tooMany },
      'Value',
      '{{"field0":"hunter2"}',
    ],
  ])('redacts the whole value when the secret is in %s', async (_, message, shape, name, typed) => {
    const user = userEvent.setup();
    const tool = createTestTool({ args: { message, requestedSchema: { type: 'object', ...shape } } });
    render(<FormDialog tool={tool} />);
    const input = box(name);
    expect(described(input)).toContain(warning);
    await user.type(input, typed);
    expect(JSON.stringify(tool.getSavedInput?.())).not.toContain('hunter2');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() =>
      expect(tool.submit.mock.calls.map(([, options]) => options)).toEqual([{ redactedResult: null }]),
    );
  });

  test('finds secrets in nested groups, lists, records and unions', () => {
    const secret = { ...text, format: 'password' };
    const model = readSchema({
      type: 'object',
      properties: {
        login: { type: 'object', properties: { secret } },
        passwords: { type: 'array', items: text },
        more: { type: 'object', additionalProperties: secret },
        other: { anyOf: [{ type: 'number' }, secret] },
        name: text,
      },
    });
    const { field, suspects } = guardElicitedForm(model, '');
    expect(suspects).toEqual(['login', 'passwords', 'more', 'other']);
    expect(JSON.stringify(field)).not.toContain('"format":"secret"');
  });
});

test.each([
  ['its own tools', 'sign-in', {}],
  ['a server that asks', 'mcp:shop/elicitation', elicit({ note: text })],
])("the app's own form for %s has a password field and no warning", (_, toolName, args) => {
  const schema = { type: 'object', properties: { password: { ...text, format: 'password' } } };
  render(<FormDialog tool={createTestTool({ toolName, args })} schema={schema} />);
  const input = screen.getByLabelText('Password');
  expect([input.getAttribute('type'), input.getAttribute('autocomplete')]).toEqual([
    'password',
    'new-password',
  ]);
  expect(screen.queryByText(warning)).toBeNull();
});

describe('a form of an MCP server', () => {
  test('shows its message as text and its fields in order, and nothing else of the request', () => {
    const message = '**Hello** <i>you</i>, see https://evil.test';
    const names = Array.from({ length: 50 }, (_, index) => `field${50 - index}`);
    const properties = Object.fromEntries(names.map((name) => [name, text]));
    render(<FormDialog tool={createTestTool({ args: elicit(properties, message) })} />);
    expect(screen.getByText(message)).toBeTruthy();
    expect(screen.queryByRole('link')).toBeNull();
    expect(screen.queryByText('Mode')).toBeNull();
    expect(
      screen.getAllByRole('textbox').map((input) => input.getAttribute('id')?.split('-').at(-1)),
    ).toEqual(names.map((_, index) => `f${index}`));
    expect(box('Field50').getAttribute('id')?.endsWith('-f0')).toBe(true);
  });

  test('starts with all defaults, and submits them unchanged', async () => {
    const user = userEvent.setup();
    const properties = {
      name: { ...text, default: 'Ada' },
      age: { type: 'integer', default: 36 },
      ratio: { type: 'number', default: 0.5 },
      agree: { type: 'boolean', default: true },
      plan: { ...text, enum: ['free', 'pro'], default: 'pro' },
      color: { ...text, oneOf: [{ const: '#f00', title: 'Red' }], default: '#f00' },
      tags: { type: 'array', items: { ...text, enum: ['x', 'y'] }, default: ['y'] },
      topics: { type: 'array', items: { anyOf: [{ const: 'n', title: 'News' }] }, default: ['n'] },
    };
    const tool = createTestTool({ args: elicit(properties) });
    render(<FormDialog tool={tool} />);
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(tool.submit).toHaveBeenCalledOnce());
    expect(tool.submit.mock.calls[0]?.[0]).toEqual(
      Object.fromEntries(Object.entries(properties).map(([name, property]) => [name, property.default])),
    );
  });

  test('leaves out empty fields and an untouched checkbox', async () => {
    const user = userEvent.setup();
    const properties = { name: text, age: { type: 'number' }, agree: { type: 'boolean' }, note: text };
    const tool = createTestTool({ args: elicit(properties) });
    render(<FormDialog tool={tool} />);
    await user.type(box('Note'), 'x');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(tool.submit.mock.calls[0]?.[0]).toEqual({ note: 'x' }));
  });

  test.each([
    ['an empty required field', text, '', englishLabels.required],
    ['an integer with a fraction', { type: 'integer' }, '1.5', englishLabels.notInteger],
    ['a number below the minimum', { type: 'integer', minimum: 2 }, '1', englishLabels.tooSmall('2')],
    ['a number above the maximum', { type: 'number', maximum: 2 }, '2.1', englishLabels.tooLarge('2')],
    ['a text that is too short', { ...text, minLength: 2 }, 'a', englishLabels.tooShort(2)],
    ['a text that is too long', { ...text, maxLength: 2 }, 'abc', englishLabels.tooLong(2)],
    ['a text that is not an email address', { ...text, format: 'email' }, 'ada', englishLabels.notEmail],
    ['a text that is not a URL', { ...text, format: 'uri' }, 'ada', englishLabels.notUrl],
  ])('shows an error and submits nothing for %s', async (_, property, typed, message) => {
    const user = userEvent.setup();
    const tool = createTestTool({ args: elicit({ a: property }, 'A, please.', ['a']) });
    render(<FormDialog tool={tool} />);
    if (typed !== '') await user.keyboard(typed);
    await user.click(screen.getByRole('button', { name: 'Send' }));
    expect(await screen.findByText(message, { selector: '.hr-error' })).toBeTruthy();
    expect(tool.submit).not.toHaveBeenCalled();
  });

  test.each([
    ['the minimum', { type: 'integer', minimum: 2 }, '2', 2],
    ['the maximum', { type: 'number', maximum: 2 }, '2', 2],
    ['a text of the minimum length', { ...text, minLength: 2 }, 'ab', 'ab'],
    ['a text of the maximum length', { ...text, maxLength: 2 }, 'ab', 'ab'],
  ])('submits %s', async (_, property, typed, value) => {
    const user = userEvent.setup();
    const tool = createTestTool({ args: elicit({ a: property }, 'A, please.', ['a']) });
    render(<FormDialog tool={tool} />);
    await user.keyboard(`${typed}{Enter}`);
    await waitFor(() => expect(tool.submit.mock.calls).toEqual([[{ a: value }]]));
  });

  test('shows an error for too few and too many picks', async () => {
    const user = userEvent.setup();
    const tags = { type: 'array', items: { ...text, enum: ['x', 'y', 'z'] }, minItems: 1, maxItems: 2 };
    const tool = createTestTool({ args: elicit({ tags }, 'Tags, please.', ['tags']) });
    render(<FormDialog tool={tool} />);
    const submit = screen.getByRole('button', { name: 'Send' });
    await user.click(submit);
    expect(await screen.findByText(englishLabels.choiceTooFew(1), { selector: '.hr-error' })).toBeTruthy();
    for (const name of ['x', 'y', 'z']) await user.click(screen.getByRole('checkbox', { name }));
    await user.click(submit);
    expect(await screen.findByText(englishLabels.choiceTooMany(2), { selector: '.hr-error' })).toBeTruthy();
    await user.click(screen.getByRole('checkbox', { name: 'y' }));
    await user.click(submit);
    await waitFor(() => expect(tool.submit.mock.calls).toEqual([[{ tags: ['x', 'z'] }]]));
  });

  test('shows a JSON field with a note for an unknown type', async () => {
    const user = userEvent.setup();
    const tool = createTestTool({ args: elicit({ a: { type: 'quaternion' }, b: text }) });
    render(<FormDialog tool={tool} />);
    expect(described(box('A'))).toContain(englishLabels.jsonNote);
    await user.type(box('A'), '[[1,2]');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(tool.submit.mock.calls).toEqual([[{ a: [1, 2] }]]));
  });

  test('cancels on Escape and declines on the Decline button', async () => {
    const user = userEvent.setup();
    const first = createTestTool({ args: elicit({ a: text }) });
    const { unmount } = render(<FormDialog tool={first} />);
    await user.keyboard('{Escape}');
    expect([first.cancel.mock.calls.length, first.decline.mock.calls.length]).toEqual([1, 0]);
    unmount();
    const second = createTestTool({ args: elicit({ a: text }) });
    render(<FormDialog tool={second} />);
    await user.click(screen.getByRole('button', { name: "Don't answer" }));
    expect([second.cancel.mock.calls.length, second.decline.mock.calls.length]).toEqual([0, 1]);
  });
});
