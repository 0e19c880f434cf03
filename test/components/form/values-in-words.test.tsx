// @vitest-environment jsdom
/** Amounts, days and options, as people read and type them. */
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { FormSchema } from '../../../src/components/form/schema/read-schema.ts';
import { SchemaForm } from '../../../src/components/form/schema-form.tsx';

const form = (properties: object) => ({ type: 'object', properties, required: Object.keys(properties) });

function show(schema: FormSchema, more: { defaultValue?: unknown; locale?: string } = {}) {
  const onSubmit = vi.fn();
  const { defaultValue, locale } = more;
  render(<SchemaForm schema={schema} defaultValue={defaultValue} labels={{ locale }} onSubmit={onSubmit} />);
  return { onSubmit, submit: () => userEvent.click(screen.getByRole('button', { name: 'Send' })) };
}
const amount = () => screen.getByRole<HTMLInputElement>('spinbutton');
const sign = () => document.querySelector('.hr-measured > span')?.textContent;

describe('an amount', () => {
  const paid = { type: 'number', title: 'Paid', format: 'currency', currency: 'EUR' };

  test.each([
    ['en', '89', '89.00', 89],
    ['de', '1.234,5', '1234,50', 1234.5],
    ['de', '0,5', '0,50', 0.5],
    ['en', '1,234', '1234.00', 1234],
  ])('in %s is completed from %s to %s when it is left', async (locale, typed, text, value) => {
    const { onSubmit, submit } = show(form({ paid }), { locale });
    await userEvent.type(amount(), typed);
    expect(amount().value).toBe(typed);
    await userEvent.tab();
    expect(amount().value).toBe(text);
    await submit();
    await waitFor(() => expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ paid: value }));
  });

  test('starts completed, and goes out unchanged', async () => {
    const { onSubmit, submit } = show(form({ paid }), { locale: 'de', defaultValue: { paid: 1.234 } });
    expect(amount().value).toBe('1,234');
    await submit();
    await waitFor(() => expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ paid: 1.234 }));
  });

  test('that may be a thousand is refused, and its text stays', async () => {
    const { onSubmit, submit } = show(form({ paid }), { locale: 'en' });
    await userEvent.type(amount(), '1.234');
    await submit();
    await screen.findByRole('link', { name: /^Paid: .*without a mark between thousands/ });
    expect(amount().value).toBe('1.234');
    expect(onSubmit).not.toHaveBeenCalled();
  });

  test.each([
    ['options', z.enum(['EUR', 'USD'])],
    ['a text', z.string()],
  ])('has the sign that the property beside it names: %s', async (_, currency) => {
    const schema = z.object({
      currency,
      paid: z.number().max(50).meta({ currencyField: 'currency', title: 'Paid' }),
    });
    show(schema, { locale: 'en', defaultValue: { currency: 'USD', paid: 5 } });
    expect([sign(), amount().value]).toEqual(['$', '5.00']);
    expect(document.querySelector('[id$="-hint"]')?.textContent).toBe('Up to $50.00');
    const euro = screen.queryByRole('radio', { name: 'EUR' });
    if (euro === null) fireEvent.change(screen.getByLabelText('Currency'), { target: { value: 'EUR' } });
    else await userEvent.click(euro);
    await waitFor(() => expect(sign()).toBe('€'));
  });

  test('without a known currency has no sign', () => {
    show(z.object({ currency: z.string(), paid: z.number().meta({ currencyField: 'currency' }) }));
    expect(sign()).toBeUndefined();
  });
});

test.each([
  ['1,234', 'en', '1234'],
  ['1,5', 'en', '1.5'],
  ['1,5', 'de', '1,5'],
  ['1e3', 'en', '1e3'],
  ['five', 'en', 'five'],
])('a number that was typed as %s in %s stands as %s when it is left', async (typed, locale, text) => {
  show(form({ size: { type: 'number' } }), { locale });
  await userEvent.type(amount(), typed);
  await userEvent.tab();
  expect(amount().value).toBe(text);
});

describe('a day or a time', () => {
  const day = { type: 'string', format: 'date', title: 'Day' };
  const hint = () => document.querySelector('.hr-hint')?.textContent;

  test('says its first day before there is an error, which then takes the place of the hint', async () => {
    const { onSubmit, submit } = show(form({ day: { ...day, formatMinimum: '2026-11-30' } }), {
      locale: 'en-GB',
    });
    const control = screen.getByLabelText<HTMLInputElement>('Day');
    expect([hint(), control.min]).toEqual(['From Monday, 30 November 2026', '2026-11-30']);
    fireEvent.change(control, { target: { value: '2026-11-29' } });
    await submit();
    await screen.findByRole('link', { name: 'Day: Monday, 30 November 2026 or later.' });
    expect(hint()).toBeUndefined();
    fireEvent.change(control, { target: { value: '2026-11-30' } });
    await waitFor(() => expect(hint()).toBe('From Monday, 30 November 2026'));
    await submit();
    await waitFor(() => expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ day: '2026-11-30' }));
  });

  test.each([
    [
      { ...day, formatMaximum: '2026-11-30' },
      'Up to Monday, 30 November 2026',
      '2026-12-01',
      / or earlier\.$/,
    ],
    [
      { type: 'string', format: 'time', formatMinimum: '09:00', formatMaximum: '17:30' },
      '9:00 to 17:30',
      '08:59',
      /9:00 or later\.$/,
    ],
  ])('%j says its limits', async (schema, said, refused, message) => {
    const { submit } = show(form({ at: { ...schema, title: 'At' } }), { locale: 'en-GB' });
    expect(hint()).toBe(said);
    fireEvent.change(screen.getByLabelText('At'), { target: { value: refused } });
    await submit();
    await screen.findByRole('link', { name: message });
  });

  test('of a list of fields has the limits of HTML', () => {
    show([{ name: 'day', label: 'Day', type: 'date', min: '2026-11-30' }], { locale: 'en-GB' });
    expect(hint()).toBe('From Monday, 30 November 2026');
  });

  test('9:30 is a time of day', async () => {
    const { onSubmit, submit } = show(z.object({ at: z.iso.time() }), { defaultValue: { at: '9:30' } });
    expect(screen.getByLabelText<HTMLInputElement>('At').value).toBe('09:30');
    await submit();
    await waitFor(() => expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ at: '09:30' }));
  });
});

test.each([
  ['red', 'Red'],
  ['in_transit', 'In transit'],
  ['in-transit', 'In transit'],
  ['inTransit', 'In transit'],
  ['IN_TRANSIT', 'In transit'],
  ['de', 'de'],
  ['iOS', 'iOS'],
  ['Already in words', 'Already in words'],
  ['a.b@example.com', 'a.b@example.com'],
])('the option %s reads %s, and goes out as it is', async (value, name) => {
  const { onSubmit, submit } = show(form({ thing: { enum: [value, 'Other'] } }));
  await userEvent.click(screen.getByRole('radio', { name }));
  await submit();
  await waitFor(() => expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ thing: value }));
});

describe('the constant that tells variants apart', () => {
  const pay = (method: string, title: string, more = {}) => ({
    ...form({ method: { const: method }, note: { type: 'string' }, ...more }),
    title,
  });

  test('is not shown where the name of the variant says it', async () => {
    const { onSubmit, submit } = show(
      form({ pay: { oneOf: [pay('card', 'By card'), pay('cash', 'In cash')] } }),
    );
    expect(document.querySelector('.hr-constant')).toBeNull();
    await userEvent.type(screen.getByRole('textbox', { name: 'Note' }), 'Hi');
    await submit();
    await waitFor(() =>
      expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ pay: { method: 'card', note: 'Hi' } }),
    );
  });

  test('does not hide a constant that says something else', () => {
    const purge = { purge: { const: true } };
    show(form({ pay: { oneOf: [pay('card', 'By card', purge), pay('cash', 'In cash', purge)] } }));
    expect([...document.querySelectorAll('.hr-constant')].map(({ textContent }) => textContent)).toEqual([
      'true',
    ]);
  });
});

test.each([
  ['Line items', 'Line item 1'],
  ['Entries', 'Entry 1'],
  ['Boxes', 'Box 1'],
  ['Address', 'Address 1'],
  ['Status', 'Status 1'],
  ['What is wrong', 'What is wrong 1'],
])('an item of the list %s is called %s', (title, name) => {
  show({ type: 'array', title, items: { type: 'string' }, minItems: 1 });
  expect(screen.getByRole('textbox', { name })).toBeTruthy();
});

test.each([
  [{ minItems: 1, maxItems: 5 }, '1 to 5 things'],
  [{ minItems: 2 }, 'At least 2 things'],
  [{ maxItems: 1 }, 'Up to 1 thing'],
  [{}, undefined],
])('a list of %j says how many it takes, at its label', (limits, said) => {
  show(form({ tags: { type: 'array', items: { type: 'string' }, ...limits } }));
  expect(document.querySelector('.hr-label-row > .hr-optional')?.textContent).toBe(said);
});

test('a label that is a question needs no colon in the summary', async () => {
  const { submit } = show(form({ name: { type: 'string', title: 'Who are you?' } }));
  await submit();
  expect((await screen.findByRole('link')).textContent).toBe('Who are you? Fill this in.');
});
