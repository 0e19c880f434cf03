import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, fn, screen, userEvent, waitFor } from 'storybook/test';
import { Composer } from '../../src/components/composer/composer.tsx';

const meta = {
  title: 'Components/Composer',
  component: Composer,
  tags: ['autodocs'],
  args: { onSend: fn(), onStop: fn(), status: 'idle', placeholder: 'Ask anything' },
  argTypes: {
    status: { control: 'inline-radio', options: ['idle', 'streaming', 'awaiting-input', 'error'] },
    labels: { control: 'object' },
    attachments: { control: 'boolean' },
    children: { control: false },
    inputRef: { control: false },
    onUpload: { control: false },
  },
} satisfies Meta<typeof Composer>;
export default meta;

export const Live: StoryObj<typeof meta> = {
  play: async ({ args }) => {
    screen.getByRole('textbox', { name: 'Message' }).focus();
    await userEvent.keyboard('Hello{Enter}');
    await waitFor(() => expect(args.onSend).toHaveBeenCalledOnce());
  },
};
