import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent } from 'storybook/test';
import { ToolCallView } from '../../src/components/transcript/tool-call-view.tsx';
import { weatherCall } from '../support/example-conversation.ts';
import { inColumn } from '../support/in-column.tsx';

const ADA = { id: 'ada', name: 'Ada Lovelace' };
const refund = {
  type: 'tool-call',
  toolCallId: 'call-1',
  toolName: 'refund',
  args: { orderId: '4711', amount: 80 },
  executedBy: 'server',
} as const;

const meta = {
  title: 'Components/ToolCallView',
  component: ToolCallView,
  decorators: [inColumn],
  tags: ['autodocs'],
  args: {
    part: weatherCall,
    waiting: false,
  },
  argTypes: { part: { control: 'object' } },
} satisfies Meta<typeof ToolCallView>;
export default meta;

export const Live: StoryObj<typeof meta> = {
  play: async () => {
    await userEvent.tab();
    await expect(screen.getByText('Get weather').closest('summary')).toHaveFocus();
  },
};

/** The backend shows the call by its title alone, so there is nothing to open. */
export const TitleOnly: StoryObj<typeof meta> = {
  args: { part: { ...weatherCall, displayName: 'Looking at the sky', display: 'title' } },
  play: async () => {
    await expect(screen.getByText('Looking at the sky')).toBeVisible();
    await expect(document.querySelector('.hr-call-body')).toBeEmptyDOMElement();
  },
};

/** Other people have to answer, so this page has no dialog for the call. */
export const WaitsForOthers: StoryObj<typeof meta> = {
  args: { part: { ...refund, status: 'running', waitsFor: 'the support team' } },
  play: async () => {
    await expect(screen.getByText('waits for the support team')).toBeVisible();
  },
};

/** Somebody allowed the call on another device, and the server ran it. */
export const AllowedByOthers: StoryObj<typeof meta> = {
  args: {
    part: { ...refund, status: 'done', outcome: 'submitted', result: { payment: 'p-1' }, answeredBy: ADA },
  },
  play: async () => {
    await expect(screen.getByText('allowed by Ada Lovelace')).toBeVisible();
  },
};

export const DeclinedByOthers: StoryObj<typeof meta> = {
  args: {
    part: {
      ...refund,
      status: 'done',
      outcome: 'declined',
      result: { outcome: 'declined', reason: 'the order is too old' },
      answeredBy: ADA,
    },
  },
  play: async () => {
    await expect(screen.getByText('declined by Ada Lovelace: the order is too old')).toBeVisible();
  },
};
