/** An agent may send 100 kB of anything. The page stands still while it is laid out, so few elements may come of it. */
import { render, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import '../../src/styles.css';
import { ClientToolDialogs } from '../../src/components.ts';
import { Markdown } from '../../src/markdown.ts';
import { createTestTool } from '../components/create-test-tool.ts';
import { untilArmed } from '../support/until-armed.ts';

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

test.each<[string, object, (value: string) => unknown]>([
  ['a text', { type: 'string' }, (text) => text],
  [
    'a list',
    { type: 'array', items: { type: 'string' } },
    (text) => [...Array.from({ length: 400 }, () => text.slice(0, 25_000)), 'word end'],
  ],
])(
  '%s of 10 MB is no control before the person changes it, and its value is whole',
  async (_, schema, toValue) => {
    const text = `${'word '.repeat(2_000_000)}end`;
    const args = {
      message: 'Check this.',
      requestedSchema: { type: 'object', properties: { text: { ...schema, default: toValue(text) } } },
    };
    const tool = createTestTool({ args });
    render(<ClientToolDialogs tools={[tool]} />);
    const dialog = await screen.findByRole('dialog');
    expect(dialog.querySelector('textarea, input')).toBeNull();
    expect(dialog.textContent?.length).toBeLessThan(5_000);
    expect(within(dialog).getByRole('button', { name: /^Show all 1000\d{4} characters/ })).toBeTruthy();
    expect(within(dialog).getByRole('button', { name: 'Change Text' })).toBeTruthy();
    await untilArmed();
    await userEvent.click(within(dialog).getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(tool.submit).toHaveBeenCalledOnce());
    expect(JSON.stringify(tool.submit.mock.calls[0])).toContain('word end');
  },
  40_000,
);

test('a text that is too long for a control is changed in one, which has the focus', async () => {
  const text = 'word '.repeat(200_001);
  const dialog = await ask({ text: { type: 'string', default: text } });
  await untilArmed();
  within(dialog).getByRole('button', { name: 'Change Text' }).focus();
  await userEvent.keyboard('{Enter}');
  const control = within(dialog).getByRole<HTMLInputElement>('textbox', { name: 'Text' });
  expect(control.value).toBe(text);
  expect(document.activeElement).toBe(control);
}, 40_000);

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

test('an option of 100 kB is cut, and its value is whole', async () => {
  const label = 'word '.repeat(20_000);
  const tool = createTestTool({ args: { title: 'Pick', options: [label, 'Other'] } });
  render(<ClientToolDialogs tools={[tool]} />);
  await untilArmed();
  const [first] = screen.getAllByRole('radio');
  expect(first?.parentElement?.textContent?.length).toBeLessThan(310);
  await userEvent.click(first as HTMLElement);
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(tool.submit.mock.calls).toEqual([[{ selected: label }]]));
});
