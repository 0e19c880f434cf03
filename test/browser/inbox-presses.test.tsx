/// <reference types="vite/client" />
/** Presses on cards of the inbox that have just moved, with real pointers. */
import { render, screen, waitFor, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import '../../src/styles.css';
import { ClockContext } from '../../src/components/hooks/use-arming.ts';
import { PendingInbox } from '../../src/components/inbox/pending-inbox.tsx';
import { usePendingInbox } from '../../src/react/use-pending-inbox.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { createInboxRoute, createOpenCall, type InboxRoute } from '../../stories/support/inbox-route.ts';

const ask = (sessionId: string) =>
  createOpenCall(sessionId, {
    toolName: 'pay',
    args: {},
    question: { ui: 'confirm', title: `Pay ${sessionId}` },
  });

function Page({ route }: { route: InboxRoute }) {
  return <PendingInbox inbox={usePendingInbox(route.options)} />;
}

function renderInbox(route: InboxRoute) {
  const clock = createManualClock();
  render(
    <ClockContext.Provider value={clock}>
      <Page route={route} />
    </ClockContext.Provider>,
  );
  return clock;
}

const confirmIn = (title: string) =>
  within(screen.getByRole('region', { name: title })).getByRole('button', { name: 'Confirm' });

test('a double click answers one question and not the one that takes its place', async () => {
  const route = createInboxRoute([ask('A'), ask('B')]);
  const clock = renderInbox(route);
  await screen.findByRole('region', { name: 'Pay A' });

  await userEvent.click(confirmIn('Pay A'));
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Pay A' })).toBeNull());
  // The card of B is where that of A was.
  await userEvent.click(confirmIn('Pay B'));
  expect(route.answers).toMatchObject([{ sessionId: 'A' }]);

  await clock.advance(500);
  await userEvent.click(confirmIn('Pay B'));
  await waitFor(() => expect(route.answers).toMatchObject([{ sessionId: 'A' }, { sessionId: 'B' }]));
});

test('a key answers the next question at once, because the focus moves with the cards', async () => {
  const route = createInboxRoute([ask('A'), ask('B')]);
  renderInbox(route);
  await screen.findByRole('region', { name: 'Pay A' });

  confirmIn('Pay A').focus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Pay A' })).toBeNull());
  confirmIn('Pay B').focus();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(route.answers).toMatchObject([{ sessionId: 'A' }, { sessionId: 'B' }]));
});
