/** An agent may send 100 kB of anything. The page stands still while it is laid out, so few elements may come of it. */
import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import '../../src/styles.css';
import { ClientToolDialogs } from '../../src/components.ts';
import { Markdown } from '../../src/markdown.ts';
import { createTestTool } from '../components/create-test-tool.ts';

const words = (count: number) => Array.from({ length: count }, (_, index) => `o${index}`);
const options = { enum: words(15_000) };
const ask = async (properties: object) => {
  const args = { message: 'Check this.', requestedSchema: { type: 'object', properties } };
  render(<ClientToolDialogs tools={[createTestTool({ args })]} />);
  return screen.findByRole('dialog');
};
const countElements = () => document.querySelectorAll('*').length;

test('a list that starts with 100 kB is one JSON control of one line', async () => {
  const names = words(15_000);
  const dialog = await ask({ names: { type: 'array', items: { type: 'string' }, default: names } });
  const editor = within(dialog).getByRole<HTMLTextAreaElement>('textbox', { name: 'Names' });
  expect(JSON.parse(editor.value)).toEqual(names);
  expect(editor.value).not.toContain('\n');
});

test('a text of 1 MB is one control, which holds all of it', async () => {
  const text = 'word '.repeat(200_000);
  const dialog = await ask({ text: { type: 'string', default: text } });
  expect(within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'Text' }).value).toBe(text);
  expect(countElements()).toBeLessThan(200);
});

test('a text of 50,000 lines is JSON in one line, which the form reads back', async () => {
  const text = 'a\n'.repeat(50_000);
  const dialog = await ask({ text: { type: 'string', default: text } });
  const editor = within(dialog).getByRole<HTMLTextAreaElement>('textbox', { name: 'Text' });
  expect(editor.value).not.toContain('\n');
  expect(JSON.parse(editor.value)).toBe(text);
});

test('a choice of 100 kB draws 200 of its options', async () => {
  const dialog = await ask({ one: options });
  expect(within(dialog).getAllByRole('radio')).toHaveLength(201);
});

test('several picks of 100 kB draw the first of those that are picked', async () => {
  const dialog = await ask({
    several: { type: 'array', items: options, default: words(15_000).slice(5_000) },
  });
  expect(within(dialog).getAllByRole('checkbox')).toHaveLength(400);
  expect(within(dialog).getByRole('checkbox', { name: 'o5000' })).toBeChecked();
});

test('fields of 100 kB in groups become JSON where the page cannot hold them', async () => {
  const text = { type: 'string' };
  const group = { type: 'object', properties: Object.fromEntries(words(100).map((word) => [word, text])) };
  await ask(Object.fromEntries(words(20).map((word) => [word, group])));
  expect(countElements()).toBeLessThan(2_000);
});

test('Markdown of 100 kB becomes few elements', () => {
  render(<Markdown text={'> a\n\n'.repeat(20_000)} />);
  expect(countElements()).toBeLessThan(3_000);
});
