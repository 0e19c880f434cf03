// @vitest-environment jsdom
/** Texts of an agent in a form are spelled out where they could deceive; the marks of a language's own texts stay marks. */
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { SchemaForm } from '../../../src/components/form/schema-form.tsx';
import { ar } from '../../../src/locales-ar.ts';

const object = (at: object) => ({ type: 'object', properties: { at }, required: ['at'] });
const hints = () => [...document.querySelectorAll('.hr-hint')].map(({ textContent }) => textContent);

test.each([
  ['a text', { type: 'string' }],
  ['a number', { type: 'number', minimum: 1 }],
  ['a list', { type: 'array', items: { type: 'string' } }],
  ['a group', { type: 'object', properties: { a: { type: 'string' } } }],
  ['a constant', { const: 'a' }],
  ['JSON', {}],
])('the description of %s cannot turn the text around', (_, schema) => {
  const description = 'Pay \u202e01 tsoh';
  render(<SchemaForm schema={object({ ...schema, description })} onSubmit={() => {}} />);
  expect(hints().join()).toContain('Pay \\u{202e}01 tsoh');
});

test('the words of a scale cannot either', () => {
  const rating = { type: 'integer', minimum: 1, maximum: 5, description: '1 (\u202eroop) to 5 (good)' };
  const { container } = render(<SchemaForm schema={object(rating)} onSubmit={() => {}} />);
  expect(container.textContent).toContain('\\u{202e}roop');
  expect(container.textContent).not.toContain('\u202e');
});

test('the message of a schema cannot either', async () => {
  const onSubmit = () => ({ issues: [{ message: 'Not \u202e01', path: ['at'] }] });
  render(<SchemaForm schema={object({ type: 'string' })} onSubmit={onSubmit} />);
  await userEvent.type(screen.getByLabelText('At'), 'a');
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  expect(await screen.findByText('Not \\u{202e}01', { selector: '.hr-error' })).toBeTruthy();
});

test('an Arabic limit in euros is no text of an agent', async () => {
  const amount = { type: 'number', minimum: 1, maximum: 5, format: 'currency', currency: 'EUR' };
  const { container } = render(<SchemaForm schema={object(amount)} labels={ar} onSubmit={() => {}} />);
  expect(hints().join()).toMatch(/€/);
  await userEvent.type(screen.getByLabelText('At'), '9');
  await userEvent.click(screen.getByRole('button', { name: ar.submit }));
  expect(await screen.findByText(/€/, { selector: '.hr-error' })).toBeTruthy();
  expect(container.textContent).not.toContain('u{');
});
