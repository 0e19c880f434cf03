/// <reference types="vite/client" />
/** A model or an MCP server writes texts that imitate the question around them. They stay text, in their place, spelled out. */
import { cleanup, render, screen, within } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import '../../src/styles.css';
import { ClientToolDialogs } from '../../src/components.ts';
import { AgentChatProvider } from '../../src/react/agent-chat-provider.tsx';
import { createTestTool, type TestToolOptions } from '../components/create-test-tool.ts';
import { scriptedChat } from '../support/scripted-chat.ts';
import { untilArmed } from '../support/until-armed.ts';

afterEach(async () => {
  cleanup();
  await page.viewport(1280, 800);
});

const BLANK = ' '.repeat(5_000);
const IMITATION = 'Shop assistant asks you · bank.example';
async function ask(options: TestToolOptions) {
  render(
    <AgentChatProvider chat={scriptedChat().chat} agentName="Travel agent">
      <ClientToolDialogs tools={[createTestTool(options)]} />
    </AgentChatProvider>,
  );
  return screen.findByRole('dialog');
}
const rows = (dialog: HTMLElement) =>
  [...dialog.querySelectorAll('.hr-entry')].map((entry) => [
    entry.querySelector('dt')?.textContent,
    entry.querySelector('.hr-entry-value')?.textContent,
  ]);
const textRects = (element: Element) => {
  const range = document.createRange();
  range.selectNodeContents(element);
  return [...range.getClientRects()];
};
const box = (element: Element | null | undefined) => (element as Element).getBoundingClientRect();

test('a title that imitates the strip is labelled as words of the agent, in one run of text below the real strip', async () => {
  const title = `Save the draft\n\n\n${IMITATION}\nConfirmed`;
  const dialog = await ask({ args: { title } });
  const strip = dialog.querySelector('.hr-strip');
  expect(strip?.textContent).toBe(`Travel agent on ${location.host} asks you`);
  const label = within(dialog).getByText('In the agent’s words');
  const heading = within(dialog).getByRole('heading');
  expect(label.nextElementSibling).toBe(heading);
  expect(box(heading).top).toBeGreaterThanOrEqual(box(strip).bottom);
  // Its line breaks are spaces.
  expect(heading.innerText).toBe(`Save the draft ${IMITATION} Confirmed`);
});

test('a description with blanks, line breaks and a fake foot stays a folded quote below what will run', async () => {
  const description = `Nothing happens.${'\n'.repeat(500)}Confirm   Decline`;
  const dialog = await ask({ args: { action: 'Pay', amount: 45, description } });
  const quote = dialog.querySelector('.hr-quote') as HTMLElement;
  expect(within(quote).getByText('The agent says')).toBeTruthy();
  expect(box(quote.querySelector('.hr-quote-text')).height).toBeLessThan(6.5 * 24);
  expect(box(quote).top).toBeGreaterThanOrEqual(box(dialog.querySelector('.hr-arguments')).bottom);
  expect(within(dialog).getAllByRole('button', { name: 'Confirm' })).toHaveLength(1);
  expect(within(dialog).getByRole('button', { name: /^Show all/ })).toBeTruthy();
});

test('the end of a description behind 5,000 blanks can be read in a row of its own', async () => {
  const dialog = await ask({ args: { action: 'Pay', description: `Pays Ada.${BLANK}And Eve.` } });
  const row = dialog.querySelector('.hr-entry') as HTMLElement;
  expect(row.querySelector('dt')?.textContent).toBe('Description');
  await untilArmed();
  await userEvent.click(within(row).getByRole('button', { name: 'Show all 5017 characters' }));
  expect(row.querySelector('.hr-long-text')?.textContent).toBe(`Pays Ada.${BLANK}And Eve.`);
});

test('HTML and Markdown in titles, descriptions, names and values are text', async () => {
  const html = '<button class="hr-button">Confirm</button>';
  const markdown = '**Confirmed** [x](https://evil.test) ![x](https://evil.test/x.png)';
  const dialog = await ask({
    args: { title: html, description: markdown, [html]: html, markdown },
  });
  expect(dialog.querySelectorAll('a, img, strong:not(.hr-strip *)')).toHaveLength(0);
  expect(within(dialog).getAllByRole('button', { name: 'Confirm' })).toHaveLength(1);
  expect(within(dialog).getByRole('heading').textContent).toBe(html);
  expect(rows(dialog).map(([, value]) => value)).toEqual([html, markdown]);
});

test('overrides of direction, hidden characters and fillers are spelled out in names, values, options and descriptions', async () => {
  const names = { 'rlo\u202Etnuoma': '\u202E0054', 'zero\u200Bwidth': 'pay\u00ADpal', filler: '\u3164' };
  const dialog = await ask({ args: { action: 'Pay \u2066x', description: '\u202Eonly', ...names } });
  expect(within(dialog).getByRole('heading').textContent).toBe('Pay \\u{2066}x');
  expect(dialog.querySelector('.hr-quote-text')?.textContent).toBe('\\u{202e}only');
  expect(rows(dialog)).toEqual([
    ['Rlo\\u{202e}tnuoma', '\\u{202e}0054'],
    ['Zero\\u{200b}width', 'pay\\u{ad}pal'],
    ['Filler', '\\u{3164}'],
  ]);
  cleanup();
  await ask({
    args: { title: 'To whom?', options: [{ value: 1, label: 'A\u202Ead', description: 'E\u200Bve' }] },
  });
  expect(screen.getByRole('radio', { name: 'A\\u{202e}ad' })).toBeTruthy();
  expect(screen.getByText('E\\u{200b}ve')).toBeTruthy();
});

test('names that look the same are told apart, and names of the prototype are shown with their values', async () => {
  const args = JSON.parse(
    '{"amount": "45", "Amount": "4500", "\u0430mount": "4", "confirmed": true, "__proto__": "p", "constructor": "c", "inside": {"__proto__": 1, "to": 2, "To": 3}}',
  );
  const dialog = await ask({ args, definition: { title: 'Pay' } });
  expect(rows(dialog)).toEqual([
    ['Amount ("amount")', '45'],
    ['Amount ("Amount")', '4500'],
    ['\\u{430}mount', '4'],
    ['Confirmed', 'Yes'],
    ['Proto', 'p'],
    ['Constructor', 'c'],
    ['Inside', 'Proto1To ("to")2To ("To")3'],
    ['Proto', '1'],
    ['To ("to")', '2'],
    ['To ("To")', '3'],
  ]);
});

test('arguments named like what the kit trusts change neither who asks nor the buttons', async () => {
  const names = ['agentName', 'host', 'origin', 'toolName', 'confirmLabel', 'severity', 'definition'];
  const args = Object.fromEntries(names.map((name) => [name, IMITATION]));
  const dialog = await ask({ args });
  expect(dialog.querySelector('.hr-strip')?.textContent).not.toContain('bank.example');
  expect(rows(dialog)).toHaveLength(names.length);
  expect(within(dialog).getByRole('button', { name: 'Confirm' })).toBeTruthy();
  expect(dialog.querySelector('.hr-severity')).toBeNull();
});

test.each([
  ['an emoji storm', '✅🔒'.repeat(80)],
  ['300 blanks', `45${' '.repeat(300)}00`],
  ['five line breaks', `45\n\n\n\n\nConfirm`],
  ['marks on marks', `45${'\u0336\u0300\u0316'.repeat(100)}`],
  ['one long word', 'W'.repeat(320)],
])('%s as a value stay inside of its row, on a phone', async (_, value) => {
  await page.viewport(390, 844);
  const dialog = await ask({ args: { action: 'Pay', amount: value, to: 'Eve' } });
  const [row, next] = dialog.querySelectorAll('.hr-entry');
  for (const rect of textRects(row?.querySelector('.hr-entry-value') as Element)) {
    expect(rect.bottom).toBeLessThanOrEqual(box(next).top + 1);
  }
  // The end of the value is in view.
  expect(textRects(row?.querySelector('.hr-entry-value') as Element).at(-1)?.left).toBeLessThan(
    box(row).right,
  );
  expect(row?.textContent).toContain(value.slice(-1) === '\u0316' ? '…' : value.slice(-2));
});
