import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent, waitFor, within } from 'storybook/test';
import { ClientToolDialogs } from '../src/components/client-tools/client-tool-dialogs.tsx';
import { exampleCalls } from './support/example-calls.ts';
import { callsOf, createStoryTool } from './support/story-tool.ts';
import './support/shadcn-tokens.css';

/** The kit with the tokens of shadcn/ui, without Tailwind: one map of variables, see `support/shadcn-tokens.css`. */
const meta = {
  title: 'Start/shadcn example',
  component: ClientToolDialogs,
  args: { mode: 'inline', tools: [] },
} satisfies Meta<typeof ClientToolDialogs>;
export default meta;

type Story = StoryObj<typeof meta>;

const cards = () =>
  (['Place order', 'Delete project', 'Pick a flight'] as const).map((call) =>
    createStoryTool({ ...exampleCalls[call], toolCallId: call }),
  );

const confirmsByKeyboard: Story['play'] = async ({ args: { tools = [] } }) => {
  const card = screen.getByRole('region', { name: 'Place order' });
  const confirm = within(card).getByRole('button', { name: 'Confirm' });
  const probe = document.createElement('i');
  probe.style.color = 'var(--primary)';
  card.append(probe);
  // The button is grey until the person had every detail in view.
  await waitFor(() => expect(getComputedStyle(confirm).backgroundColor).toBe(getComputedStyle(probe).color));
  probe.remove();
  confirm.focus();
  await userEvent.keyboard('{Enter}');
  await expect(callsOf(tools[0]?.submit)).toEqual([[{ confirmed: true }]]);
};

export const Light: Story = {
  args: { tools: cards() },
  decorators: [
    (Story) => (
      <div className="shadcn story-column" data-theme="light">
        <Story />
      </div>
    ),
  ],
  play: confirmsByKeyboard,
};

export const Dark: Story = {
  args: { tools: cards() },
  decorators: [
    (Story) => (
      <div className="shadcn dark story-column" data-theme="dark">
        <Story />
      </div>
    ),
  ],
  parameters: { theme: 'dark' },
  play: confirmsByKeyboard,
};
