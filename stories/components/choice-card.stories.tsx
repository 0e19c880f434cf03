import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent, within } from 'storybook/test';
import { ChoiceCard, type ChoiceProps } from '../../src/components/choice/choice-dialog.tsx';
import { LiveCall, type LiveCallArgs, liveCallArgTypes } from '../support/live-call.tsx';
import { createStoryTool } from '../support/story-tool.ts';

const meta = {
  title: 'Components/ChoiceCard',
  component: ChoiceCard,
  tags: ['autodocs'],
  args: { call: 'Pick a flight', tool: createStoryTool() },
  argTypes: liveCallArgTypes('Pick a flight', 'Pick reports', 'Pick a city'),
  render: ({ call, ...props }) => (
    <LiveCall call={call}>{(tool) => <ChoiceCard {...props} tool={tool} />}</LiveCall>
  ),
} satisfies Meta<ChoiceProps & LiveCallArgs>;
export default meta;

export const Live: StoryObj<typeof meta> = {
  play: async () => {
    screen.getByRole('button', { name: 'Let the agent ask' }).focus();
    await userEvent.keyboard('{Enter}');
    const card = await screen.findByRole('region', { name: 'Pick a flight' });
    within(card).getByRole('button', { name: "Don't answer" }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(card).toHaveAttribute('data-outcome', 'declined');
    await expect(screen.getByText(/The agent heard/)).toHaveTextContent('The agent heard: declined');
  },
};
