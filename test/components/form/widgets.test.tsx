// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import type { FormSchema } from '../../../src/components/form/read-schema.ts';
import { SchemaForm } from '../../../src/components/form/schema-form.tsx';

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
])('what may be left out is marked: %s', (_, schema) => {
  const { unmount } = show(object({ a: schema }));
  expect(screen.getAllByText('Optional')).toHaveLength(1);
  unmount();
  show(object({ a: schema }, ['a']));
  expect(screen.queryByText('Optional')).toBeNull();
});

test('the parts of a chosen shape stand below its name without another one', () => {
  show(object({ to: { anyOf: [object({ street: text }, ['street']), { type: 'number' }] } }, ['to']));
  expect(screen.getByRole('radio', { name: 'Street' })).toHaveProperty('checked', true);
  expect(screen.getByRole('textbox', { name: 'Street' })).toBeTruthy();
  expect(screen.queryByText('Value')).toBeNull();
  expect(screen.queryByRole('group')).toBeNull();
});

test('a secret can be shown and hidden; the button says what it does next, and nothing else', async () => {
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
