import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent } from 'storybook/test';
import { RunCodeCard } from '../../src/sandbox/ui/run-code-card.tsx';
import { runCodeTool } from '../../src/sandbox/ui/run-code-tool.ts';

const meta = {
  title: 'Components/RunCodeCard',
  component: RunCodeCard,
  tags: ['autodocs'],
  args: {
    tool: runCodeTool(),
    part: {
      type: 'tool-call',
      toolCallId: 'call-1',
      toolName: 'run-code',
      args: { code: 'report("2 orders");\nexport default 30.6 + 11.4;\n' },
      status: 'done',
      result: { status: 'success', result: 42, reports: ['2 orders'], durationMs: 12 },
    },
  },
  argTypes: { part: { control: 'object' }, tool: { control: false } },
  render: (args) => (
    <div className="story-column">
      <RunCodeCard {...args} />
    </div>
  ),
} satisfies Meta<typeof RunCodeCard>;
export default meta;

export const Live: StoryObj<typeof meta> = {
  play: async () => {
    await expect(screen.getByText('Finished')).toBeVisible();
    await userEvent.tab();
    // A long result scrolls.
    await expect(screen.getByText('42')).toHaveFocus();
    await userEvent.tab();
    await expect(screen.getByText('Show the code')).toHaveFocus();
  },
};
