// @vitest-environment jsdom
/** Properties with `readOnly`. */
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { FormSchema } from '../../../src/components/form/schema/read-schema.ts';
import { SchemaForm } from '../../../src/components/form/schema-form.tsx';

const form = (order: object) => ({
  type: 'object',
  properties: {
    order: { title: 'Order', readOnly: true, ...order },
    note: { type: 'string', title: 'Note' },
  },
  required: ['order', 'note'],
});

async function submitNote(schema: FormSchema, defaultValue?: unknown) {
  const onSubmit = vi.fn();
  render(<SchemaForm schema={schema} defaultValue={defaultValue} onSubmit={onSubmit} />);
  await userEvent.tab();
  await userEvent.keyboard('Hi{Enter}');
  await waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
  return onSubmit.mock.calls[0]?.[0] as unknown;
}

test.each<[string, object, unknown, string]>([
  ['a text', { type: 'string' }, '4711', '4711'],
  ['an amount', { type: 'number', format: 'currency', currency: 'EUR' }, 89, '€89.00'],
  ['a date', { type: 'string', format: 'date' }, '2026-11-30', 'Monday, November 30, 2026'],
  ['a list', { type: 'array', items: { type: 'string' } }, ['a', 'b'], '["a","b"]'],
  ['a no', { type: 'boolean' }, false, 'No'],
])(
  '%s that is read-only is shown, is no control, and stays in the value',
  async (_, schema, order, shown) => {
    const value = await submitNote(form(schema), { order });
    expect(screen.getByRole('status', { name: 'Order' }).textContent).toBe(shown);
    expect(screen.getAllByRole('textbox')).toHaveLength(1);
    expect(value).toEqual({ order, note: 'Hi' });
  },
);

test('a read-only default stays in the value', async () => {
  expect(await submitNote(form({ type: 'integer', default: 7 }))).toEqual({ order: 7, note: 'Hi' });
});

test('a read-only property without a value is neither shown nor sent', async () => {
  expect(await submitNote(form({ type: 'string' }))).toEqual({ note: 'Hi' });
  expect(screen.queryByText('Order')).toBeNull();
});

test('a read-only secret is not shown', async () => {
  const value = await submitNote(form({ type: 'string', writeOnly: true }), { order: 'abc' });
  expect(screen.getByRole('status', { name: 'Order' }).textContent).toBe('hidden');
  expect(value).toEqual({ order: 'abc', note: 'Hi' });
});
