import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent, within } from 'storybook/test';
import { PendingInbox, type PendingInboxProps } from '../src/components/inbox/pending-inbox.tsx';
import { de } from '../src/locales-de.ts';
import { usePendingInbox } from '../src/react/use-pending-inbox.ts';
import { inColumn } from './support/in-column.tsx';
import {
  CONVERSATIONS,
  createExampleCalls,
  createInboxRoute,
  type InboxRoute,
} from './support/inbox-route.ts';

function Inbox({ route, ...props }: Omit<PendingInboxProps, 'inbox'> & { route: InboxRoute }) {
  return (
    <PendingInbox
      {...props}
      titleOf={({ sessionId }) => CONVERSATIONS[sessionId]}
      inbox={usePendingInbox(route.options)}
    />
  );
}

/** The open questions of a person over conversations, answered without opening any of them. */
const meta = {
  title: 'Inbox',
  component: Inbox,
  decorators: [inColumn],
  args: { route: createInboxRoute([]) },
} satisfies Meta<typeof Inbox>;
export default meta;

type Story = StoryObj<typeof meta>;

/** A route that is made for each run of a story, because its calls are answered. */
const withRoute = (createRoute: () => InboxRoute): Pick<Story, 'loaders' | 'render'> => ({
  loaders: [async () => ({ route: createRoute() })],
  render: (args, { loaded }) => <Inbox {...args} route={loaded.route as InboxRoute} />,
});

const answersOf = (loaded: Record<string, unknown>) => (loaded.route as InboxRoute).answers;

export const Waiting: Story = {
  ...withRoute(() => createInboxRoute(createExampleCalls())),
  play: async () => {
    await expect(await screen.findAllByRole('listitem', { name: /since/ })).toHaveLength(3);
    await expect(screen.getByRole('timer')).toHaveTextContent(/^(9:00|8:5\d)$/);
    await expect(screen.getByRole('status')).toHaveTextContent('3 questions need your answer');
  },
};

export const AnsweredByKeyboard: Story = {
  ...withRoute(() => createInboxRoute(createExampleCalls())),
  play: async ({ loaded }) => {
    (await screen.findByRole('textbox', { name: 'Street' })).focus();
    await userEvent.keyboard('Rua do Alecrim 12{Enter}');
    await expect(await screen.findAllByRole('listitem', { name: /since/ })).toHaveLength(2);
    await expect(screen.getByRole('listitem', { name: /^Office move/ })).toHaveFocus();
    await userEvent.tab();
    await userEvent.tab();
    await userEvent.keyboard('3{Enter}');
    await expect(answersOf(loaded)).toMatchObject([
      { sessionId: 'delivery', toolResults: [{ result: { street: 'Rua do Alecrim 12' } }] },
      { sessionId: 'survey', toolResults: [{ result: { selected: 'In the quiet room' } }] },
    ]);
  },
};

/** The question stays as it is until the server has the answer. */
export const Sending: Story = {
  ...withRoute(() =>
    createInboxRoute(createExampleCalls().slice(0, 1), (method) =>
      method === 'POST' ? new Promise<Response>(() => {}) : undefined,
    ),
  ),
  play: async () => {
    const card = await screen.findByRole('region', { name: 'Refund order 7' });
    within(card).getByRole('button', { name: 'Pay the refund' }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(await within(card).findByRole('button', { name: 'Sending…' })).toBeVisible();
    await expect(within(card).getByRole('button', { name: 'Decline' })).toBeDisabled();
  },
};

export const Empty: Story = {
  ...withRoute(() => createInboxRoute([])),
  play: async () => {
    await expect(await screen.findByText('No question is waiting for you.')).toBeVisible();
  },
};

export const Loading: Story = {
  ...withRoute(() => createInboxRoute([], () => new Promise(() => {}))),
  play: async () => {
    await expect(await screen.findByText('Loading your questions…')).toBeVisible();
  },
};

export const Failed: Story = {
  ...withRoute(() =>
    createInboxRoute([], () => Response.json({ error: 'Sign in.', code: 'unauthorized' }, { status: 401 })),
  ),
  play: async () => {
    await expect(await screen.findByText('Your questions could not be loaded.')).toBeVisible();
    await expect(screen.getByRole('button', { name: 'Try again' })).toBeEnabled();
  },
};

export const Refused: Story = {
  ...withRoute(() =>
    createInboxRoute(createExampleCalls(), (method) =>
      method === 'POST'
        ? Response.json({ error: 'The finance team answers this.', code: 'not_allowed' }, { status: 403 })
        : undefined,
    ),
  ),
  play: async () => {
    const card = await screen.findByRole('region', { name: 'Refund order 7' });
    within(card).getByRole('button', { name: 'Pay the refund' }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(await screen.findByText('The finance team answers this.')).toBeVisible();
    await expect(screen.getByRole('listitem', { name: /^Order 7 arrived broken/ })).toHaveFocus();
  },
};

export const Dark: Story = { ...Waiting, parameters: { theme: 'dark' } };

export const Phone: Story = { ...Waiting, globals: { viewport: { value: 'phone' } } };

export const German: Story = {
  ...withRoute(() => createInboxRoute(createExampleCalls())),
  args: { labels: de },
  play: async () => {
    await expect(await screen.findByRole('list', { name: 'Wartet auf Sie' })).toBeVisible();
    await expect(screen.getAllByRole('listitem', { name: /seit \d+\.\d+\.\d+, \d+:\d+/ })).toHaveLength(3);
  },
};
