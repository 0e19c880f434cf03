import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent } from 'storybook/test';
import { Transcript } from '../../src/components/transcript/transcript.tsx';
import { MarkdownText } from '../../src/markdown/markdown-text.tsx';
import { conversation } from '../support/example-conversation.ts';

const meta = {
  title: 'Components/Transcript',
  component: Transcript,
  tags: ['autodocs'],
  args: { messages: conversation, status: 'idle', renderers: { text: MarkdownText } },
  argTypes: {
    messages: { control: 'object' },
    status: { control: 'inline-radio', options: ['idle', 'streaming', 'awaiting-input', 'error'] },
    labels: { control: 'object' },
    renderers: { control: false },
    children: { control: false },
    empty: { control: 'text' },
  },
  decorators: [
    (Story) => (
      <div className="story-chat">
        <Story />
      </div>
    ),
  ],
} satisfies Meta<typeof Transcript>;
export default meta;

export const Live: StoryObj<typeof meta> = {
  play: async () => {
    await userEvent.tab();
    await expect(screen.getByRole('region', { name: 'Conversation' })).toHaveFocus();
  },
};
