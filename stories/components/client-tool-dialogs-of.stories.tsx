import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent, waitFor } from 'storybook/test';
import { ClientToolDialogsOf } from '../../src/components/client-tools/client-tool-dialogs-of.tsx';
import { choice, confirmation } from '../../src/components/client-tools/question-kinds.ts';
import { exampleCalls } from '../support/example-calls.ts';
import { createStoryTool } from '../support/story-tool.ts';

const meta = {
  title: 'Components/ClientToolDialogsOf',
  component: ClientToolDialogsOf,
  tags: ['autodocs'],
  args: {
    mode: 'inline',
    kinds: [confirmation, choice],
    tools: [createStoryTool({ ...exampleCalls['Place order'], toolCallId: 'order' })],
  },
  argTypes: {
    kinds: { control: false },
    tools: { control: false },
    container: { control: false },
    onError: { control: false },
  },
} satisfies Meta<typeof ClientToolDialogsOf>;
export default meta;

export const Live: StoryObj<typeof meta> = {
  play: async () => {
    await expect(await screen.findByRole('button', { name: 'Confirm' })).toBeVisible();
  },
};

/** Escape puts the question off. A pill at the foot of the page brings it back. */
export const PutOff: StoryObj<typeof meta> = {
  args: { mode: 'modal', dismiss: 'later' },
  play: async () => {
    const dialog = await screen.findByRole('dialog');
    await waitFor(() => expect(dialog).toHaveAttribute('data-arming', 'armed'));
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    await expect(await screen.findByRole('button', { name: 'Open' })).toBeVisible();
  },
};
