// @vitest-environment jsdom

import type { StandardSchemaV1 } from '@standard-schema/spec';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { checkFormValues } from '../../../src/components/form/check-form-values.ts';
import type { FormValues } from '../../../src/components/form/kinds/form-values.ts';
import { readSchema } from '../../../src/components/form/schema/read-schema.ts';
import { SchemaForm } from '../../../src/components/form/schema-form.tsx';
import { englishLabels as labels } from '../../../src/components/text/labels.ts';

/** The messages that a form of this schema shows for these values, each behind the place of its control. */
async function messagesFor(schema: StandardSchemaV1, values: FormValues) {
  const { located, general } = await checkFormValues(readSchema(schema), values, labels);
  return [
    ...located.map(({ name, message }) => `${name.replace('value.', '')}: ${message}`),
    ...general.map(({ message }) => message),
  ];
}

describe("the schema's message", () => {
  test.each<[string, z.ZodType, FormValues, string]>([
    ['too short', z.string().min(3, 'Three letters'), 'ab', 'Three letters'],
    ['too long', z.string().max(1, 'One letter'), 'ab', 'One letter'],
    ['not an address', z.email('Your work address'), 'ab', 'Your work address'],
    ['not a day', z.iso.date('Pick a day'), 'soon', 'Pick a day'],
    ['not of the pattern', z.string().regex(/^\d$/, 'One digit'), 'ab', 'One digit'],
    ['too small', z.number().min(18, 'Adults only'), '17', 'Adults only'],
    ['too large', z.number().max(18, 'Children only'), '19', 'Children only'],
    ['not whole', z.number().int('No halves'), '1.5', 'No halves'],
    ['not a multiple', z.number().multipleOf(5, 'In fives'), '4', 'In fives'],
    ['too small after coercion', z.coerce.number().min(18, 'Adults only'), '17', 'Adults only'],
    ['an empty text', z.string().min(1, 'Pick a size'), '', 'Pick a size'],
    ['a text of spaces', z.string().min(1, 'Pick a size'), '  ', 'Pick a size'],
    ['against a refinement', z.string().refine((text) => text !== '', 'Pick a size'), '', 'Pick a size'],
    [
      'against an asynchronous refinement',
      z.string().refine(async (text) => text !== '', 'Pick a size'),
      '',
      'Pick a size',
    ],
    ['empty before a transform', z.string().min(1, 'Pick a size').transform(Number), '', 'Pick a size'],
  ])("replaces the form's message for a value that is %s", async (_, schema, values, message) => {
    expect(await messagesFor(z.object({ a: schema }), { f0: values })).toEqual([`f0: ${message}`]);
  });

  test.each<[string, z.ZodType, FormValues]>([
    ['a text that is too short', z.string().min(3), 'ab'],
    ['a text that is not an address', z.email(), 'ab'],
    ['an empty text', z.string().min(1), ''],
    ['the rule of several that is broken', z.number().min(1).max(9, 'One digit'), '0'],
  ])('is shown as the library wrote it for %s', async (_, schema, values) => {
    const entered = schema instanceof z.ZodNumber ? Number(values) : values;
    const message = schema.safeParse(entered).error?.issues[0]?.message;
    expect(message).toBeTruthy();
    expect(await messagesFor(z.object({ a: schema }), { f0: values })).toEqual([`f0: ${message}`]);
  });

  test('is shown in the language that the library is set to', async () => {
    z.config(z.locales.de());
    try {
      const schema = z.object({ a: z.string().min(3), b: z.string().min(3, 'Drei') });
      expect(await messagesFor(schema, { f0: 'a', f1: 'b' })).toEqual([
        expect.stringMatching(/^f0: Zu klein/),
        'f1: Drei',
      ]);
    } finally {
      z.config(z.locales.en());
    }
  });

  test.each<[string, z.ZodType, FormValues, string]>([
    ['an empty number field', z.number('Your age'), '', labels.notNumber],
    ['a choice without a pick', z.enum(['S', 'M'], 'Choose one'), '', labels.choiceMissing],
    ['text that is not a number', z.number('Your age'), 'abc', labels.notNumber],
    ['text that is not JSON', z.any().refine(() => false, 'Never'), '{', labels.notJson],
    ['an empty text that the schema accepts', z.string('Pick a size'), '', labels.required],
    [
      'a schema that throws',
      z.preprocess((text) => (text as string).trim(), z.string()),
      '',
      labels.required,
    ],
  ])("leaves the form's message in place for %s", async (_, schema, values, message) => {
    expect(await messagesFor(z.object({ a: schema }), { f0: values })).toEqual([`f0: ${message}`]);
  });
});

test('the schema validates once per check', async () => {
  const refinement = vi.fn(() => false);
  await messagesFor(z.object({ a: z.string().min(2).refine(refinement, 'No'), b: z.string() }), {
    f0: 'ab',
    f1: '',
  });
  expect(refinement).toHaveBeenCalledTimes(1);
});

describe("the schema's message stands at its control", () => {
  test('in rows of a list, with blank and unreadable rows among them', async () => {
    const schema = z.object({
      names: z.array(z.string('Name, please').min(3, 'Longer')),
      ages: z.array(z.number('Age, please').min(18, 'Adults only')),
    });
    const rows = (...items: string[]) => items.map((item) => ({ item }));
    expect(
      await messagesFor(schema, { f0: rows('', 'Ada', 'al'), f1: rows('', 'x', '17', '18', '3') }),
    ).toEqual([
      'f0.0.item: Longer',
      'f0.2.item: Longer',
      `f1.0.item: ${labels.notNumber}`,
      `f1.1.item: ${labels.notNumber}`,
      'f1.2.item: Adults only',
      'f1.4.item: Adults only',
    ]);
  });

  test('for a list as a whole and for several picks', async () => {
    const schema = z.object({
      guests: z.array(z.string()).min(2, 'Bring a friend'),
      days: z.array(z.enum(['Mo', 'Tu'])).min(1, 'One day at least'),
      few: z.array(z.enum(['Mo', 'Tu'])).max(1, 'One day at most'),
    });
    expect(await messagesFor(schema, { f0: [{ item: 'Ada' }], f1: [], f2: ['0', '1'] })).toEqual([
      'f0.root: Bring a friend',
      'f1: One day at least',
      'f2: One day at most',
    ]);
  });

  test('in records, groups and the chosen variant of a union', async () => {
    const schema = z.object({
      limits: z.record(z.string(), z.number().max(9, 'One digit')),
      home: z.object({ city: z.string().min(1, 'Which city?') }),
      to: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('post'), street: z.string().min(1, 'Which street?') }),
        z.object({ kind: z.literal('mail'), address: z.email('Which address?') }),
      ]),
    });
    const values = {
      f0: [
        { key: 'a', item: '1' },
        { key: 'b', item: '10' },
      ],
      f1: { f0: '' },
      f2: { pick: '1', v0: { f0: '', f1: '' }, v1: { f0: '', f1: 'x' } },
    };
    expect(await messagesFor(schema, values)).toEqual([
      'f0.1.item: One digit',
      'f1.f0: Which city?',
      'f2.v1.f1: Which address?',
    ]);
  });

  test('across fields, once the form has no issue of its own', async () => {
    const schema = z
      .object({ from: z.number(), to: z.number().min(1, 'One or more'), note: z.string() })
      .refine(({ from, to }) => from < to, { path: ['to'], message: 'After the start' });
    expect(await messagesFor(schema, { f0: '3', f1: '0', f2: 'x' })).toEqual(['f1: One or more']);
    expect(await messagesFor(schema, { f0: '3', f1: '2', f2: 'x' })).toEqual(['f1: After the start']);
    expect(await messagesFor(schema, { f0: '3', f1: '2', f2: '' })).toEqual([`f2: ${labels.required}`]);
  });
});

describe('the messages of other schema libraries are shown too', () => {
  const values = { f0: '', f1: '17', f2: 'ab', f3: 'x' };
  const written = ['f0: Pick a size', 'f1: Adults only', 'f2: Your work address', 'f3: Capitals only'];

  test('Valibot', async () => {
    const { object, pipe, string, nonEmpty, number, minValue, email, regex } = v;
    const schema = object({
      a: pipe(string(), nonEmpty('Pick a size')),
      b: pipe(number(), minValue(18, 'Adults only')),
      c: pipe(string(), email('Your work address')),
      d: pipe(string(), regex(/^[A-Z]$/, 'Capitals only')),
    });
    expect(await messagesFor(toStandardJsonSchema(schema), values)).toEqual(written);
  });

  test('ArkType', async () => {
    const schema = type({
      a: type('string > 0').configure({ message: 'Pick a size' }),
      b: type('number >= 18').configure({ message: 'Adults only' }),
      c: type('string.email').configure({ message: 'Your work address' }),
      d: type(/^[A-Z]$/).configure({ message: 'Capitals only' }),
    });
    expect(await messagesFor(schema, values)).toEqual(written);
  });

  test('a library that only implements Standard Schema', async () => {
    const { jsonSchema } = z.object({ a: z.string().min(3) })['~standard'];
    const refuse = (message: string): StandardSchemaV1 => {
      const issues = [{ message, path: ['a'] }];
      const standard = { version: 1, vendor: 'unknown', jsonSchema, validate: () => ({ issues }) } as const;
      return { '~standard': standard };
    };
    expect(await messagesFor(refuse('Not this one'), { f0: 'ab' })).toEqual(['f0: Not this one']);
    expect(await messagesFor(refuse('Not this one'), { f0: 'abc' })).toEqual(['f0: Not this one']);
    // An empty message would leave the field without a reason.
    expect(await messagesFor(refuse(''), { f0: 'ab' })).toEqual([`f0: ${labels.tooShort(3)}`]);
  });
});

test("a form shows the schema's messages at the field and in the summary, and updates them on each change", async () => {
  const user = userEvent.setup();
  const onSubmit = vi.fn();
  const schema = z.object({
    size: z.string('Pick a size').min(2, 'Two letters'),
    age: z.number().min(18, 'Adults only'),
  });
  render(<SchemaForm schema={schema} onSubmit={onSubmit} />);
  const size = screen.getByRole('textbox', { name: 'Size' });
  await user.type(screen.getByRole('spinbutton', { name: 'Age' }), '17');
  await user.tab();
  expect(screen.queryByText('Adults only')).toBeNull();

  await user.click(screen.getByRole('button', { name: 'Send' }));

  const summary = (await screen.findByText('2 answers need a look')).closest('[role=group]') as HTMLElement;
  await waitFor(() => expect(document.activeElement).toBe(summary));
  const links = screen.getAllByRole('link').map(({ textContent }) => textContent);
  expect(links).toEqual(['Size: Two letters', 'Age: Adults only']);
  const about = (control: HTMLElement) =>
    (control.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent)
      .at(-1);
  expect(about(size)).toBe('Two letters');

  await user.type(size, 'XL');
  await waitFor(() => expect(size.getAttribute('aria-invalid')).toBe('false'));
  await user.clear(screen.getByRole('spinbutton'));
  await waitFor(() => expect(about(screen.getByRole('spinbutton'))).toBe(labels.notNumber));
  await user.type(screen.getByRole('spinbutton'), '18');
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await waitFor(() => expect(onSubmit.mock.calls).toEqual([[{ size: 'XL', age: 18 }]]));
});
