// @vitest-environment jsdom
/** The rows of lists and records: keyboard, focus and error texts. */
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { FormSchema } from '../../../src/components/form/schema/read-schema.ts';
import { SchemaForm } from '../../../src/components/form/schema-form.tsx';
import { englishLabels } from '../../../src/components/text/labels.ts';

const box = (name: string) => screen.getByRole('textbox', { name });
const button = (name: string) => screen.getByRole('button', { name });
const words = (element: Element) =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent);

function setup(schema: FormSchema, defaultValue?: unknown) {
  const onSubmit = vi.fn();
  render(<SchemaForm schema={schema} defaultValue={defaultValue} onSubmit={onSubmit} />);
  const user = userEvent.setup();
  return { user, onSubmit, submit: () => user.click(button('Send')) };
}

const list = { type: 'array', title: 'Guests', description: 'By name', items: { type: 'string' } };

test('a moved row keeps the focus, and the first and last rows cannot move further', async () => {
  const { user, onSubmit, submit } = setup(list, ['Ada', 'Bob', 'Cy']);
  await user.click(button('Move Guest 1 down'));
  expect(document.activeElement).toBe(button('Move Guest 2 down'));
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(button('Move Guest 3 down'));
  for (const end of [button('Move Guest 3 down'), button('Move Guest 1 up')]) {
    expect(end.getAttribute('aria-disabled')).toBe('true');
    await user.click(end);
    expect(document.activeElement).toBe(end);
  }
  expect(button('Move Guest 2 up').getAttribute('aria-disabled')).toBe('false');
  await submit();
  await waitFor(() => expect(onSubmit.mock.calls).toEqual([[['Bob', 'Cy', 'Ada']]]));
});

test('removing the last row focuses the row before it, or else the button that adds a row', async () => {
  const { user } = setup(list, ['Ada', 'Bob']);
  await user.click(button('Remove Guest 2'));
  expect(document.activeElement).toBe(button('Remove Guest 1'));
  expect(screen.queryByRole('button', { name: /^Move/ })).toBeNull();
  await user.keyboard('{Enter}');
  expect(document.activeElement).toBe(button('Add one Guests'));
});

test('a list has its description and its error, which disappears when a row is removed', async () => {
  const { user, submit } = setup({ ...list, maxItems: 1 }, ['Ada', 'Bob']);
  const group = screen.getByRole('group', { name: 'Guests' });
  expect(words(group)).toEqual(['Up to 1 thing', 'By name']);
  await submit();
  await screen.findByText(/needs? a look/);
  expect(words(group)).toEqual(['Up to 1 thing', englishLabels.tooManyItems(1)]);
  await user.click(button('Remove Guest 2'));
  expect(words(group)).toEqual(['Up to 1 thing', 'By name']);
});

test('a record shows an error at a key that is missing or repeated', async () => {
  const record = { type: 'object', title: 'Labels', additionalProperties: { type: 'string' } };
  const { user, onSubmit, submit } = setup(record, { size: 'M' });
  await user.click(button('Add another Labels'));
  const second = within(screen.getAllByRole('listitem')[1] as HTMLElement);
  const key = second.getByRole('textbox', { name: 'Name' });
  expect(document.activeElement).toBe(key);
  await user.type(second.getByRole('textbox', { name: 'Value' }), 'red');
  await submit();
  await waitFor(() => expect(words(key)).toEqual([englishLabels.required]));
  await user.type(key, 'size');
  await waitFor(() => expect(words(key)).toEqual([englishLabels.duplicateKey]));
  await user.clear(key);
  await user.type(key, 'colour');
  await submit();
  await waitFor(() => expect(onSubmit.mock.calls).toEqual([[{ size: 'M', colour: 'red' }]]));
});

test('the text of a row moves with the row', async () => {
  const { user } = setup(list, ['Ada', 'Bob']);
  await user.type(box('Guest 2'), 'by');
  await user.click(button('Move Guest 2 up'));
  expect([box('Guest 1'), box('Guest 2')]).toMatchObject([{ value: 'Bobby' }, { value: 'Ada' }]);
});

test('an issue of the submit handler about a list disappears when a row is added or removed', async () => {
  const onSubmit = vi.fn(() => ({ issues: [{ message: 'Full', path: ['guests'] }] }));
  const schema = { type: 'object', properties: { guests: { type: 'array', items: { type: 'string' } } } };
  render(<SchemaForm schema={schema} defaultValue={{ guests: ['Ada', 'Bob'] }} onSubmit={onSubmit} />);
  const user = userEvent.setup();
  const group = screen.getByRole('group', { name: 'Guests' });
  for (const press of ['Remove Guest 2', 'Add another Guests']) {
    await user.click(button('Send'));
    await waitFor(() => expect(words(group)).toEqual(['Full']));
    await user.click(button(press));
    expect(group.getAttribute('aria-describedby')).toBeNull();
  }
});
