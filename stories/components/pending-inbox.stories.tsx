import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent, waitFor, within } from 'storybook/test';
import { PendingInbox, type PendingInboxProps } from '../../src/components/inbox/pending-inbox.tsx';
import { usePendingInbox } from '../../src/react/use-pending-inbox.ts';
import { inColumn } from '../support/in-column.tsx';
import {
  CONVERSATIONS,
  createExampleCalls,
  createInboxRoute,
  type InboxRoute,
} from '../support/inbox-route.ts';

function LiveInbox({ route, ...props }: Omit<PendingInboxProps, 'inbox'> & { route: InboxRoute }) {
  return <PendingInbox {...props} inbox={usePendingInbox(route.options)} />;
}

const meta = {
  title: 'Components/PendingInbox',
  component: PendingInbox,
  decorators: [inColumn],
  tags: ['autodocs'],
  args: {
    inbox: {
      calls: [],
      status: 'ready',
      error: null,
      hasMore: false,
      refresh: () => {},
      dismiss: () => {},
    },
    titleOf: ({ sessionId }) => CONVERSATIONS[sessionId],
  },
  argTypes: { inbox: { control: false }, labels: { control: 'object' } },
  loaders: [async () => ({ route: createInboxRoute(createExampleCalls()) })],
  render: ({ inbox: _, ...args }, { loaded }) => <LiveInbox {...args} route={loaded.route as InboxRoute} />,
} satisfies Meta<typeof PendingInbox>;
export default meta;

export const Live: StoryObj<typeof meta> = {
  play: async ({ loaded }) => {
    const card = await screen.findByRole('region', { name: 'Refund order 7' });
    within(card).getByRole('button', { name: 'Pay the refund' }).focus();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(screen.getAllByRole('listitem', { name: /since/ })).toHaveLength(2));
    await expect((loaded.route as InboxRoute).answers).toMatchObject([
      { sessionId: 'refund', toolResults: [{ result: { confirmed: true } }] },
    ]);
  },
};
