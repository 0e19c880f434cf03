// @vitest-environment jsdom
import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { FormSchema } from '../../../src/components/form/schema/read-schema.ts';
import { SchemaForm } from '../../../src/components/form/schema-form.tsx';
import { englishLabels } from '../../../src/components/text/labels.ts';
import { createDeferred } from '../../support/deferred.ts';

const text = { type: 'string' };
const object = (properties: object, required: readonly string[] = []) => ({
  type: 'object',
  properties,
  required,
});
const show = (schema: FormSchema) => render(<SchemaForm schema={schema} onSubmit={() => undefined} />);

test.each<[kind: string, schema: object]>([
  ['text', text],
  ['number', { type: 'number' }],
  ['boolean', { type: 'boolean' }],
  ['choice', { enum: ['a', 'b'] }],
  ['multi-choice', { type: 'array', items: { enum: ['a', 'b'] } }],
  ['file', { type: 'string', format: 'file' }],
  ['constant', { const: 'a' }],
  ['group', object({})],
  ['list', { type: 'array', items: text }],
  ['record', { type: 'object', additionalProperties: text }],
  ['union', { anyOf: [text, { type: 'number' }] }],
  ['json', { type: 'array' }],
])('an optional field is marked: %s', (_, schema) => {
  const { unmount } = show(object({ a: schema }));
  expect(screen.getAllByText('Optional')).toHaveLength(1);
  unmount();
  show(object({ a: schema }, ['a']));
  expect(screen.queryByText('Optional')).toBeNull();
});

test('the fields of a picked variant have no second label', () => {
  show(object({ to: { anyOf: [object({ street: text }, ['street']), { type: 'number' }] } }, ['to']));
  expect(screen.getByRole('radio', { name: 'Street' })).toHaveProperty('checked', true);
  expect(screen.getByRole('textbox', { name: 'Street' })).toBeTruthy();
  expect(screen.queryByText('Value')).toBeNull();
  expect(screen.queryByRole('group')).toBeNull();
});

test('a secret can be shown and hidden, and the button names the next action', async () => {
  const user = userEvent.setup();
  show(object({ pin: { type: 'string', writeOnly: true } }));
  const pin = screen.getByLabelText('Pin');
  await user.type(pin, '1234');
  for (const [press, type] of [
    ['Show', 'text'],
    ['Hide', 'password'],
  ] as const) {
    const button = screen.getByRole('button', { name: press });
    expect([button.getAttribute('aria-pressed'), button.getAttribute('aria-controls')]).toEqual([
      null,
      pin.id,
    ]);
    await user.click(button);
    expect([pin.getAttribute('type'), (pin as HTMLInputElement).value]).toEqual([type, '1234']);
  }
});

const words = (element: Element) =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent);

test.each<[kind: string, schema: object, role: string]>([
  ['text', text, 'textbox'],
  ['number', { type: 'number' }, 'spinbutton'],
  ['boolean', { type: 'boolean' }, 'checkbox'],
  ['few options', { enum: ['x', 'y'] }, 'radiogroup'],
  ['many options', { enum: ['1', '2', '3', '4', '5', '6', '7', '8'] }, 'combobox'],
  ['several picks', { type: 'array', items: { enum: ['x', 'y'] } }, 'group'],
  ['group', object({ b: text }), 'group'],
  ['list', { type: 'array', items: text }, 'group'],
  ['union', { anyOf: [{ type: 'number' }, { type: 'boolean' }] }, 'radiogroup'],
])('a control is described by the description of its field: %s', (_, schema, role) => {
  show(object({ a: { ...schema, description: 'What for' } }, ['a']));
  expect(words(screen.getByRole(role, { name: 'A' }))).toEqual(['What for']);
});

test.each([
  ['is required', text, ['a'], 'true'],
  ['is optional', text, [], 'false'],
  ['is nullable', { type: ['string', 'null'] }, ['a'], 'false'],
])('a text field that %s has the right aria-required', (_, schema, required, expected) => {
  show(object({ a: schema }, required));
  expect(screen.getByRole('textbox').getAttribute('aria-required')).toBe(expected);
});

test('a default text of several lines keeps its line breaks', async () => {
  const user = userEvent.setup();
  const onSubmit = vi.fn();
  const schema = object({ a: text });
  render(<SchemaForm schema={schema} defaultValue={{ a: 'One\nTwo' }} onSubmit={onSubmit} />);
  await user.type(screen.getByRole('textbox'), '!');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(onSubmit.mock.calls).toEqual([[{ a: 'One\nTwo!' }]]));
});

test('the pick of an optional choice can be taken back', async () => {
  const user = userEvent.setup();
  const onSubmit = vi.fn();
  render(<SchemaForm schema={[{ name: 'cup', type: 'radio', options: ['S', 'M'] }]} onSubmit={onSubmit} />);
  await user.click(screen.getByRole('radio', { name: 'M' }));
  await user.click(screen.getByRole('radio', { name: 'None' }));
  expect(screen.getByRole('radio', { name: 'None' })).toHaveProperty('checked', true);
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(onSubmit.mock.calls).toEqual([[{}]]));
});

test('an optional constant is shown, and submitted when it is ticked', async () => {
  const user = userEvent.setup();
  const onSubmit = vi.fn();
  const schema = object({ purge: { const: true, description: 'For good' }, v: { const: 2 } }, ['v']);
  render(<SchemaForm schema={schema} onSubmit={onSubmit} />);
  expect(document.body.textContent).toContain('V2');
  const submit = screen.getByRole('button', { name: 'Send' });
  await user.click(submit);
  await waitFor(() => expect(onSubmit).toHaveBeenLastCalledWith({ v: 2 }));
  const purge = screen.getByRole('checkbox', { name: 'Purge' });
  expect(words(purge)).toEqual(['For good']);
  await user.click(purge);
  await user.click(submit);
  await waitFor(() => expect(onSubmit).toHaveBeenLastCalledWith({ v: 2, purge: true }));
});

test('variants of one kind have separate input', async () => {
  const user = userEvent.setup();
  const shape = (title: string) => ({ type: 'string', title });
  show(object({ to: { anyOf: [shape('Street'), shape('Box')] } }, ['to']));
  await user.type(screen.getByRole('textbox', { name: 'Street' }), 'Elm');
  await user.click(screen.getByRole('radio', { name: 'Box' }));
  expect(screen.getByRole('textbox', { name: 'Box' })).toHaveProperty('value', '');
  await user.click(screen.getByRole('radio', { name: 'Street' }));
  expect(screen.getByRole('textbox', { name: 'Street' })).toHaveProperty('value', 'Elm');
});

test('the submit button shows that the form is being submitted', async () => {
  const user = userEvent.setup();
  const pending = createDeferred();
  render(<SchemaForm schema={[{ name: 'a' }]} onSubmit={() => pending.promise} />);
  await user.click(screen.getByRole('button', { name: 'Send' }));
  const button = await screen.findByRole('button', { name: englishLabels.submitting });
  expect(button.getAttribute('aria-disabled')).toBe('true');
  await act(async () => pending.resolve());
  expect(screen.getByRole('button', { name: 'Send' }).getAttribute('aria-disabled')).toBe('false');
});

test.each([text, { type: 'integer' }])(
  'a secret of %j is not in the markup while it is typed',
  async (type) => {
    const onSubmit = vi.fn();
    const schema = object({ pin: { ...type, format: 'password' } });
    const { container } = render(<SchemaForm schema={schema} onSubmit={onSubmit} />);
    await userEvent.type(screen.getByLabelText('Pin'), '4711');
    for (const button of screen.queryAllByRole('button', { name: 'Show' })) await userEvent.click(button);
    expect(container.innerHTML).not.toContain('4711');
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    expect(String(onSubmit.mock.calls[0]?.[0].pin)).toBe('4711');
  },
);

test.each<[count: number, role: string]>([
  [7, 'radiogroup'],
  [8, 'combobox'],
  [60, 'combobox'],
  [500, 'combobox'],
  [501, 'radiogroup'],
])('a required choice of %i options is a %s with the name of the field', (count, role) => {
  const options = Array.from({ length: count }, (_, index) => `Town ${index}`);
  show(object({ town: { enum: options } }, ['town']));
  expect(screen.getByRole(role, { name: 'Town' })).toBeTruthy();
  expect(screen.queryAllByRole('searchbox')).toHaveLength(count > 500 ? 1 : 0);
});

test('an optional choice of many options starts without a pick, and can be taken back', async () => {
  const user = userEvent.setup();
  const onSubmit = vi.fn();
  const options = Array.from({ length: 60 }, (_, index) => `Town ${index}`);
  render(<SchemaForm schema={object({ town: { enum: options } })} onSubmit={onSubmit} />);
  const select = screen.getByRole('combobox', { name: 'Town' });
  expect(select).toHaveProperty('value', '');
  await user.selectOptions(select, 'Town 7');
  await user.selectOptions(select, '');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(onSubmit).toHaveBeenCalledExactlyOnceWith({}));
});

test('the constant that names a variant is not shown again in its fields, and is sent', async () => {
  const user = userEvent.setup();
  const onSubmit = vi.fn();
  const pay = (method: string, field: string) =>
    object({ method: { const: method }, [field]: text }, ['method', field]);
  const schema = object({ pay: { oneOf: [pay('card', 'holder'), pay('transfer', 'account')] } }, ['pay']);
  render(<SchemaForm schema={schema} onSubmit={onSubmit} />);
  expect(screen.getByRole('radio', { name: 'Card' })).toHaveProperty('checked', true);
  expect(screen.queryByText('Method')).toBeNull();
  await user.type(screen.getByRole('textbox', { name: 'Holder' }), 'Ada');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() =>
    expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ pay: { method: 'card', holder: 'Ada' } }),
  );
});

test('a field with a default is not marked as optional, unless the default is null', () => {
  show(object({ a: { ...text, default: 'x' }, b: { type: 'boolean', default: false } }));
  expect(screen.queryByText('Optional')).toBeNull();
  show(object({ a: { type: ['string', 'null'], default: null } }));
  expect(screen.getAllByText('Optional')).toHaveLength(1);
});

test.each([
  ['^\\d{5}$', 'numeric'],
  ['^[0-9]{4,6}$', 'numeric'],
  ['^\\d+$', 'numeric'],
  ['^\\d{2}[A-Z]$', ''],
  ['^-?\\d+$', ''],
])('a text of the pattern %s has the keypad "%s"', (pattern, keypad) => {
  show(object({ code: { ...text, pattern } }));
  expect(screen.getByRole('textbox', { name: 'Code' }).getAttribute('inputmode') ?? '').toBe(keypad);
});

test.each([
  ['vorname', 'given-name'],
  ['Geburtsdatum', 'bday'],
  ['verification_code', 'one-time-code'],
])('a field called %s is filled in by the browser as %s', (name, known) => {
  show(object({ [name]: text }));
  expect(screen.getByRole('textbox').getAttribute('autocomplete')).toBe(known);
});

test('a label made from a long name is not cut', () => {
  const name = `i_have_read_the_terms_${'and_conditions_'.repeat(6)}and_agree`;
  show(object({ [name]: { type: 'boolean' } }));
  expect(screen.getByRole('checkbox', { name: /^I have read the terms .* and agree$/ })).toBeTruthy();
});
