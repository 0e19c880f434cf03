import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent, waitFor } from 'storybook/test';
import { ChoiceDialog, type ChoiceProps } from '../../src/components/choice/choice-dialog.tsx';
import type { DialogFrameProps } from '../../src/components/primitives/dialog-frame.tsx';
import { LiveCall, type LiveCallArgs, liveCallArgTypes } from '../support/live-call.tsx';
import { createStoryTool } from '../support/story-tool.ts';

const meta = {
  title: 'Components/ChoiceDialog',
  component: ChoiceDialog,
  tags: ['autodocs'],
  args: { call: 'Pick a flight', tool: createStoryTool() },
  argTypes: liveCallArgTypes('Pick a flight', 'Pick reports', 'Pick a city'),
  render: ({ call, ...props }) => (
    <LiveCall call={call}>{(tool) => <ChoiceDialog {...props} tool={tool} />}</LiveCall>
  ),
} satisfies Meta<ChoiceProps & DialogFrameProps & LiveCallArgs>;
export default meta;

export const Live: StoryObj<typeof meta> = {
  play: async () => {
    const ask = screen.getByRole('button', { name: 'Let the agent ask' });
    ask.focus();
    await userEvent.keyboard('{Enter}');
    await screen.findByRole('dialog', { name: 'Pick a flight' });
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(ask).toHaveFocus());
    await expect(await screen.findByRole('status')).toHaveTextContent('The agent heard: cancelled');
  },
};
