import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen } from 'storybook/test';
import { ConnectionStatus } from '../../src/components/transcript/connection-status.tsx';
import { inColumn } from '../support/in-column.tsx';

const meta = {
  title: 'Components/ConnectionStatus',
  component: ConnectionStatus,
  decorators: [inColumn],
  tags: ['autodocs'],
  args: { state: 'reconnecting' },
  argTypes: {
    state: {
      control: 'inline-radio',
      options: ['disconnected', 'connecting', 'connected', 'reconnecting', 'error'],
    },
  },
} satisfies Meta<typeof ConnectionStatus>;
export default meta;

export const Live: StoryObj<typeof meta> = {
  play: async () => {
    await expect(screen.getByRole('status')).toHaveAttribute('data-state', 'reconnecting');
  },
};
