import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent, within } from 'storybook/test';
import {
  ConfirmationCard,
  type ConfirmationProps,
} from '../../src/components/confirmation/confirmation-dialog.tsx';
import { LiveCall, type LiveCallArgs, liveCallArgTypes } from '../support/live-call.tsx';
import { createStoryTool } from '../support/story-tool.ts';

const meta = {
  title: 'Components/ConfirmationCard',
  component: ConfirmationCard,
  tags: ['autodocs'],
  args: { call: 'Place order', tool: createStoryTool() },
  argTypes: liveCallArgTypes('Place order', 'Send email', 'Delete project', 'Book a table'),
  render: ({ call, ...props }) => (
    <LiveCall call={call}>{(tool) => <ConfirmationCard {...props} tool={tool} />}</LiveCall>
  ),
} satisfies Meta<ConfirmationProps & LiveCallArgs>;
export default meta;

export const Live: StoryObj<typeof meta> = {
  play: async () => {
    screen.getByRole('button', { name: 'Let the agent ask' }).focus();
    await userEvent.keyboard('{Enter}');
    const card = await screen.findByRole('region', { name: 'Place order' });
    within(card).getByRole('button', { name: 'Decline' }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(card).toHaveAttribute('data-outcome', 'declined');
    await expect(screen.getByText(/The agent heard/)).toHaveTextContent('The agent heard: declined');
  },
};
