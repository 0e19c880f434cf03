import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent, waitFor } from 'storybook/test';
import { FormDialog, type FormProps } from '../../src/components/form/form-dialog.tsx';
import type { DialogFrameProps } from '../../src/components/primitives/dialog-frame.tsx';
import { LiveCall, type LiveCallArgs, liveCallArgTypes } from '../support/live-call.tsx';
import { createStoryTool } from '../support/story-tool.ts';

const meta = {
  title: 'Components/FormDialog',
  component: FormDialog,
  tags: ['autodocs'],
  args: { call: 'Collect contact', tool: createStoryTool() },
  argTypes: liveCallArgTypes('Collect contact', 'Rate the answer'),
  render: ({ call, ...props }) => (
    <LiveCall call={call}>{(tool) => <FormDialog {...props} tool={tool} />}</LiveCall>
  ),
} satisfies Meta<FormProps & DialogFrameProps & LiveCallArgs>;
export default meta;

export const Live: StoryObj<typeof meta> = {
  play: async () => {
    const ask = screen.getByRole('button', { name: 'Let the agent ask' });
    ask.focus();
    await userEvent.keyboard('{Enter}');
    await screen.findByRole('dialog', { name: 'Your contact details' });
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(ask).toHaveFocus());
    await expect(await screen.findByRole('status')).toHaveTextContent('The agent heard: cancelled');
  },
};
