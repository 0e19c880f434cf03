// @vitest-environment jsdom
/** Defaults with more rows than a page can show without standing still. */
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { fields } from '../../../src/components/form/kinds/fields.tsx';
import { SchemaForm } from '../../../src/components/form/schema-form.tsx';

const text = { type: 'string' };
const words = (count: number) => Array.from({ length: count }, (_, index) => `word ${index}`);
const list = { type: 'array', items: text };
const listOfLists = { type: 'array', items: list };
const few = { ...list, default: ['a'] };
const toSchema = (many: object, more = {}) => ({ type: 'object', properties: { many, few }, ...more });

test.each<
  [what: string, schema: { readonly [key: string]: unknown }, value: unknown, defaultValue?: unknown]
>([
  ['in its schema', toSchema({ ...list, default: words(101) }), words(101)],
  ['in the schema of its group', toSchema(list, { default: { many: words(101) } }), words(101)],
  ['in the form', toSchema(list), words(101), { many: words(101) }],
  ['in nested lists', toSchema(listOfLists), Array(11).fill(words(20)), { many: Array(11).fill(words(20)) }],
  [
    'in a record',
    toSchema({ type: 'object', additionalProperties: text }),
    { ...words(101) },
    { many: { ...words(101) } },
  ],
])(
  'a list that starts with more than 100 rows is edited as JSON: given %s',
  async (_, schema, value, defaultValue) => {
    const onSubmit = vi.fn();
    render(<SchemaForm schema={schema} defaultValue={defaultValue} onSubmit={onSubmit} />);
    const json = screen.getByRole<HTMLTextAreaElement>('textbox', { name: /Many/ });
    expect(JSON.parse(json.value)).toEqual(value);
    expect(screen.getByRole('group', { name: /Few/ })).toBeTruthy();
    await userEvent.setup().click(screen.getByRole('button', { name: 'Send' }));
    expect(onSubmit).toHaveBeenCalledExactlyOnceWith({ many: value, few: ['a'] });
  },
);

test('a long list of secrets that is edited as JSON stays secret', () => {
  const secret = { kind: 'text', format: 'secret', label: '', required: true, secret: true } as const;
  const field = { kind: 'list', label: 'Keys', required: true, item: secret } as const;
  expect(fields.limit(field, words(101))).toMatchObject({ kind: 'json', secret: true });
  expect(fields.limit(field, words(100))).toBe(field);
});

test('nested groups are edited as JSON from the one on that the page cannot hold', () => {
  const group = { type: 'object', properties: Object.fromEntries(words(160).map((word) => [word, text])) };
  render(
    <SchemaForm schema={{ type: 'object', properties: { a: group, b: group, few } }} onSubmit={vi.fn()} />,
  );
  expect(screen.getByRole('group', { name: /^A/ })).toBeTruthy();
  expect(screen.queryByRole('group', { name: /^B/ })).toBeNull();
  expect(screen.getByRole('textbox', { name: /^B/ })).toHaveProperty('tagName', 'TEXTAREA');
  expect(screen.getByRole('group', { name: /Few/ })).toBeTruthy();
});
