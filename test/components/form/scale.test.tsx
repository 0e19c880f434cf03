// @vitest-environment jsdom
/** A whole number out of a few: one row of segments. */
import { render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { FormSchema } from '../../../src/components/form/schema/read-schema.ts';
import { SchemaForm } from '../../../src/components/form/schema-form.tsx';

const form = (rating: object, required = ['rating']) => ({
  type: 'object',
  properties: { rating: { title: 'Rating', ...rating } },
  required,
});
const stars = { type: 'integer', minimum: 1, maximum: 5 };

function show(schema: FormSchema, defaultValue?: unknown) {
  const onSubmit = vi.fn();
  render(<SchemaForm schema={schema} defaultValue={defaultValue} onSubmit={onSubmit} />);
  return { onSubmit, submit: () => userEvent.click(screen.getByRole('button', { name: 'Send' })) };
}
const names = () => screen.queryAllByRole('radio').map((radio) => radio.getAttribute('aria-label'));

describe('segments', () => {
  test.each<[string, object, readonly string[]]>([
    ['a range of five whole numbers', stars, ['1', '2', '3', '4', '5']],
    [
      'limits that are excluded',
      { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 4 },
      ['1', '2', '3'],
    ],
    ['steps', { type: 'integer', minimum: 0, maximum: 10, multipleOf: 5 }, ['0', '5', '10']],
    [
      'numbers below zero',
      { type: 'integer', minimum: -3, maximum: 3 },
      ['-3', '-2', '-1', '0', '1', '2', '3'],
    ],
    ['an enum of whole numbers', { enum: [1, 2, 3] }, ['1', '2', '3']],
    [
      'constants whose ends have titles',
      { oneOf: [{ const: 1, title: 'Poor' }, { const: 2 }, { const: 3, title: 'Great' }] },
      ['1, Poor', '2', '3, Great'],
    ],
  ])('stand for %s', (_, schema, expected) => {
    show(form(schema));
    expect(within(screen.getByRole('radiogroup', { name: 'Rating' })).getAllByRole('radio')).toHaveLength(
      expected.length,
    );
    expect(names()).toEqual(expected);
  });

  test.each<[string, object]>([
    ['eight values', { type: 'integer', minimum: 1, maximum: 8 }],
    ['one value', { type: 'integer', minimum: 1, maximum: 1 }],
    ['numbers with a fraction', { type: 'number', minimum: 1, maximum: 5 }],
    ['a quantity', { ...stars, unit: 'kg' }],
    ['an amount', { ...stars, format: 'currency', currency: 'EUR' }],
    ['a secret', { ...stars, writeOnly: true }],
  ])('do not stand for %s', (_, schema) => {
    show(form(schema));
    expect(names()).toEqual([]);
    expect(screen.getByLabelText('Rating')).toBeTruthy();
  });

  test('options that all have a title stay rows, which have room for the words', () => {
    show(
      form({
        oneOf: [
          { const: 1, title: 'Poor' },
          { const: 2, title: 'Fair' },
          { const: 3, title: 'Great' },
        ],
      }),
    );
    expect(
      screen.getAllByRole('radio').map((radio) => (radio as HTMLInputElement).labels?.[0]?.textContent),
    ).toEqual(['Poor', 'Fair', 'Great']);
  });

  test.each([
    ['From 1 (poor) to 5 (excellent)', ['1 · Poor', 'Excellent · 5'], undefined],
    ['1 = poor, 5 = great', ['1 · Poor', 'Great · 5'], undefined],
    [
      'How helpful was it? 1 = poor, 5 = great',
      ['1 · Poor', 'Great · 5'],
      'How helpful was it? 1 = poor, 5 = great',
    ],
    ['How helpful was it?', [], 'How helpful was it?'],
  ])('take the words of their ends from the description "%s"', (description, ends, hint) => {
    show(form({ ...stars, description }));
    expect([...document.querySelectorAll('.hr-scale-ends > span')].map((end) => end.textContent)).toEqual(
      ends,
    );
    expect(document.querySelector('.hr-hint')?.textContent).toBe(hint);
  });
});

describe('a person', () => {
  test('chooses with a digit, and the number goes out as a number', async () => {
    const { onSubmit } = show(z.object({ rating: z.number().int().min(1).max(5) }));
    await userEvent.tab();
    await userEvent.keyboard('4');
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: '4' }));
    await userEvent.keyboard('7{Enter}');
    await waitFor(() => expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ rating: 4 }));
  });

  test('reads what to choose, and the link of the summary leads to the segments', async () => {
    const { onSubmit, submit } = show(form(stars));
    await submit();
    await userEvent.click(await screen.findByRole('link', { name: 'Rating: Choose 1 to 5.' }));
    expect(document.activeElement).toBe(screen.getByRole('radio', { name: '1' }));
    expect(onSubmit).not.toHaveBeenCalled();
  });

  test('takes an optional choice back', async () => {
    const { onSubmit, submit } = show(form(stars, []), { rating: 2 });
    await userEvent.click(screen.getByRole('radio', { name: 'None' }));
    await submit();
    await waitFor(() => expect(onSubmit).toHaveBeenCalledExactlyOnceWith({}));
  });

  test('leaves a nullable one empty, which is null', async () => {
    const { onSubmit, submit } = show(form({ anyOf: [stars, { type: 'null' }] }));
    await submit();
    await waitFor(() => expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ rating: null }));
  });
});
