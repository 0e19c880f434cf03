import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen } from 'storybook/test';
import { Transcript } from '../../src/components/transcript/transcript.tsx';
import { MarkdownText } from '../../src/markdown/markdown-text.tsx';
import { markdownAnswer, message } from '../support/example-conversation.ts';

const renderers = { text: MarkdownText };

const meta = {
  title: 'Components/MarkdownText',
  component: MarkdownText,
  tags: ['autodocs'],
  args: { part: { type: 'text', text: markdownAnswer, status: 'done' }, role: 'assistant', children: null },
  argTypes: {
    part: { control: 'object' },
    role: { control: 'inline-radio', options: ['user', 'assistant'] },
    children: { control: false },
  },
  render: ({ part, role }) => (
    <div className="story-chat" style={{ blockSize: '14rem' }}>
      <Transcript messages={[message('1', role, [part])]} renderers={renderers} />
    </div>
  ),
} satisfies Meta<typeof MarkdownText>;
export default meta;

type Story = StoryObj<typeof meta>;

export const Live: Story = {
  play: async () => {
    await expect(screen.getByText('08:25', { selector: 'strong' })).toBeVisible();
  },
};

/** Text of the person stays plain, because the person does not expect a star to start a list. */
export const WrittenByThePerson: Story = {
  args: { role: 'user', part: { type: 'text', text: '2 * 3 * 4 = **24**, is it not?', status: 'done' } },
  play: async () => {
    await expect(screen.getByText('2 * 3 * 4 = **24**, is it not?')).toBeVisible();
  },
};
