import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent, waitFor } from 'storybook/test';
import { RememberedChoices } from '../../src/components/policies/remembered-choices.tsx';
import { createRememberedChoices } from '../../src/core/policies/create-remembered-choices.ts';
import { createMemoryStorage } from '../../src/testing/memory-storage.ts';
import { inColumn } from '../support/in-column.tsx';

async function rememberOne() {
  const choices = createRememberedChoices({ storage: createMemoryStorage() });
  const call = { toolName: 'send-email', args: {}, conversationId: 'c' };
  await choices.remember(call, { choice: 'allowed', scope: 'browser' });
  return choices;
}

const meta = {
  title: 'Components/RememberedChoices',
  component: RememberedChoices,
  decorators: [inColumn],
  tags: ['autodocs'],
  args: { choices: createRememberedChoices({ storage: createMemoryStorage() }) },
  argTypes: { choices: { control: false }, labels: { control: 'object' } },
  loaders: [async () => ({ choices: await rememberOne() })],
  render: (args, { loaded }) => <RememberedChoices {...args} choices={loaded.choices ?? args.choices} />,
} satisfies Meta<typeof RememberedChoices>;
export default meta;

export const Live: StoryObj<typeof meta> = {
  play: async () => {
    (await screen.findByRole('button', { name: 'Forget the choice for Send email' })).focus();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(screen.getByText(/Nothing is remembered/)).toBeVisible());
  },
};
