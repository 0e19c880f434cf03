// @vitest-environment jsdom

import type { StandardSchemaV1 } from '@standard-schema/spec';
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { toStandardJsonSchema } from '@valibot/to-json-schema';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { checkDraft } from '../../../src/components/form/check-draft.ts';
import type { Draft } from '../../../src/components/form/draft.ts';
import { readSchema } from '../../../src/components/form/read-schema.ts';
import { SchemaForm } from '../../../src/components/form/schema-form.tsx';
import { englishLabels as labels } from '../../../src/components/text/labels.ts';

/** What a form of a schema says about a draft: place and message of each issue. */
async function told(schema: StandardSchemaV1, draft: Draft) {
  const { located, general } = await checkDraft(readSchema(schema), draft, labels);
  return [
    ...located.map(({ name, message }) => `${name.replace('value.', '')}: ${message}`),
    ...general.map(({ message }) => message),
  ];
}

describe("an author's message stands where the form would say it in its own words", () => {
  test.each<[string, z.ZodType, Draft, string]>([
    ['too short', z.string().min(3, 'Three letters'), 'ab', 'Three letters'],
    ['too long', z.string().max(1, 'One letter'), 'ab', 'One letter'],
    ['no address', z.email('Your work address'), 'ab', 'Your work address'],
    ['no day', z.iso.date('Pick a day'), 'soon', 'Pick a day'],
    ['no pattern', z.string().regex(/^\d$/, 'One digit'), 'ab', 'One digit'],
    ['too small', z.number().min(18, 'Adults only'), '17', 'Adults only'],
    ['too large', z.number().max(18, 'Children only'), '19', 'Children only'],
    ['not whole', z.number().int('No halves'), '1.5', 'No halves'],
    ['no multiple', z.number().multipleOf(5, 'In fives'), '4', 'In fives'],
    ['coerced', z.coerce.number().min(18, 'Adults only'), '17', 'Adults only'],
    ['an empty text', z.string().min(1, 'Pick a size'), '', 'Pick a size'],
    ['a text of spaces', z.string().min(1, 'Pick a size'), '  ', 'Pick a size'],
    ['a missing text', z.string('Pick a size'), '', 'Pick a size'],
    ['a missing text with a limit', z.string('Pick a size').min(2), '', 'Pick a size'],
    ['a missing number', z.number('Your age'), '', 'Your age'],
    ['a missing choice', z.enum(['S', 'M'], 'Choose one'), '', 'Choose one'],
    ['a refinement', z.string().refine((text) => text !== '', 'Pick a size'), '', 'Pick a size'],
    ['one that waits', z.string().refine(async (text) => text !== '', 'Pick a size'), '', 'Pick a size'],
    [
      'by a function',
      z.string({ error: ({ input }) => (input === undefined ? 'Missing' : 'Wrong') }),
      '',
      'Missing',
    ],
    ['behind a transform', z.string().min(1, 'Pick a size').transform(Number), '', 'Pick a size'],
  ])('%s', async (_, schema, draft, message) => {
    expect(await told(z.object({ a: schema }), { f0: draft })).toEqual([`f0: ${message}`]);
  });

  test.each<[string, z.ZodType, Draft, string]>([
    ['too short', z.string().min(3), 'ab', labels.tooShort(3)],
    ['no address', z.email(), 'ab', labels.notEmail],
    ['no pattern', z.string().regex(/^\d$/), 'ab', labels.notPattern],
    ['an empty text', z.string().min(1), '', labels.required],
    ['a missing number', z.number(), '', labels.required],
    ['another rule of the same field', z.number().min(1).max(9, 'One digit'), '0', labels.tooSmall(1)],
    ['an empty message', z.string().min(3, ''), 'ab', labels.tooShort(3)],
    ['no number at all', z.number('Your age'), 'abc', labels.notNumber],
    ['no JSON', z.any().refine(() => false, 'Never'), '{', labels.notJson],
    [
      'a schema that throws',
      z.preprocess((text) => (text as string).trim(), z.string()),
      '',
      labels.required,
    ],
  ])("the form's own stand for what Zod says by itself: %s", async (_, schema, draft, message) => {
    expect(await told(z.object({ a: schema }), { f0: draft })).toEqual([`f0: ${message}`]);
  });

  test('whatever language Zod speaks', async () => {
    const before = z.config();
    z.config(z.locales.de());
    try {
      const schema = z.object({ a: z.string().min(3), b: z.string().min(3, 'Drei') });
      expect(await told(schema, { f0: 'a', f1: 'b' })).toEqual([`f0: ${labels.tooShort(3)}`, 'f1: Drei']);
    } finally {
      z.config(before);
    }
  });
});

describe('an author is heard at the right place', () => {
  test('in rows of a list, blank and unreadable ones among them', async () => {
    const schema = z.object({
      names: z.array(z.string('Name, please').min(3, 'Longer')),
      ages: z.array(z.number('Age, please').min(18, 'Adults only')),
    });
    const rows = (...items: string[]) => items.map((item) => ({ item }));
    expect(await told(schema, { f0: rows('', 'Ada', 'al'), f1: rows('', 'x', '17', '18', '3') })).toEqual([
      'f0.0.item: Longer',
      'f0.2.item: Longer',
      'f1.0.item: Age, please',
      `f1.1.item: ${labels.notNumber}`,
      'f1.2.item: Adults only',
      'f1.4.item: Adults only',
    ]);
  });

  test('of a list as a whole, and of several picks', async () => {
    const schema = z.object({
      guests: z.array(z.string()).min(2, 'Bring somebody'),
      days: z.array(z.enum(['Mo', 'Tu'])).min(1, 'One day at least'),
      few: z.array(z.enum(['Mo', 'Tu'])).max(1),
    });
    expect(await told(schema, { f0: [{ item: 'Ada' }], f1: [], f2: ['0', '1'] })).toEqual([
      'f0.root: Bring somebody',
      'f1: One day at least',
      `f2: ${labels.tooManyItems(1)}`,
    ]);
  });

  test('in records, groups and the chosen shape of a union', async () => {
    const schema = z.object({
      limits: z.record(z.string(), z.number().max(9, 'One digit')),
      home: z.object({ city: z.string().min(1, 'Which city?') }),
      to: z.discriminatedUnion('kind', [
        z.object({ kind: z.literal('post'), street: z.string().min(1, 'Which street?') }),
        z.object({ kind: z.literal('mail'), address: z.email('Which address?') }),
      ]),
    });
    const draft = {
      f0: [
        { key: 'a', item: '1' },
        { key: 'b', item: '10' },
      ],
      f1: { f0: '' },
      f2: { pick: '1', v0: { f0: '', f1: '' }, v1: { f0: '', f1: 'x' } },
    };
    expect(await told(schema, draft)).toEqual([
      'f0.1.item: One digit',
      'f1.f0: Which city?',
      'f2.v1.f1: Which address?',
    ]);
  });

  test('across fields, where the form has something against the field too', async () => {
    const schema = z
      .object({ from: z.number(), to: z.number().min(1), note: z.string() })
      .refine(({ from, to }) => from < to, { path: ['to'], message: 'After the start' });
    expect(await told(schema, { f0: '3', f1: '0', f2: 'x' })).toEqual(['f1: After the start']);
    expect(await told(schema, { f0: '3', f1: '2', f2: 'x' })).toEqual(['f1: After the start']);
    // What only the schema knows waits for what the form knows, as ever.
    expect(await told(schema, { f0: '3', f1: '2', f2: '' })).toEqual([`f2: ${labels.required}`]);
  });
});

describe('other libraries', () => {
  const draft = { f0: '', f1: '17', f2: 'ab', f3: 'x' };
  const ours = [
    `f0: ${labels.required}`,
    `f1: ${labels.tooSmall(18)}`,
    `f2: ${labels.notEmail}`,
    `f3: ${labels.notPattern}`,
  ];
  const theirs = ['f0: Pick a size', 'f1: Adults only', 'f2: Your work address', 'f3: Capitals only'];

  test('Valibot', async () => {
    const { object, pipe, string, nonEmpty, number, minValue, email, regex } = v;
    const own = object({
      a: pipe(string(), nonEmpty('Pick a size')),
      b: pipe(number(), minValue(18, 'Adults only')),
      c: pipe(string(), email('Your work address')),
      d: pipe(string(), regex(/^[A-Z]$/, 'Capitals only')),
    });
    expect(await told(toStandardJsonSchema(own), draft)).toEqual(theirs);
    const plain = object({
      a: pipe(string(), nonEmpty()),
      b: pipe(number(), minValue(18)),
      c: pipe(string(), email()),
      d: pipe(string(), regex(/^[A-Z]$/)),
    });
    expect(await told(toStandardJsonSchema(plain), draft)).toEqual(ours);
  });

  test('ArkType', async () => {
    const capital = /^[A-Z]$/;
    const own = type({
      a: type('string > 0').configure({ message: 'Pick a size' }),
      b: type('number >= 18').configure({ message: 'Adults only' }),
      c: type('string.email').configure({ message: 'Your work address' }),
      d: type(capital).configure({ message: 'Capitals only' }),
    });
    expect(await told(own, draft)).toEqual(theirs);
    const plain = type({ a: 'string > 0', b: 'number >= 18', c: 'string.email', d: capital });
    expect(await told(plain, draft)).toEqual(ours);
  });

  test('one whose issues say nothing about where a message comes from', async () => {
    const { jsonSchema } = z.object({ a: z.string().min(3) })['~standard'];
    const issues = [{ message: 'Who knows', path: ['a'] }];
    const schema = {
      '~standard': { version: 1, vendor: 'unknown', jsonSchema, validate: () => ({ issues }) },
    } as const;
    expect(await told(schema, { f0: 'ab' })).toEqual([`f0: ${labels.tooShort(3)}`]);
    expect(await told(schema, { f0: 'abc' })).toEqual(['f0: Who knows']);
  });
});

test("in a form the author's words stand on the field and in the summary, and follow each change", async () => {
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

  await user.click(screen.getByRole('button', { name: 'Submit' }));

  const summary = await screen.findByRole('region', { name: '2 answers need another look' });
  await waitFor(() => expect(document.activeElement).toBe(summary));
  const links = screen.getAllByRole('link').map(({ textContent }) => textContent);
  expect(links).toEqual(['Size: Two letters', 'Age: Adults only']);
  const about = (control: HTMLElement) =>
    document.getElementById(control.getAttribute('aria-describedby') ?? '')?.textContent;
  expect(about(size)).toBe('Two letters');

  await user.type(size, 'XL');
  await waitFor(() => expect(size.getAttribute('aria-invalid')).toBe('false'));
  await user.clear(screen.getByRole('spinbutton'));
  await waitFor(() => expect(about(screen.getByRole('spinbutton'))).toBe(labels.required));
  await user.type(screen.getByRole('spinbutton'), '18');
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  await waitFor(() => expect(onSubmit.mock.calls).toEqual([[{ size: 'XL', age: 18 }]]));
});
