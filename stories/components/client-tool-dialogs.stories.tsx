import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent, within } from 'storybook/test';
import {
  ClientToolDialogs,
  type ClientToolDialogsProps,
} from '../../src/components/client-tools/client-tool-dialogs.tsx';
import { type ExampleCall, exampleCalls } from '../support/example-calls.ts';
import { createStoryTool } from '../support/story-tool.ts';

interface LiveCallsArgs extends ClientToolDialogsProps {
  /** The waiting calls in request order. This control belongs to the page, not to the component. */
  readonly calls: readonly ExampleCall[];
}

const meta = {
  title: 'Components/ClientToolDialogs',
  component: ClientToolDialogs,
  tags: ['autodocs'],
  args: { mode: 'inline', calls: ['Place order', 'Collect contact', 'Pick a flight'] },
  argTypes: {
    calls: { control: 'check', options: Object.keys(exampleCalls), table: { category: 'This page' } },
    mode: { control: 'inline-radio', options: ['inline', 'modal'] },
    labels: { control: 'object' },
    tools: { control: false },
    container: { control: false },
    onError: { control: false },
  },
  render: ({ calls, ...props }) => (
    <div className="story-column" key={calls.join()}>
      <ClientToolDialogs
        {...props}
        tools={calls.map((call) => createStoryTool({ ...exampleCalls[call], toolCallId: call }))}
      />
    </div>
  ),
} satisfies Meta<LiveCallsArgs>;
export default meta;

export const Live: StoryObj<typeof meta> = {
  play: async () => {
    const card = screen.getByRole('region', { name: 'Place order' });
    within(card).getByRole('button', { name: 'Confirm' }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(card).not.toBeInTheDocument();
    await expect(screen.getAllByRole('region')).toHaveLength(2);
  },
};
