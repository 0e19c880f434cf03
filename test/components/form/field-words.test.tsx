// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { SchemaForm } from '../../../src/components/form/schema-form.tsx';

const form = (properties: object) => ({ type: 'object', properties, required: Object.keys(properties) });

describe('what an empty field asks for', () => {
  test.each<[string, object, string]>([
    ['a text', { type: 'string' }, 'Fill this in.'],
    ['a date', { type: 'string', format: 'date' }, 'Enter a date.'],
    ['a date and time', { type: 'string', format: 'date-time' }, 'Enter a date and a time.'],
    ['a time', { type: 'string', format: 'time' }, 'Enter a time.'],
    ['a number', { type: 'number' }, 'Enter a number.'],
    ['a choice', { enum: ['x', 'y'] }, 'Choose one of the options.'],
    ['a file', { type: 'string', format: 'binary' }, 'Choose a file.'],
    [
      'several picks',
      { type: 'array', items: { enum: ['x', 'y'] }, uniqueItems: true, minItems: 1 },
      'Choose at least 1.',
    ],
  ])('an empty field for %s says what to do', async (_, schema, said) => {
    render(<SchemaForm schema={form({ thing: schema })} onSubmit={() => undefined} />);
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    expect((await screen.findByRole('link')).textContent).toBe(`Thing: ${said}`);
  });
});

describe('the limits of a field', () => {
  test.each<[object, string]>([
    [{ type: 'integer', minimum: 1, maximum: 8 }, '1 to 8'],
    [{ type: 'number', maximum: 89, currency: 'EUR' }, 'Up to €89.00'],
    [{ type: 'number', minimum: 18 }, 'From 18'],
    [{ type: 'number', exclusiveMaximum: 3, multipleOf: 0.5 }, 'Less than 3 Enter a multiple of 0.5.'],
    [
      { type: 'string', maxLength: 500, description: 'What went well' },
      'What went well\nUp to 500 characters',
    ],
  ])('the hint of %j says the limits before an error', (schema, hint) => {
    render(<SchemaForm schema={form({ thing: schema })} onSubmit={() => undefined} />);
    const control = document.querySelector('.hr-input');
    const id = control?.getAttribute('aria-describedby') ?? '';
    expect(document.getElementById(id)?.textContent).toBe(hint);
  });

  test('a field without limits has no hint', () => {
    render(<SchemaForm schema={form({ thing: { type: 'integer' } })} onSubmit={() => undefined} />);
    expect(document.querySelector('.hr-hint')).toBeNull();
  });
});

test('the summary names the group of a field, because two groups may have fields of the same name', async () => {
  const person = form({ name: { type: 'string' } });
  render(<SchemaForm schema={form({ customer: person, guest: person })} onSubmit={() => undefined} />);
  await userEvent.click(screen.getByRole('button', { name: 'Send' }));
  await screen.findByText('2 answers need a look');
  expect(screen.getAllByRole('link').map(({ textContent }) => textContent)).toEqual([
    'Customer: Name: Fill this in.',
    'Guest: Name: Fill this in.',
  ]);
});
