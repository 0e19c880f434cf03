import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, fn, screen, userEvent } from 'storybook/test';
import { ComposerBar } from '../../src/components/composer/composer-bar.tsx';
import { createAgentChat } from '../../src/core/chat/create-agent-chat.ts';
import { AgentChatProvider } from '../../src/react/agent-chat-provider.tsx';
import { createScriptedTransport } from '../../src/testing/scripted-transport.ts';
import { inColumn } from '../support/in-column.tsx';

const chat = createAgentChat({ transport: createScriptedTransport() });

const meta = {
  title: 'Components/ComposerBar',
  component: ComposerBar,
  decorators: [
    (Story) => (
      <AgentChatProvider chat={chat}>
        <Story />
      </AgentChatProvider>
    ),
    inColumn,
  ],
  tags: ['autodocs'],
  args: { heldQuestion: { title: 'Refund order 4711', reason: 'later', open: fn() } },
} satisfies Meta<typeof ComposerBar>;
export default meta;

export const Live: StoryObj<typeof meta> = {
  play: async ({ args }) => {
    await userEvent.tab();
    await expect(screen.getByRole('button', { name: 'Open' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect(args.heldQuestion?.open).toHaveBeenCalledOnce();
  },
};
