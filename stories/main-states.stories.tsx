import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent, waitFor } from 'storybook/test';
import { ClientToolDialogs } from '../src/components/client-tools/client-tool-dialogs.tsx';
import { Composer } from '../src/components/composer/composer.tsx';
import { ClockContext } from '../src/components/hooks/use-arming.ts';
import { Transcript } from '../src/components/transcript/transcript.tsx';
import { MarkdownText } from '../src/markdown/markdown-text.tsx';
import { createManualClock } from '../src/testing/manual-clock.ts';
import { type ExampleCall, exampleCalls } from './support/example-calls.ts';
import { conversation } from './support/example-conversation.ts';
import { findSummary } from './support/find-summary.ts';
import { callsOf, createStoryTool } from './support/story-tool.ts';

/** The ten states that show most of the look. `npm run test:visual` compares them with the screenshots in `baselines/`. */
const meta = {
  title: 'Main states',
  component: ClientToolDialogs,
  args: { tools: [] },
} satisfies Meta<typeof ClientToolDialogs>;
export default meta;

type Story = StoryObj<typeof meta>;

const clock = createManualClock();
const renderers = { text: MarkdownText };
const asked = (call: ExampleCall, more: { expiresAt?: Date } = {}) =>
  createStoryTool({ ...exampleCalls[call], toolCallId: call, ...more });
const hasFocus = (role: string, name: string) =>
  waitFor(() => expect(screen.getByRole(role, { name })).toHaveFocus());

export const Confirmation: Story = {
  args: { tools: [asked('Place order')] },
  play: () => hasFocus('button', 'Confirm'),
};

export const Caution: Story = {
  args: { tools: [asked('Send email')] },
  play: () => hasFocus('button', 'Decline'),
};

export const Destructive: Story = {
  args: { tools: [asked('Delete project')] },
  play: async ({ args: { tools = [] } }) => {
    await hasFocus('textbox', 'Type atlas-website to allow this');
    await userEvent.keyboard('atlas');
    await expect(callsOf(tools[0]?.submit)).toEqual([]);
  },
};

export const Reason: Story = {
  args: { tools: [asked('Place order')] },
  play: async () => {
    await hasFocus('button', 'Confirm');
    screen.getByRole('button', { name: 'Add a note' }).focus();
    await userEvent.keyboard('{Enter}');
    await hasFocus('textbox', 'Note, the agent reads this');
    await userEvent.keyboard('Too expensive');
  },
};

export const Form: Story = {
  args: { tools: [asked('Collect contact')] },
  play: async () => {
    await hasFocus('textbox', 'Full name');
    await userEvent.keyboard('Ada Lovelace');
    await userEvent.tab();
  },
};

export const FormErrors: Story = {
  args: { tools: [asked('Collect contact')] },
  play: async () => {
    await hasFocus('textbox', 'Full name');
    await userEvent.keyboard('{Enter}');
    await expect(await findSummary('3 answers need a look')).toHaveFocus();
  },
};

export const Choice: Story = {
  args: { tools: [asked('Pick a flight')] },
  play: async () => {
    await hasFocus('radio', '07:05, direct');
    await userEvent.keyboard('2');
    await hasFocus('radio', '09:40, one stop');
  },
};

export const Search: Story = {
  args: { tools: [asked('Pick a city')] },
  play: async () => {
    await hasFocus('searchbox', 'Search options');
    await userEvent.keyboard('b');
    await waitFor(() => expect(screen.queryByRole('radio', { name: 'Athens' })).not.toBeInTheDocument());
  },
};

export const QueueWithDeadline: Story = {
  args: {
    tools: [
      asked('Rate the answer', { expiresAt: new Date(clock.now() + 95_000) }),
      asked('Pick a flight'),
      asked('Place order'),
    ],
  },
  decorators: [
    (Story) => (
      <ClockContext.Provider value={clock}>
        <Story />
      </ClockContext.Provider>
    ),
  ],
  play: async () => {
    await hasFocus('radio', '1');
    await expect(screen.getByRole('timer')).toHaveTextContent('1:35');
    await expect(screen.getByRole('dialog')).toHaveTextContent('1 of 3');
  },
};

export const Conversation: Story = {
  args: { mode: 'inline', tools: [asked('Place order')] },
  render: (args) => (
    <div className="story-chat">
      <Transcript messages={conversation} renderers={renderers}>
        <ClientToolDialogs {...args} />
      </Transcript>
      <Composer onSend={() => {}} />
    </div>
  ),
  play: async () => {
    screen.getByRole('textbox', { name: 'Message' }).focus();
    await userEvent.keyboard('And a tram back');
    await expect(screen.getByRole('region', { name: 'Place order' })).toBeVisible();
  },
};
