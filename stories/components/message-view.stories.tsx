import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent } from 'storybook/test';
import { MessageView } from '../../src/components/transcript/message-view.tsx';
import { message, text, weatherCall } from '../support/example-conversation.ts';
import { inColumn } from '../support/in-column.tsx';

const meta = {
  title: 'Components/MessageView',
  component: MessageView,
  decorators: [inColumn],
  tags: ['autodocs'],
  args: {
    message: message('1', 'assistant', [
      { type: 'reasoning', text: 'They ask for tomorrow, so I need the forecast.', status: 'done' },
      text('I look at the forecast.'),
      weatherCall,
      text('Take the morning train: it stays dry until noon.'),
    ]),
    waiting: [],
  },
  argTypes: { message: { control: 'object' }, waiting: { control: 'object' } },
  render: (args) => (
    <div className="story-column">
      <MessageView {...args} />
    </div>
  ),
} satisfies Meta<typeof MessageView>;
export default meta;

type Story = StoryObj<typeof meta>;

export const Live: Story = {
  play: async () => {
    await expect(screen.getByRole('article', { name: 'Agent' })).toHaveAttribute('data-status', 'done');
    await userEvent.tab();
    await expect(screen.getByText('Thought about it')).toHaveFocus();
    await userEvent.tab();
    await expect(screen.getByText('Get weather').closest('summary')).toHaveFocus();
  },
};

/** The person pressed Stop: the text so far stays, and the message says that it was stopped. */
export const Stopped: Story = {
  args: { message: { ...message('1', 'assistant', [text('Take the morning')]), ending: 'stopped' } },
  play: async () => {
    await expect(screen.getByRole('article')).toHaveTextContent('Take the morningStopped');
  },
};
