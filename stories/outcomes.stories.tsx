import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent, waitFor } from 'storybook/test';
import { defineClientTool } from '../src/core.ts';
import type { ToolOutcome } from '../src/shared/tool-outcome.ts';
import { LiveChat } from './support/live-chat.tsx';

/** The eight outcomes of a call, each produced by the engine, and their texts in the transcript. */
const meta = {
  title: 'Outcomes',
  component: LiveChat,
  args: { tool: 'interactive', mode: 'modal' },
  tags: ['!autodocs'],
} satisfies Meta<typeof LiveChat>;
export default meta;

type Story = StoryObj<typeof meta>;

const confirmHasFocus = () =>
  waitFor(() => expect(screen.getByRole('button', { name: 'Confirm' })).toHaveFocus());

/** Waits for the only call of the transcript to end with this outcome. */
const ended = (outcome: ToolOutcome, word: string) =>
  waitFor(() => {
    const view = screen.getByText('Place order', { selector: 'summary *' }).closest('details');
    expect(view).toHaveAttribute('data-outcome', outcome);
    expect(view).toHaveTextContent(word);
    expect(screen.queryByRole('button', { name: 'Confirm' })).not.toBeInTheDocument();
  });

export const Submitted: Story = {
  play: async () => {
    await confirmHasFocus();
    await userEvent.keyboard('{Enter}');
    await ended('submitted', 'allowed by you');
  },
};

export const Declined: Story = {
  play: async () => {
    await confirmHasFocus();
    await userEvent.tab({ shift: true });
    await expect(screen.getByRole('button', { name: 'Decline' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await ended('declined', 'declined');
  },
};

export const Cancelled: Story = {
  play: async () => {
    await confirmHasFocus();
    await userEvent.keyboard('{Escape}');
    await ended('cancelled', 'cancelled');
  },
};

export const TimedOut: Story = {
  args: { tool: defineClientTool({ interactive: true, timeoutMs: 400 }) },
  play: () => ended('timed-out', 'timed out'),
};

/** The agent continues without the answer. */
export const Expired: Story = {
  args: { goesOn: true },
  play: () => ended('expired', 'expired'),
};

/** The person stops the agent. */
export const Aborted: Story = {
  args: { mode: 'inline' },
  play: async () => {
    await screen.findByRole('region', { name: 'Place order' });
    screen.getByRole('button', { name: 'Stop' }).focus();
    await userEvent.keyboard('{Enter}');
    await ended('aborted', 'stopped');
  },
};

/** The person sends a message instead of an answer. */
export const Superseded: Story = {
  args: { mode: 'inline' },
  play: async () => {
    await screen.findByRole('region', { name: 'Place order' });
    screen.getByRole('textbox', { name: 'Message' }).focus();
    await userEvent.keyboard('Make it three{Enter}');
    await ended('superseded', 'no longer needed');
  },
};

/** An automatic tool whose handler throws. */
export const Failed: Story = {
  args: {
    tool: () => {
      throw new Error('The till is closed');
    },
  },
  play: async () => {
    await ended('failed', 'failed');
    await userEvent.click(screen.getByText('Place order', { selector: 'summary *' }));
    await waitFor(() => expect(screen.getByText(/The till is closed/)).toBeVisible());
  },
};
