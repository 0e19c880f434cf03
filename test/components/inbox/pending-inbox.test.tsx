// @vitest-environment jsdom
import { Blob } from 'node:buffer';
import { act, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { StrictMode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ClockContext } from '../../../src/components/hooks/use-arming.ts';
import { PendingInbox, type PendingInboxProps } from '../../../src/components.ts';
import { type PendingInboxOptions, usePendingInbox } from '../../../src/react/use-pending-inbox.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createInboxServer, type InboxServer } from '../../core/inbox/inbox-server.ts';
import { settle } from '../../server/support.ts';

// The route of the server runs in the page of the test, whose Blob has no bytes to read.
beforeEach(() => {
  vi.stubGlobal('Blob', Blob);
});
afterEach(() => {
  vi.unstubAllGlobals();
});

function Page({ options, ...props }: { options: PendingInboxOptions } & Omit<PendingInboxProps, 'inbox'>) {
  return <PendingInbox {...props} inbox={usePendingInbox(options)} />;
}

const optionsFor = (server: InboxServer): PendingInboxOptions => ({
  url: 'http://localhost/inbox',
  fetch: server.fetch,
  clock: server.clock,
  clientTools: { ask: 'interactive' },
});

async function open(server: InboxServer, props: Omit<PendingInboxProps, 'inbox'> = {}) {
  const user = userEvent.setup();
  const view = render(<Page options={optionsFor(server)} {...props} />, { wrapper: StrictMode });
  await act(settle);
  return { user, view };
}

/** Lets the server gather its saves, and the page show the list. */
const follow = (server: InboxServer) =>
  act(async () => {
    await settle();
    await server.clock.advance(50);
    await settle();
  });

const entries = () => within(screen.getByRole('list', { name: 'Waiting for you' })).getAllByRole('listitem');
const card = (name: string) => screen.getByRole('region', { name });
const spoken = () => screen.getByRole('status').textContent;
const titled = (title: string) => ({ args: { title, total: '80 EUR' } });

test('an inbox is loading, then has a card for each question below the conversation that asks it', async () => {
  const server = createInboxServer();
  await server.ask('a', titled('Refund order 7'));
  await server.ask('b', {
    toolName: 'refund',
    question: {
      ui: 'form',
      title: 'Why?',
      outputSchema: { type: 'object', properties: { reason: { type: 'string' } } },
    },
  });
  render(
    <Page
      options={optionsFor(server)}
      titleOf={({ sessionId }) => (sessionId === 'a' ? 'Support 7' : undefined)}
    />,
  );
  expect(screen.getByText('Loading your questions…')).toBeTruthy();
  await act(settle);
  expect(screen.queryByText('Loading your questions…')).toBeNull();
  const [first, second] = entries();
  expect(first?.textContent).toMatch(/^Support 7for Adasince .*Refund order 7.*80 EUR/);
  expect(second?.textContent).toMatch(/^Conversation bfor Adasince .*Why\?/);
  expect(within(card('Why?')).getByRole('textbox', { name: /Reason/ })).toBeTruthy();
  expect(first?.querySelector('time')?.dateTime).toBe(new Date(server.clock.now()).toISOString());
});

const paid = () => ({
  toolName: 'refund',
  args: { order: 4711, amount: 89 },
  question: {
    ui: 'confirm' as const,
    title: 'Refund',
    inputSchema: {
      type: 'object',
      properties: {
        order: { type: 'integer' },
        amount: { type: 'number', emphasis: true, format: 'currency', currency: 'EUR' },
      },
    },
  },
});
const valueIn = (entry: Element | undefined) =>
  entry?.querySelector('.hr-inbox-origin .hr-main-value')?.textContent;

test('a row has the main value of its question, as the question and the transcript have it', async () => {
  const server = createInboxServer();
  await server.ask('a', paid());
  await server.ask('b', titled('Without a main value'));
  await open(server);
  const [first, second] = entries();
  expect(valueIn(first)).toBe('€89.00');
  expect(valueIn(second)).toBeUndefined();
  expect(within(card('Refund')).getByRole('button', { name: 'Confirm €89.00' })).toBeTruthy();
});

test('a row has no main value where its schema names none', async () => {
  const server = createInboxServer();
  const { question, ...refund } = paid();
  await server.ask('a', {
    ...refund,
    question: { ...question, inputSchema: { type: 'object', properties: {} } },
  });
  await open(server);
  expect(valueIn(entries()[0])).toBeUndefined();
  expect(within(card('Refund')).getByRole('button', { name: 'Confirm' })).toBeTruthy();
});

test('an empty inbox says that no question waits', async () => {
  await open(createInboxServer());
  expect(screen.getByText('No question is waiting for you.')).toBeTruthy();
  expect(screen.queryByRole('list')).toBeNull();
});

test('the keyboard answers a question, and the focus goes on to the next one and then to the inbox', async () => {
  const server = createInboxServer();
  await server.ask('a', titled('First'));
  await server.ask('b', titled('Second'));
  const { user } = await open(server);
  within(card('First')).getByRole('button', { name: 'Confirm' }).focus();
  await user.keyboard('{Enter}');
  await act(settle);
  expect(screen.queryByRole('region', { name: 'First' })).toBeNull();
  expect(await server.answersOf('a')).toMatchObject([{ result: { confirmed: true } }]);
  expect(document.activeElement).toBe(entries()[0]);
  expect(spoken()).toBe('1 question needs your answer');
  await user.tab();
  expect(card('Second').contains(document.activeElement)).toBe(true);
  within(card('Second')).getByRole('button', { name: 'Decline' }).focus();
  await user.keyboard('{Enter}');
  await act(settle);
  expect(await server.answersOf('b')).toMatchObject([{ result: { outcome: 'declined', confirmed: false } }]);
  expect(screen.getByText('No question is waiting for you.')).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Waiting for you' }));
});

test('a card whose answer is on its way is closed, and the pressed button says so after 300 ms', async () => {
  const server = createInboxServer();
  await server.ask('a', titled('First'));
  const clock = createManualClock();
  const user = userEvent.setup();
  render(
    <ClockContext.Provider value={clock}>
      <Page options={optionsFor(server)} />
    </ClockContext.Provider>,
  );
  await act(settle);
  server.onRequest = ({ method }) => (method === 'POST' ? new Promise<undefined>(() => {}) : undefined);
  await user.click(within(card('First')).getByRole('button', { name: 'Confirm' }));
  await act(settle);
  expect(entries()[0]?.dataset.status).toBe('sending');
  const yes = within(card('First')).getByRole('button', { name: 'Confirm' });
  expect(yes.closest('fieldset')?.disabled).toBe(true);
  expect(yes.textContent).toBe('Confirm');
  await act(() => clock.advance(300));
  expect(yes.textContent).toBe('Sending…');
  expect(within(card('First')).getByRole('button', { name: 'Decline' })).toBeTruthy();
  expect(screen.queryByText('Confirmed')).toBeNull();
});

test('only the button that was pressed last says that its answer is on its way', async () => {
  const server = createInboxServer();
  await server.ask('a', titled('First'));
  const clock = createManualClock();
  const user = userEvent.setup();
  render(
    <ClockContext.Provider value={clock}>
      <Page options={optionsFor(server)} />
    </ClockContext.Provider>,
  );
  await act(settle);
  server.onRequest = ({ method }) => (method === 'POST' ? new Promise<undefined>(() => {}) : undefined);
  await user.click(within(card('First')).getByRole('button', { name: 'Decline' }));
  await act(settle);
  await act(() => clock.advance(300));
  const names = within(card('First'))
    .getAllByRole('button')
    .map(({ textContent }) => textContent);
  expect(names).toEqual(['Add a note', 'Sending…', 'Confirm']);
});

test('a question that arrives is announced, and so is one that somebody else answers', async () => {
  const server = createInboxServer();
  await server.ask('a', titled('First'));
  await open(server);
  expect(spoken()).toBe('1 question needs your answer');
  await server.ask('b', titled('Second'));
  await follow(server);
  expect(spoken()).toBe('2 questions need your answer');
  await server.answerElsewhere('a');
  await follow(server);
  expect(spoken()).toBe(
    '“First” was answered by somebody else, or its time is over. 1 question needs your answer',
  );
  expect(entries()).toHaveLength(1);
});

test('a refused answer opens the card again with the reason and the text that was typed', async () => {
  const server = createInboxServer();
  await server.ask('a', {
    args: { title: 'Why?', fields: [{ name: 'reason', label: 'Reason', type: 'text' }] },
  });
  const { user } = await open(server);
  server.onRequest = ({ method }) =>
    method === 'POST'
      ? Response.json({ error: 'The support team answers this.', code: 'not_allowed' }, { status: 403 })
      : undefined;
  await user.type(screen.getByRole('textbox', { name: /Reason/ }), 'Broken');
  await user.keyboard('{Enter}');
  await act(settle);
  expect(entries()[0]?.textContent).toContain('This answer was not accepted:The support team answers this.');
  expect(spoken()).toContain('This answer was not accepted: The support team answers this.');
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /Reason/ }).value).toBe('Broken');
  expect(document.activeElement).toBe(entries()[0]);
  server.onRequest = () => undefined;
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await act(settle);
  expect(await server.answersOf('a')).toMatchObject([{ result: { reason: 'Broken' } }]);
});

test('a question that somebody else answers while this person types stays until it is closed', async () => {
  const server = createInboxServer();
  await server.ask('a', {
    args: { title: 'Why?', fields: [{ name: 'reason', label: 'Reason', type: 'text' }] },
  });
  const { user } = await open(server);
  await user.type(screen.getByRole('textbox', { name: /Reason/ }), 'Half a sen');
  await server.answerElsewhere('a');
  await follow(server);
  expect(card('Why?').textContent).toContain(
    'The agent no longer waits: it was stopped, or the time was up. Nothing was sent.',
  );
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /Reason/ }).value).toBe('Half a sen');
  await user.click(within(card('Why?')).getByRole('button', { name: 'Close' }));
  expect(screen.queryByRole('region', { name: 'Why?' })).toBeNull();
  expect(screen.getByText('No question is waiting for you.')).toBeTruthy();
});

test('an inbox that could not be loaded says why, and a button tries again', async () => {
  const server = createInboxServer();
  await server.ask('a', titled('First'));
  server.onRequest = () => Response.json({ error: 'Sign in.', code: 'unauthorized' }, { status: 401 });
  const { user } = await open(server);
  const text = 'Your questions could not be loaded.';
  expect(screen.getByText(text)).toBeTruthy();
  expect(spoken()).toContain(text);
  server.onRequest = () => undefined;
  await user.click(screen.getByRole('button', { name: 'Try again' }));
  await act(settle);
  expect(screen.queryByText(text)).toBeNull();
  expect(entries()).toHaveLength(1);
});

test('a question whose component throws stays open for other people, and the person is told', async () => {
  const report = vi.fn();
  vi.stubGlobal('reportError', report);
  vi.spyOn(console, 'error').mockImplementation(() => {});
  const server = createInboxServer();
  await server.ask('a');
  const broken = () => {
    throw new Error('no such element');
  };
  render(
    <Page options={{ ...optionsFor(server), clientTools: { ask: { interactive: true, ui: broken } } }} />,
  );
  await act(settle);
  expect(entries()[0]?.textContent).toContain('The question from Ask could not be shown here.');
  expect(report).toHaveBeenCalledWith(new Error('no such element'));
  expect(server.requests).toEqual(['GET stream']);
});

test('the time left to answer is shown, and the question leaves when it is over', async () => {
  const server = createInboxServer();
  await server.ask('a', { ...titled('First'), deadline: server.clock.now() + 90_000 });
  await open(server);
  expect(within(card('First')).getByRole('timer').textContent).toMatch(/^1:(30|29)$/);
  await act(() => server.clock.advance(90_000));
  expect(screen.queryByRole('region', { name: 'First' })).toBeNull();
});

test('more questions than the list has are announced below it', async () => {
  const server = createInboxServer();
  for (let index = 0; index < 51; index += 1) await server.ask(`s-${index}`, titled(`Question ${index}`));
  await open(server);
  expect(entries()).toHaveLength(50);
  expect(screen.getByText('More questions follow when these are answered.')).toBeTruthy();
});
