import type { Meta, StoryObj } from '@storybook/react-vite';
import { type ReactNode, useState } from 'react';
import { expect, screen, userEvent, waitFor, within } from 'storybook/test';
import { ClientToolDialogs } from '../src/components/client-tools/client-tool-dialogs.tsx';
import { Transcript } from '../src/components/transcript/transcript.tsx';
import type { ToolRendererProps } from '../src/components/transcript/transcript-renderers.ts';
import { TurnError } from '../src/components/transcript/turn-error.tsx';
import { MarkdownText } from '../src/markdown/markdown-text.tsx';
import { AgentChatError } from '../src/shared/errors.ts';
import {
  conversation,
  longConversation,
  message,
  text,
  weatherCall,
} from './support/example-conversation.ts';
import { germanLabels } from './support/german-labels.ts';
import { callsOf, createStoryTool } from './support/story-tool.ts';

/** A conversation with messages, tool calls and questions. */
const meta = {
  title: 'Transcript',
  component: Transcript,
  args: { messages: conversation },
  argTypes: { renderers: { control: false }, children: { control: false }, empty: { control: false } },
  decorators: [
    (Story) => (
      <div style={{ display: 'flex', height: '34rem' }}>
        <Story />
      </div>
    ),
  ],
} satisfies Meta<typeof Transcript>;
export default meta;

type Story = StoryObj<typeof meta>;

const region = (name = 'Conversation') => screen.getByRole('region', { name });
const distanceToEnd = (element: HTMLElement) =>
  Math.round(element.scrollHeight - element.scrollTop - element.clientHeight);
const frame = () => new Promise(requestAnimationFrame);
/**
 * Scrolls as a reader does, on a page at rest. Messages get their size when they come into view, and the transcript cannot
 * tell a scroll in the same frame from one by the browser.
 */
const scrollTo = async (element: HTMLElement, top: number) => {
  let height: number;
  do {
    height = element.scrollHeight;
    await frame();
    await frame();
  } while (element.scrollHeight !== height);
  element.scrollTop = top;
};

export const EveryPart: Story = {
  play: async () => {
    await userEvent.tab();
    await expect(region()).toHaveFocus();
    await userEvent.tab();
    await expect(screen.getByRole('link', { name: 'trip.pdf' })).toHaveFocus();
    await userEvent.tab();
    await expect(screen.getByText('Thought about it')).toHaveFocus();
    // The browser opens the element on Enter; a simulated key does not.
    await userEvent.click(screen.getByText('Get weather'));
    await waitFor(() => expect(screen.getByText('clear')).toBeVisible());
    await expect(screen.getAllByRole('article').map((article) => article.getAttribute('aria-label'))).toEqual(
      ['You', 'Agent'],
    );
  },
};

interface WeatherArgs {
  readonly city: string;
}
interface WeatherResult {
  readonly degrees: number;
}

/** Renders a call from its first streamed argument on. */
function Weather({ partialArgs, status, result }: ToolRendererProps<WeatherArgs, WeatherResult>) {
  return (
    <p>
      Weather in {partialArgs.city ?? '…'}: {status === 'done' ? `${result?.degrees} °C` : 'loading'}
    </p>
  );
}

export const OwnToolCall: Story = {
  args: {
    renderers: { tools: { 'get-weather': Weather } },
    messages: [
      message('1', 'user', [text('How is the weather?')]),
      message('2', 'assistant', [weatherCall]),
      message('3', 'assistant', [{ ...weatherCall, args: { city: 'Lin' }, status: 'pending' }], 'streaming'),
    ],
  },
  play: async () => {
    await expect(screen.getByText('Weather in Graz: 21 °C')).toBeVisible();
    await expect(screen.getByText('Weather in Lin: loading')).toBeVisible();
  },
};

export const Markdown: Story = {
  args: { renderers: { text: MarkdownText } },
  play: async () => {
    await expect(screen.getByText('08:25', { selector: 'strong' })).toBeVisible();
    const link = screen.getByRole('link', { name: 'the page of the railway' });
    link.focus();
    await expect(link).toHaveFocus();
    await expect(link.parentElement).toHaveTextContent('the page of the railway (trains.example).');
  },
};

export const Empty: Story = {
  args: { messages: [], empty: <p style={{ textAlign: 'center' }}>What can I do for you?</p> },
  play: async () => {
    await userEvent.tab();
    await expect(region()).toHaveFocus();
    await expect(screen.getByText('What can I do for you?')).toBeVisible();
  },
};

export const Thinking: Story = {
  args: { messages: [message('1', 'user', [text('Tell me a story')])], status: 'streaming' },
  play: async () => {
    await expect(screen.getByText('Thinking…')).toBeVisible();
    await expect(screen.getByRole('status')).toHaveTextContent('The agent is answering.');
  },
};

export const Streaming: Story = {
  args: {
    messages: [
      message('1', 'user', [text('Tell me a story')]),
      message('2', 'assistant', [text('Once upon a time there was', 'streaming')], 'streaming'),
    ],
    status: 'streaming',
  },
  play: async () => {
    await expect(screen.queryByText('Thinking…')).toBeNull();
    // Single deltas are not read out.
    await expect(screen.getByRole('status')).toHaveTextContent(/^The agent is answering\.$/);
  },
};

const overloaded = new AgentChatError({
  code: 'backend_error',
  errorType: 'provider_overloaded',
  message: 'The model is overloaded.',
  retryable: true,
  retryAfter: 20,
});

export const Failed: Story = {
  args: {
    messages: [message('1', 'user', [text('Tell me a story')])],
    children: <TurnError error={overloaded} onRetry={() => {}} onDismiss={() => {}} />,
  },
  play: async () => {
    await expect(screen.getByRole('alert')).toHaveTextContent('The model is busy.');
    await userEvent.tab();
    await userEvent.tab();
    await expect(screen.getByRole('button', { name: 'Try again' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect(region()).toHaveFocus();
  },
};

const jumpButton = () => document.querySelector<HTMLButtonElement>('.hr-transcript-bar > button');

export const BackToTheEnd: Story = {
  args: { messages: longConversation(80) },
  play: async () => {
    const view = region();
    await waitFor(() => expect(distanceToEnd(view)).toBe(0));
    await expect(jumpButton()).toBeNull();
    await scrollTo(view, 200);
    await waitFor(() => expect(jumpButton()).toHaveAccessibleName('Jump to latest'));
    jumpButton()?.focus();
    await userEvent.keyboard('{Enter}');
    await expect(view).toHaveFocus();
    await waitFor(() => expect(distanceToEnd(view)).toBe(0));
    await expect(jumpButton()).toBeNull();
  },
};

/** Adds text to the last answer on a press, as a stream does. */
function Growing({ children }: { children?: ReactNode }) {
  const [words, setWords] = useState('It begins.');
  const answer = message('last', 'assistant', [text(words, 'streaming')], 'streaming');
  return (
    <div style={{ display: 'flex', flexDirection: 'column', width: '100%' }}>
      <button type="button" onClick={() => setWords(`${words}\n\nIt goes on.\n\nAnd on.`)}>
        Say more
      </button>
      <Transcript messages={[...longConversation(20), answer]} status="streaming">
        {children}
      </Transcript>
    </div>
  );
}

export const ReadingWhileItGrows: Story = {
  render: () => <Growing />,
  play: async () => {
    const view = region();
    let times = 0;
    const sayMore = async () => {
      times += 1;
      screen.getByRole('button', { name: 'Say more' }).focus();
      await userEvent.keyboard('{Enter}');
      await expect(view.textContent?.split('It goes on.')).toHaveLength(times + 1);
    };
    await sayMore();
    await waitFor(() => expect(distanceToEnd(view)).toBe(0));
    await scrollTo(view, view.scrollTop - 120);
    await waitFor(() => expect(jumpButton()).not.toBeNull());
    const read = screen.getByText(/^Answer 10/);
    const before = read.getBoundingClientRect().top;
    await sayMore();
    await sayMore();
    // The text under the reader did not move.
    await expect(Math.abs(read.getBoundingClientRect().top - before)).toBeLessThan(1);
    await scrollTo(view, view.scrollHeight);
    await waitFor(() => expect(jumpButton()).toBeNull());
    await sayMore();
    await waitFor(() => expect(distanceToEnd(view)).toBe(0));
  },
};

const question = createStoryTool({
  args: { action: 'Book the train', description: 'Leaves at 08:25.', price: '24 EUR' },
});

export const QuestionOutOfSight: Story = {
  args: {
    messages: longConversation(40),
    children: <ClientToolDialogs mode="inline" tools={[question]} />,
  },
  beforeEach: () => question.reopen(),
  play: async () => {
    const view = region();
    const card = screen.getByRole('region', { name: 'Book the train' });
    await waitFor(() => expect(distanceToEnd(view)).toBe(0));
    await expect(jumpButton()).toBeNull();
    await scrollTo(view, 0);
    await waitFor(() => expect(jumpButton()).toHaveAccessibleName('1 question needs your answer Show'));
    jumpButton()?.focus();
    await userEvent.keyboard('{Enter}');
    await expect(card).toHaveFocus();
    const [seen, frame] = [card.getBoundingClientRect(), view.getBoundingClientRect()];
    await expect(seen.top >= frame.top && seen.bottom <= frame.bottom).toBe(true);
    await waitFor(() => expect(jumpButton()).toBeNull());
    within(card).getByRole('button', { name: 'Confirm' }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(question.submit)).toEqual([[{ confirmed: true }]]);
  },
};

export const Dark: Story = { ...Markdown, parameters: { theme: 'dark' } };

export const German: Story = {
  args: { labels: germanLabels },
  play: async () => {
    await userEvent.tab();
    await expect(region('Gespräch')).toHaveFocus();
    await expect(screen.getByText('abgelehnt')).toBeVisible();
  },
};

export const RightToLeft: Story = {
  args: {
    messages: [
      message('ar-1', 'user', [text('اطلب لي مصباحًا من فضلك')]),
      message('ar-2', 'assistant', [text('سأطلب مصباح المكتب Lamp 3000 الآن. السعر 89 EUR.')]),
      ...conversation,
    ],
    renderers: { text: MarkdownText },
  },
  parameters: { direction: 'rtl' },
  play: async () => {
    const mine = screen.getByText('اطلب لي مصباحًا من فضلك').getBoundingClientRect();
    const frame = region().getBoundingClientRect();
    // In a right-to-left page, messages of the person are at the left edge.
    await expect(mine.left - frame.left).toBeLessThan(frame.right - mine.right);
  },
};

export const Phone: Story = { ...EveryPart, globals: { viewport: { value: 'phone' } } };
