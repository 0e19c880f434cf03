import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent, waitFor } from 'storybook/test';
import {
  ConfirmationDialog,
  type ConfirmationProps,
} from '../../src/components/confirmation/confirmation-dialog.tsx';
import type { DialogFrameProps } from '../../src/components/primitives/dialog-frame.tsx';
import { LiveCall, type LiveCallArgs, liveCallArgTypes } from '../support/live-call.tsx';
import { createStoryTool } from '../support/story-tool.ts';

const meta = {
  title: 'Components/ConfirmationDialog',
  component: ConfirmationDialog,
  tags: ['autodocs'],
  args: { call: 'Place order', tool: createStoryTool() },
  argTypes: liveCallArgTypes('Place order', 'Send email', 'Delete project', 'Book a table'),
  render: ({ call, ...props }) => (
    <LiveCall call={call}>{(tool) => <ConfirmationDialog {...props} tool={tool} />}</LiveCall>
  ),
} satisfies Meta<ConfirmationProps & DialogFrameProps & LiveCallArgs>;
export default meta;

export const Live: StoryObj<typeof meta> = {
  play: async () => {
    const ask = screen.getByRole('button', { name: 'Let the agent ask' });
    ask.focus();
    await userEvent.keyboard('{Enter}');
    await screen.findByRole('dialog', { name: 'Place order' });
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(ask).toHaveFocus());
    await expect(await screen.findByRole('status')).toHaveTextContent('The agent heard: cancelled');
  },
};
