/// <reference types="vite/client" />
/** A double click on the answer of one question, with the next question of the queue under the same pointer. */
import { render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { cdp, userEvent } from 'vitest/browser';
import '../../src/styles.css';
import { ClientToolDialogs } from '../../src/components/client-tools/client-tool-dialogs.tsx';
import { createTestTool } from '../components/create-test-tool.ts';
import { untilArmed } from '../support/until-armed.ts';

const setMotion = (value: 'reduce' | 'no-preference') =>
  cdp().send('Emulation.setEmulatedMedia', { features: [{ name: 'prefers-reduced-motion', value }] });

afterEach(() => setMotion('no-preference'));

test('a double click answers one question and not the next', async () => {
  await setMotion('reduce');
  const question = (toolCallId: string) =>
    createTestTool({ toolCallId, args: { title: `Place order ${toolCallId}` } });
  const [first, second] = [question('A'), question('B')];
  render(<ClientToolDialogs tools={[first, second]} />);
  await screen.findByRole('dialog', { name: 'Place order A' });
  const confirm = () => screen.getByRole('button', { name: 'Confirm' });

  await untilArmed();
  await userEvent.dblClick(confirm());
  expect(first.submit).toHaveBeenCalledTimes(1);
  expect(screen.getByRole('dialog', { name: 'Place order B' })).toBeTruthy();
  expect(second.submit).not.toHaveBeenCalled();

  await untilArmed();
  await userEvent.click(confirm());
  expect(second.submit.mock.calls).toEqual([[{ confirmed: true }]]);
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
