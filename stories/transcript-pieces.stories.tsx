import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent, waitFor } from 'storybook/test';
import { ConnectionStatus } from '../src/components/transcript/connection-status.tsx';
import { Notices } from '../src/components/transcript/notices.tsx';
import { ToolCallView } from '../src/components/transcript/tool-call-view.tsx';
import { searchCall, weatherCall } from './support/example-conversation.ts';
import { inColumn } from './support/in-column.tsx';

const meta = {
  title: 'Transcript pieces',
  component: ToolCallView,
  decorators: [inColumn],
  args: {
    part: weatherCall,
  },
  parameters: { docs: { story: { inline: true } } },
} satisfies Meta<typeof ToolCallView>;
export default meta;

type Story = StoryObj<typeof meta>;

export const Call: Story = {
  play: async () => {
    await userEvent.tab();
    await expect(screen.getByText('Get weather').closest('summary')).toHaveFocus();
    await userEvent.click(screen.getByText('Get weather'));
    await waitFor(() => expect(screen.getByText('clear')).toBeVisible());
  },
};

export const CallWaiting: Story = {
  args: {
    part: {
      type: 'tool-call',
      toolCallId: 'call-1',
      toolName: 'place-order',
      args: { cups: 2 },
      status: 'running',
    },
    waiting: true,
  },
};

export const CallFailed: Story = {
  args: {
    part: {
      type: 'tool-call',
      toolCallId: 'call-1',
      toolName: 'get-weather',
      args: { city: 'Graz' },
      error: 'The service did not answer',
      status: 'error',
      outcome: 'timed-out',
    },
  },
};

/** The provider of the model ran the tool: the card lists its steps, the pages it read and what it made. */
export const CallOfProvider: Story = {
  args: { part: searchCall },
  play: async () => {
    await userEvent.click(screen.getByText('Web search'));
    await waitFor(() => expect(screen.getByRole('link', { name: 'Trains to Graz' })).toBeVisible());
    await expect(screen.getByText('quiet trains Vienna Graz')).toBeVisible();
  },
};

export const CallOfProviderDark: Story = { ...CallOfProvider, parameters: { theme: 'dark' } };

export const ConnectionAndNotices: Story = {
  render: () => (
    <>
      <ConnectionStatus state="reconnecting" />
      <Notices notices={[{ code: 'slow', text: 'The model answers slowly today.' }]} />
    </>
  ),
};

export const Dark: Story = { ...CallFailed, parameters: { theme: 'dark' } };
