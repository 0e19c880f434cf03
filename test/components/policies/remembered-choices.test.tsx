// @vitest-environment jsdom
import { act, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { RememberedChoices } from '../../../src/components.ts';
import { createRememberedChoices } from '../../../src/core.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { settled } from '../../support/scripted-chat.ts';

const ask = (toolName: string, args: object = {}) => ({ toolName, args, conversationId: 'c' });

async function setup() {
  const choices = createRememberedChoices({ storage: createMemoryStorage(), clock: createManualClock() });
  await choices.remember(ask('send-email'), { choice: 'allowed', scope: 'browser' });
  await choices.remember(ask('pay', { amount: 5 }), {
    choice: 'declined',
    scope: 'conversation',
    sameArguments: true,
  });
  const titleOf = (toolName: string) => (toolName === 'pay' ? 'Pay a bill' : undefined);
  render(<RememberedChoices choices={choices} titleOf={titleOf} />, { wrapper: StrictMode });
  await act(settled);
  return { choices, user: userEvent.setup() };
}

const rows = () => screen.getAllByRole('listitem');

test('remembered choices show tool, choice and duration, latest first', async () => {
  await setup();
  const [pay, email] = rows();
  expect(pay?.textContent).toMatch(
    /^Pay a bill Always declinesThis conversation, only the same amount, since .+Amount5Forget$/,
  );
  expect(email?.textContent).toMatch(/^Send email Always allowsThis browser, every call, since .+Forget$/);
});

test('a revoked choice asks again, is announced, and keeps the focus in the list', async () => {
  const { choices, user } = await setup();
  await user.click(screen.getByRole('button', { name: 'Forget the choice for Send email' }));
  await act(settled);
  expect(rows()).toHaveLength(1);
  expect(screen.getByRole('status').textContent).toBe('Send email will ask again.');
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Remembered choices' }));
  expect(await choices.recall(ask('send-email'))).toBeUndefined();
  expect(await choices.recall(ask('pay', { amount: 5 }))).toBe('declined');
});

test('revoking all choices empties the list', async () => {
  const { choices, user } = await setup();
  await user.click(screen.getByRole('button', { name: 'Forget all' }));
  await act(settled);
  expect(choices.getChoices()).toEqual([]);
  const region = screen.getByRole('region', { name: 'Remembered choices' });
  expect(region.textContent).toContain('Nothing is remembered yet.');
  expect(within(region).queryByRole('button')).toBeNull();
});

test('a choice remembered elsewhere appears in the list', async () => {
  const { choices } = await setup();
  await act(() => choices.remember(ask('read'), { choice: 'allowed', scope: 'browser' }));
  expect(rows()).toHaveLength(3);
});

test('a server renders an empty list of remembered choices', () => {
  const choices = createRememberedChoices({ storage: createMemoryStorage() });
  expect(renderToString(<RememberedChoices choices={choices} />)).toContain('Nothing is remembered yet.');
});
