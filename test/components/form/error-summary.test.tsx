// @vitest-environment jsdom
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import axe from 'axe-core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { FormSchema } from '../../../src/components/form/schema/read-schema.ts';
import { SchemaForm } from '../../../src/components/form/schema-form.tsx';

const box = (name: string) => screen.getByRole('textbox', { name });
const summary = async (text: string) =>
  (await screen.findByText(text)).closest('[role=group]') as HTMLElement;
const linkTexts = () => screen.getAllByRole('link').map(({ textContent }) => textContent);

function setup(schema: FormSchema, onSubmit: () => object | undefined = () => undefined) {
  render(<SchemaForm schema={schema} onSubmit={onSubmit} />);
  const user = userEvent.setup();
  return { user, submit: () => user.click(screen.getByRole('button', { name: 'Send' })) };
}

test('the summary counts a field with several issues once', async () => {
  const no = () => false;
  const { user, submit } = setup(
    z.object({ name: z.string().refine(no, 'No').refine(no, 'No'), pair: z.tuple([z.string(), z.string()]) }),
  );
  await user.type(box('Name'), 'Ada');
  await user.click(box('Pair'));
  await user.paste('[1, 2]');
  await submit();
  await summary('2 answers need a look');
  expect(linkTexts()).toEqual(['Name: No', expect.stringMatching(/^Pair: /)]);
});

test('the field and the summary show the first of several issues from the submit handler', async () => {
  const issues = ['Is taken', 'Is short'].map((message) => ({ message, path: ['name'] }));
  const { submit } = setup([{ name: 'name' }], () => ({ issues }));
  await submit();
  await summary('1 answer needs a look');
  expect(linkTexts()).toEqual(['Name: Is taken']);
  expect(document.querySelector('.hr-error')?.textContent).toBe('Is taken');
});

test('the summary shows the present error of a field after a change', async () => {
  const { user, submit } = setup({
    type: 'object',
    required: ['email'],
    properties: { email: { type: 'string', format: 'email' } },
  });
  await submit();
  await summary('1 answer needs a look');
  expect(linkTexts()).toEqual(['Email: Enter an email address, such as name@example.com.']);
  await user.type(box('Email'), 'ada');
  await waitFor(() =>
    expect(linkTexts()).toEqual(['Email: Enter an email address, such as name@example.com.']),
  );
});

test('the link to a list focuses its first control of any kind', async () => {
  const item = { enum: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'] };
  const schema = { type: 'array', title: 'Seats', items: item, uniqueItems: false, minItems: 1, maxItems: 1 };
  render(<SchemaForm schema={schema} defaultValue={['a', 'b']} onSubmit={() => undefined} />);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Send' }));
  const region = await summary('1 answer needs a look');
  await user.click(within(region).getByRole('link', { name: /^Seat/ }));
  expect(document.activeElement).toBe(screen.getByRole('combobox', { name: 'Seat 1' }));
});

test('the summary shows the number of a row with an error', async () => {
  const item = z.object({ sku: z.string().min(3, 'Three at least') });
  const { user, submit } = setup(z.object({ items: z.array(item).min(1), tags: z.array(z.string()) }));
  await user.click(screen.getByRole('button', { name: 'Add another Items' }));
  await user.click(screen.getByRole('button', { name: 'Add one Tags' }));
  await user.type(screen.getAllByRole('textbox', { name: 'Sku' })[0] as Element, 'abc');
  await submit();
  await summary('2 answers need a look');
  expect(linkTexts()).toEqual(['Sku 2: Three at least', 'Tag 1: Fill this in.']);
});

test('the summary has the focus and no name, and is no landmark of the page', async () => {
  const schema = {
    type: 'object',
    required: ['name', 'town'],
    properties: { name: { type: 'string' }, town: { type: 'string' } },
  };
  const { submit } = setup(schema);
  await submit();
  const group = await summary('2 answers need a look');
  expect(document.activeElement).toBe(group);
  expect(['aria-label', 'aria-labelledby'].filter((name) => group.hasAttribute(name))).toEqual([]);

  render(<SchemaForm schema={schema} onSubmit={() => undefined} />);
  await userEvent.click(screen.getAllByRole('button', { name: 'Send' })[1] as HTMLElement);
  await waitFor(() => expect(screen.getAllByText('2 answers need a look')).toHaveLength(2));
  const { violations } = await axe.run(document.body, { runOnly: ['landmark-unique'] });
  expect(violations).toEqual([]);
});
