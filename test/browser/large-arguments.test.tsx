/** An agent may send ten megabytes as arguments. What is not looked at is not laid out, and nothing is left out. */
import { render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import '../../src/styles.css';
import { ClientToolDialogs } from '../../src/components.ts';
import { createTestTool } from '../components/create-test-tool.ts';
import { untilArmed } from '../support/until-armed.ts';

const ask = async (args: object) => {
  const tools = [createTestTool({ args: { action: 'Run', ...args } })];
  render(<ClientToolDialogs tools={tools} />);
  await screen.findByRole('dialog');
};
const countElements = () => document.querySelectorAll('*').length;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

test.each<[string, object]>([
  ['a text of 10 MB', { text: 'word '.repeat(2_000_000) }],
  ['a line of 10 MB', { text: 'x'.repeat(10_000_000) }],
  ['a description of 10 MB', { description: 'word '.repeat(2_000_000) }],
  ['a title of 10 MB', { action: 'word '.repeat(2_000_000) }],
  ['a list of a million numbers', { list: numbers(1_000_000) }],
  [
    'an object of 100,000 entries',
    { entries: Object.fromEntries(numbers(100_000).map((index) => [`k${index}`, 1])) },
  ],
  ['100,000 arguments', Object.fromEntries(numbers(100_000).map((index) => [`k${index}`, 'v']))],
  ['lists in 1,000 lists', { lists: numbers(1_000).map(() => numbers(1_000)) }],
])('%s become few elements', async (_, args) => {
  await ask(args);
  expect(countElements()).toBeLessThan(400);
});

test('a text of 10 MB is there to its last character once it is opened, in pieces', async () => {
  const text = `${'word '.repeat(2_000_000)}end`;
  await ask({ text });
  await untilArmed();
  await userEvent.click(screen.getByRole('button', { name: 'Show all 10000003 characters' }));
  const opened = document.querySelector('.hr-long-text');
  // The first pieces only: the page answers between them.
  expect(opened?.textContent?.length).toBeLessThan(text.length);
  await waitFor(() => expect(opened?.textContent?.length).toBe(text.length), { timeout: 20_000 });
  expect(opened?.textContent?.endsWith('word end')).toBe(true);
}, 40_000);
