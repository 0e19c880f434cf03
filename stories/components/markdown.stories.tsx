import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent } from 'storybook/test';
import { Markdown } from '../../src/markdown/markdown.tsx';
import { markdownAnswer } from '../support/example-conversation.ts';

const meta = {
  title: 'Components/Markdown',
  component: Markdown,
  tags: ['autodocs'],
  args: { text: markdownAnswer },
  argTypes: { remarkPlugins: { control: false }, allowImage: { control: false } },
  render: (args) => (
    <div className="story-column">
      <Markdown {...args} />
    </div>
  ),
} satisfies Meta<typeof Markdown>;
export default meta;

export const Live: StoryObj<typeof meta> = {
  play: async () => {
    await userEvent.tab();
    await expect(screen.getByRole('link', { name: 'the page of the railway' })).toHaveFocus();
    await userEvent.tab();
    await expect(screen.getByRole('link', { name: 'A map of the line' })).toHaveFocus();
    await expect(screen.queryByRole('img')).toBeNull();
  },
};
