import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent, within } from 'storybook/test';
import { FormCard, type FormProps } from '../../src/components/form/form-dialog.tsx';
import { LiveCall, type LiveCallArgs, liveCallArgTypes } from '../support/live-call.tsx';
import { createStoryTool } from '../support/story-tool.ts';

const meta = {
  title: 'Components/FormCard',
  component: FormCard,
  tags: ['autodocs'],
  args: { call: 'Collect contact', tool: createStoryTool() },
  argTypes: liveCallArgTypes('Collect contact', 'Rate the answer'),
  render: ({ call, ...props }) => (
    <LiveCall call={call}>{(tool) => <FormCard {...props} tool={tool} />}</LiveCall>
  ),
} satisfies Meta<FormProps & LiveCallArgs>;
export default meta;

export const Live: StoryObj<typeof meta> = {
  play: async () => {
    screen.getByRole('button', { name: 'Let the agent ask' }).focus();
    await userEvent.keyboard('{Enter}');
    const card = await screen.findByRole('region', { name: 'Your contact details' });
    within(card).getByRole('button', { name: "Don't answer" }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(card).toHaveAttribute('data-outcome', 'declined');
    await expect(screen.getByText(/The agent heard/)).toHaveTextContent('The agent heard: declined');
  },
};
