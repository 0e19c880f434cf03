// @vitest-environment jsdom
import { act, render, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { StrictMode } from 'react';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { SchemaForm } from '../../../src/components/form/schema-form.tsx';
import { createDeferred } from '../../support/deferred.ts';

const box = (name: string) => screen.getByRole('textbox', { name });
const submit = () => screen.getByRole('button', { name: 'Send' });

const contact = z
  .object({
    name: z.string().min(2, 'Two letters or more'),
    email: z.email('Not an email address'),
    age: z.number().int().optional(),
  })
  .refine((value) => value.name !== value.email, { message: 'Name and email are the same' });

describe('a form made from a schema', () => {
  test('submits the value that the schema parsed', async () => {
    const user = userEvent.setup();
    const onSubmit = vi.fn();
    const schema = z.object({ price: z.string().transform(Number), note: z.string().default('none') });
    render(<SchemaForm schema={schema} onSubmit={onSubmit} />, { wrapper: StrictMode });
    await user.type(box('Price'), '12');
    await user.clear(box('Note'));
    await user.click(submit());
    await waitFor(() => expect(onSubmit.mock.calls).toEqual([[{ price: 12, note: 'none' }]]));
  });

  test('shows no errors before the first submit, and updates them on each change after it', async () => {
    const user = userEvent.setup();
    const onSubmit = vi.fn();
    render(<SchemaForm schema={contact} onSubmit={onSubmit} />);
    await user.type(box('Email'), 'ada');
    await user.tab();
    expect(screen.queryByText(/email address/)).toBeNull();

    await user.click(submit());

    const summary = (await screen.findByText('2 answers need a look')).closest('[role=group]') as HTMLElement;
    expect(document.activeElement).toBe(summary);
    expect(
      within(summary)
        .getAllByRole('link')
        .map((link) => link.textContent),
    ).toEqual(['Name: Two letters or more', 'Email: Not an email address']);
    expect(box('Email').getAttribute('aria-invalid')).toBe('true');
    const describedBy = box('Email').getAttribute('aria-describedby') ?? '';
    expect(document.getElementById(describedBy)?.textContent).toBe('Not an email address');

    await user.click(within(summary).getByRole('link', { name: /^Email/ }));
    expect(document.activeElement).toBe(box('Email'));
    await user.type(box('Email'), '@example.com');

    await waitFor(() => expect(box('Email').getAttribute('aria-invalid')).toBe('false'));
    expect(screen.getByText('1 answer needs a look')).toBeTruthy();
    expect(onSubmit).not.toHaveBeenCalled();
  });

  test('shows the issues of the schema at their fields or above the form', async () => {
    const user = userEvent.setup();
    const onSubmit = vi.fn();
    render(<SchemaForm schema={contact} onSubmit={onSubmit} />);
    await user.type(box('Name'), 'a@b.cd');
    await user.type(box('Email'), 'a@b.cd');
    await user.click(submit());
    expect(await screen.findByText('Name and email are the same')).toBeTruthy();

    await user.clear(box('Name'));
    await user.type(box('Name'), 'Ada');
    await user.click(submit());
    await waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
  });

  test('leaves a pattern to the schema, because JSON Schema loses its flags', async () => {
    const user = userEvent.setup();
    const onSubmit = vi.fn();
    const schema = z.object({
      name: z.string(),
      code: z.string().regex(/^[a-z]+$/i),
      room: z.string().regex(/^[a-z]+$/i, 'One letter'),
      floor: z.string().regex(/^[0-9]$/, 'One digit'),
    });
    render(<SchemaForm schema={schema} onSubmit={onSubmit} />);
    await user.type(box('Code'), 'ABC');
    await user.type(box('Room'), '1');
    await user.type(box('Floor'), 'x');
    const linkTexts = () => screen.queryAllByRole('link').map(({ textContent }) => textContent);
    const patterns = ['Room: One letter', 'Floor: One digit'];
    await user.click(submit());
    await waitFor(() => expect(linkTexts()).toEqual(['Name: Fill this in.', ...patterns]));
    await user.type(box('Name'), 'Ada');
    await user.click(submit());
    await waitFor(() => expect(linkTexts()).toEqual(patterns));

    await user.type(box('Room'), '{Backspace}Z');
    await user.type(box('Floor'), '{Backspace}2');
    await user.click(submit());
    const value = { name: 'Ada', code: 'ABC', room: 'Z', floor: '2' };
    await waitFor(() => expect(onSubmit.mock.calls).toEqual([[value]]));
  });

  test('calls the submit handler once for several submits before it is done', async () => {
    const user = userEvent.setup();
    const pending = createDeferred();
    const onSubmit = vi.fn(() => pending.promise);
    render(<SchemaForm schema={z.object({ name: z.string() })} onSubmit={onSubmit} />);
    await user.type(box('Name'), 'Ada');
    await user.dblClick(submit());
    await user.type(box('Name'), '{Enter}');
    expect(onSubmit).toHaveBeenCalledTimes(1);
    await act(async () => pending.resolve());
    await user.click(submit());
    expect(onSubmit).toHaveBeenCalledTimes(2);
  });

  test('shows the issues of the submit handler at their fields and keeps the input', async () => {
    const user = userEvent.setup();
    const onSubmit = vi.fn(() => ({
      issues: [
        { message: 'Is taken', path: ['people', 1, 'name'] },
        { message: 'Try later', path: ['other'] },
      ],
    }));
    const schema = z.object({ people: z.array(z.object({ name: z.string() })).min(2) });
    render(<SchemaForm schema={schema} onSubmit={onSubmit} />);
    await user.type(within(screen.getByRole('group', { name: 'People 1' })).getByRole('textbox'), 'Ada');
    const second = within(screen.getByRole('group', { name: 'People 2' })).getByRole('textbox');
    await user.type(second, 'Ada');
    await user.click(submit());
    await screen.findByText('Name 2: Is taken');
    expect(second.getAttribute('aria-invalid')).toBe('true');
    expect(second).toHaveProperty('value', 'Ada');
    expect(screen.getByText('Other: Try later')).toBeTruthy();
    await user.type(second, 'm');
    await waitFor(() => expect(second.getAttribute('aria-invalid')).toBe('false'));
  });

  test('waits for a schema that validates asynchronously', async () => {
    const user = userEvent.setup();
    const onSubmit = vi.fn();
    const schema = z.object({
      name: z.string().refine(async (name) => name !== 'taken', { message: 'Is taken' }),
    });
    render(<SchemaForm schema={schema} onSubmit={onSubmit} />);
    await user.type(box('Name'), 'taken');
    await user.click(submit());
    expect(await screen.findByText('Name: Is taken')).toBeTruthy();
    await user.type(box('Name'), '!');
    await user.click(submit());
    await waitFor(() => expect(onSubmit.mock.calls[0]?.[0]).toEqual({ name: 'taken!' }));
  });

  test('has a Cancel button only with an onCancel handler', async () => {
    const user = userEvent.setup();
    const onCancel = vi.fn();
    const { rerender } = render(<SchemaForm schema={{}} onSubmit={() => undefined} />);
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull();
    rerender(<SchemaForm schema={{}} onSubmit={() => undefined} onCancel={onCancel} />);
    await user.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(onCancel.mock.calls).toEqual([[]]);
  });

  test('starts with the given value, and with defaults for its absent properties', () => {
    const schema = z.object({ a: z.string().default('from schema'), b: z.string().default('from schema') });
    render(<SchemaForm schema={schema} defaultValue={{ a: 'given' }} onSubmit={() => undefined} />);
    expect(box('A')).toHaveProperty('value', 'given');
    expect(box('B')).toHaveProperty('value', 'from schema');
  });

  test('shows the number of fields that it left out', () => {
    render(<SchemaForm schema={[{ name: 'a' }, 'b', 7]} onSubmit={() => undefined} />);
    expect(screen.getByText('Left out 2 fields that could not be understood.')).toBeTruthy();
  });

  test('shows the control that a fields array asks for', async () => {
    const user = userEvent.setup();
    const onSubmit = vi.fn();
    const options = ['S', 'M'];
    const fields = [
      { name: 'cup', type: 'radio', options },
      { name: 'lid', type: 'select', options, required: true },
    ];
    render(<SchemaForm schema={fields} onSubmit={onSubmit} />);
    await user.click(screen.getByRole('radio', { name: 'M' }));
    await user.selectOptions(screen.getByRole('combobox', { name: 'Lid' }), 'S');
    await user.click(submit());
    await waitFor(() => expect(onSubmit.mock.calls[0]?.[0]).toEqual({ cup: 'M', lid: 'S' }));
  });

  test('has ids of its own beside another form with the same names', () => {
    render(
      <>
        <SchemaForm schema={contact} onSubmit={() => undefined} />
        <SchemaForm schema={contact} onSubmit={() => undefined} />
      </>,
    );
    const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
    expect(ids.length).toBeGreaterThan(4);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('the submitted value', () => {
  async function fill(
    schema: Record<string, unknown>,
    act: (user: ReturnType<typeof userEvent.setup>) => Promise<void>,
  ) {
    const user = userEvent.setup();
    const onSubmit = vi.fn();
    render(<SchemaForm schema={schema} onSubmit={onSubmit} />);
    await act(user);
    await user.click(submit());
    await waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
    return onSubmit.mock.calls[0]?.[0];
  }
  const object = (properties: Record<string, unknown>, required: string[] = []) => ({
    type: 'object',
    properties,
    required,
  });

  test('leaves out untouched optional fields', async () => {
    const value = await fill(
      object({
        text: { type: 'string' },
        count: { type: 'number' },
        flag: { type: 'boolean' },
        pick: { enum: ['a'] },
        list: { type: 'array', items: { type: 'string' } },
        group: object({ x: { type: 'string' } }, ['x']),
      }),
      async () => {},
    );
    expect(value).toEqual({});
  });

  test('has false for a box that was checked and unchecked', async () => {
    const value = await fill(object({ flag: { type: 'boolean' } }), async (user) => {
      await user.click(screen.getByRole('checkbox'));
      await user.click(screen.getByRole('checkbox'));
    });
    expect(value).toEqual({ flag: false });
  });

  test('has false for an untouched required box', async () => {
    expect(await fill(object({ flag: { type: 'boolean' } }, ['flag']), async () => {})).toEqual({
      flag: false,
    });
  });

  test('has null for an empty required nullable field', async () => {
    expect(await fill(object({ note: { type: ['string', 'null'] } }, ['note']), async () => {})).toEqual({
      note: null,
    });
  });

  test('has the JSON value of an option', async () => {
    const value = await fill(object({ size: { enum: [1, 2, null] } }, ['size']), async (user) => {
      await user.click(screen.getByRole('radio', { name: '2' }));
    });
    expect(value).toEqual({ size: 2 });
  });

  test('has a property called __proto__', async () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string","title":"Proto"}},"required":["__proto__"]}',
    );
    const value = await fill(schema, (user) => user.type(box('Proto'), 'x'));
    expect(JSON.stringify(value)).toBe('{"__proto__":"x"}');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });
});

test.each([
  [{ type: 'integer', minimum: 0 }, 'numeric'],
  [{ type: 'number', exclusiveMinimum: 0 }, 'decimal'],
  [{ type: 'integer' }, null],
  [{ type: 'number', minimum: -5 }, null],
])('the number field %j has the keypad %s', (schema, keypad) => {
  render(<SchemaForm schema={{ type: 'object', properties: { n: schema } }} onSubmit={() => undefined} />);
  expect(screen.getByRole('spinbutton').getAttribute('inputmode')).toBe(keypad);
});

describe('a union', () => {
  const place = (property: string) => ({ type: 'object', properties: { [property]: { type: 'string' } } });
  const manyPlaces = {
    type: 'object',
    properties: Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, { type: 'string' }])),
  };
  const schema = {
    type: 'object',
    properties: { to: { anyOf: [place('street'), place('box'), { type: 'number' }] } },
  };

  test('shows no fields before a variant is picked', async () => {
    const user = userEvent.setup();
    const onSubmit = vi.fn();
    render(<SchemaForm schema={schema} onSubmit={onSubmit} />);
    expect(screen.queryByRole('textbox')).toBeNull();
    await user.selectOptions(screen.getByRole('combobox', { name: 'To' }), 'Box');
    await user.type(box('Box'), '17');
    await user.click(submit());
    await waitFor(() => expect(onSubmit).toHaveBeenCalledTimes(1));
    expect(onSubmit.mock.calls[0]?.[0]).toEqual({ to: { box: '17' } });
  });

  test.each([
    ['their fields', [place('street'), place('box'), { type: 'number' }], ['Street', 'Box', 'Number']],
    ['a number when their fields are the same', [place('box'), place('box')], ['Box 1', 'Box 2']],
    [
      'what has to be filled in',
      [{ ...manyPlaces, required: ['c'] }, manyPlaces, { type: 'object', properties: {} }],
      ['C', 'A, B, C, …', 'Several fields'],
    ],
    [
      'the constant that tells them apart',
      [{ type: 'object', properties: { kind: { const: 'post' } } }, { type: 'string' }],
      ['Post', 'Text'],
    ],
  ])('names its variants by %s', (_, shapes, names) => {
    const properties = { to: { anyOf: shapes } };
    render(<SchemaForm schema={{ type: 'object', properties }} onSubmit={() => undefined} />);
    const options = screen.getAllByRole('option').map(({ textContent }) => textContent);
    expect(options).toEqual(['Select…', ...names]);
  });
});

describe('the rows of a list', () => {
  const schema = { type: 'array', title: 'Guests', items: { type: 'string' }, minItems: 1, maxItems: 3 };

  test('can be added, moved and removed, and the focus follows', async () => {
    const user = userEvent.setup();
    const onSubmit = vi.fn();
    render(<SchemaForm schema={schema} onSubmit={onSubmit} />);
    const add = screen.getByRole('button', { name: 'Add another Guests' });
    await user.type(box('Guest 1'), 'Ada');
    await user.click(add);
    expect(document.activeElement).toBe(box('Guest 2'));
    await user.keyboard('Charles');
    await user.click(add);
    await user.keyboard('Mary');
    expect(screen.queryByRole('button', { name: 'Add another Guests' })).toBeNull();

    await user.click(screen.getByRole('button', { name: 'Move Guest 3 up' }));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move Guest 2 up' }));
    await user.click(screen.getByRole('button', { name: 'Remove Guest 1' }));
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Remove Guest 1' }));
    await user.click(submit());
    await waitFor(() => expect(onSubmit.mock.calls[0]?.[0]).toEqual(['Mary', 'Charles']));
  });

  test('show an error when there are too few, until one is added', async () => {
    const user = userEvent.setup();
    render(<SchemaForm schema={schema} onSubmit={() => undefined} />);
    await user.click(screen.getByRole('button', { name: 'Remove Guest 1' }));
    await user.click(submit());
    expect(await screen.findByText('Guests: Add at least 1.')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Add one Guests' }));
    await user.type(box('Guest 1'), 'Ada');
    await waitFor(() => expect(screen.queryByText('Add at least 1.')).toBeNull());
  });
});

test('a submit handler that throws shows an error, and the form can be submitted again', async () => {
  const user = userEvent.setup();
  const down = new Error('The server is down');
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  const onSubmit = vi.fn().mockRejectedValueOnce(down);
  render(<SchemaForm schema={[{ name: 'name', label: 'Name' }]} onSubmit={onSubmit} />);
  await user.type(box('Name'), 'Ada');
  await user.click(submit());
  const title = await screen.findByText(/^This was not accepted:/);
  const summary = title.closest('[role=group]') as HTMLElement;
  expect(within(summary).getByRole('listitem').textContent).toBe('Not sent: The server is down');
  await waitFor(() => expect(document.activeElement).toBe(summary));
  expect(reported.mock.calls).toEqual([[down]]);
  vi.unstubAllGlobals();
  await user.click(submit());
  await waitFor(() => expect(screen.queryByText(/not accepted/)).toBeNull());
  expect(onSubmit.mock.calls.map(([value]) => value)).toEqual([{ name: 'Ada' }, { name: 'Ada' }]);
});

test('a schema that throws shows an error, and the form can be submitted again', async () => {
  const user = userEvent.setup();
  const broken = new Error('No list of names');
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  const judge = vi.fn((_name: string) => true);
  const schema = z.object({ name: z.string().refine(judge) });
  const onSubmit = vi.fn();
  render(<SchemaForm schema={schema} onSubmit={onSubmit} />);
  await user.type(box('Name'), 'Ada');
  judge.mockImplementation(() => {
    throw broken;
  });
  await user.click(submit());
  const title = await screen.findByText(/^This was not accepted:/);
  const summary = title.closest('[role=group]') as HTMLElement;
  expect(within(summary).getByRole('listitem').textContent).toBe('Not sent: No list of names');
  await waitFor(() => expect(document.activeElement).toBe(summary));
  expect(reported.mock.calls).toEqual([[broken]]);
  vi.unstubAllGlobals();
  judge.mockImplementation(() => true);
  await user.click(submit());
  await waitFor(() => expect(onSubmit.mock.calls).toEqual([[{ name: 'Ada' }]]));
});
