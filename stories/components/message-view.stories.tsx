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

/** An agent that the agent started: a call in the answer, and its own parts below its name. */
export const Worker: Story = {
  args: {
    message: message('1', 'assistant', [
      {
        type: 'todo',
        todos: [
          { id: '1', content: 'Find the trains', status: 'completed' },
          { id: '2', content: 'Compare their prices', status: 'in_progress' },
          { id: '3', content: 'Book a seat', status: 'pending' },
          { id: '4', content: 'Ask for a bicycle place', status: 'cancelled' },
        ],
      },
      {
        type: 'tool-call',
        toolCallId: 'w1',
        toolName: 'price-finder',
        displayName: 'Comparing prices',
        args: { from: 'Vienna', to: 'Graz' },
        status: 'running',
      },
      { type: 'reasoning', text: 'Three trains run in the morning.', status: 'done', thread: 'w1' },
      { type: 'text', text: 'The 08:25 costs 29 €, the others 34 €.', status: 'done', thread: 'w1' },
      text('I compare the prices now.'),
    ]),
  },
  play: async () => {
    await expect(screen.getByRole('list', { name: 'Tasks' })).toHaveTextContent('Book a seat to do');
    const [first, second] = document.querySelectorAll('[data-thread="w1"]');
    await expect(first).toHaveTextContent('Comparing prices');
    await expect(second).not.toHaveTextContent('Comparing prices');
  },
};

/** A conversation of several people. */
export const Sender: Story = {
  args: {
    message: {
      ...message('1', 'user', [text('Who books the train?')]),
      sender: { id: 'u1', name: 'Ada Lovelace' },
    },
  },
  play: async () => {
    await expect(screen.getByRole('article', { name: 'Ada Lovelace' })).toBeVisible();
  },
};
