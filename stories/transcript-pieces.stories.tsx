import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent, waitFor } from 'storybook/test';
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

/** A green square. */
const PICTURE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR4nGMouTQbK2IYWhIA8rp4QVi+0ywAAAAASUVORK5CYII=';

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

/** The handler says how far it is: `context.report`. */
export const CallWithProgress: Story = {
  args: {
    part: {
      type: 'tool-call',
      toolCallId: 'call-1',
      toolName: 'import-rows',
      args: { sheet: 'Orders' },
      status: 'running',
      executedBy: 'client',
      progress: { done: 3, total: 8, text: 'Reading April' },
    },
  },
  play: async () => {
    await userEvent.tab();
    await expect(screen.getByText('Import rows').closest('summary')).toHaveFocus();
    await expect(screen.getByText('3 of 8')).toBeVisible();
    await expect(screen.getByText('Reading April')).toBeVisible();
  },
};

/** The handler has added files to its result: `context.addFile`. */
export const CallWithFiles: Story = {
  args: {
    part: {
      type: 'tool-call',
      toolCallId: 'call-1',
      toolName: 'take-screenshot',
      args: { page: 'Orders' },
      result: { taken: true },
      status: 'done',
      outcome: 'submitted',
      executedBy: 'client',
      files: [
        { id: 'f1', mediaType: 'image/png', url: PICTURE, filename: 'orders.png', size: 84_000 },
        {
          id: 'f2',
          mediaType: 'text/csv',
          url: 'https://files.example/orders.csv',
          filename: 'orders.csv',
          size: 1_200,
        },
      ],
    },
  },
  play: async () => {
    await userEvent.tab();
    // Chromium opens details with a key only if the key is real.
    await userEvent.click(screen.getByText('Take screenshot'));
    await waitFor(() => expect(screen.getByRole('link', { name: 'orders.csv' })).toBeVisible());
    await expect(screen.getByRole('list', { name: 'Files' }).querySelector('img')).toBeVisible();
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

export const OneNotice: Story = {
  render: () => (
    <>
      <Notices notices={[{ code: 'slow', text: 'The model answers slowly today.' }]} />
    </>
  ),
};

export const Dark: Story = { ...CallFailed, parameters: { theme: 'dark' } };
