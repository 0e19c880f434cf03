import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen } from 'storybook/test';
import { Notices } from '../../src/components/transcript/notices.tsx';
import { inColumn } from '../support/in-column.tsx';

const meta = {
  title: 'Components/Notices',
  component: Notices,
  decorators: [inColumn],
  tags: ['autodocs'],
  args: {
    notices: [
      { code: 'slow', text: 'The model answers slowly today.' },
      { code: 'trimmed', text: 'The beginning of this conversation is no longer sent.' },
    ],
    limit: 3,
  },
  argTypes: { notices: { control: 'object' } },
} satisfies Meta<typeof Notices>;
export default meta;

export const Live: StoryObj<typeof meta> = {
  play: async () => {
    await expect(screen.getByRole('log', { name: 'Notices' }).children).toHaveLength(2);
  },
};
