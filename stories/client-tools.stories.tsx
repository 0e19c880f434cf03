import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { expect, fn, screen, spyOn, userEvent, waitFor, within } from 'storybook/test';
import { z } from 'zod';
import type { AnyTool } from '../src/components/any-tool.ts';
import { ClientToolDialogs } from '../src/components/client-tools/client-tool-dialogs.tsx';
import { callsOf, createStoryTool } from './support/story-tool.ts';

const confirm = () =>
  createStoryTool({
    toolCallId: 'call-1',
    args: { action: 'Place order', description: 'Two flat whites for € 7.60.' },
  });
const form = () =>
  createStoryTool({
    toolCallId: 'call-2',
    toolName: 'request-feedback',
    args: { fields: [{ name: 'name', label: 'Name for the cup', type: 'text', required: true }] },
  });
const choice = () =>
  createStoryTool({
    toolCallId: 'call-3',
    toolName: 'select-option',
    args: { question: 'Where do you want to sit?', options: ['Inside', 'Outside'] },
  });

const meta = {
  title: 'ClientToolDialogs',
  component: ClientToolDialogs,
  args: { tools: [] },
  decorators: [
    (Story) => (
      <div className="story-column">
        <label>
          Message
          <input className="story-composer" />
        </label>
        <p>The conversation stands here.</p>
        <Story />
      </div>
    ),
  ],
} satisfies Meta<typeof ClientToolDialogs>;
export default meta;

type Story = StoryObj<typeof meta>;

export const NothingPending: Story = {
  play: async () => {
    await expect(screen.queryByRole('dialog')).not.toBeInTheDocument();
    await expect(screen.getByRole('textbox', { name: 'Message' })).toBeVisible();
  },
};

export const Queue: Story = {
  args: { tools: [confirm(), form(), choice()] },
  play: async ({ args: { tools = [] } }) => {
    const [first, second, third] = tools;
    const overlay = () => document.querySelector('.hr-overlay');
    await expect(await screen.findByRole('dialog', { name: 'Place order' })).toHaveTextContent('1 of 3');
    const backdrop = overlay();
    await waitFor(() => expect(screen.getByRole('button', { name: 'Confirm' })).toHaveFocus());
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(first?.submit)).toEqual([[{ confirmed: true }]]);

    await expect(await screen.findByRole('dialog', { name: 'Request feedback' })).toHaveTextContent('2 of 3');
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Name for the cup' })).toHaveFocus());
    await expect(overlay()).toBe(backdrop);
    await userEvent.keyboard('Ada{Enter}');
    await waitFor(() => expect(callsOf(second?.submit)).toEqual([[{ name: 'Ada' }]]));

    await expect(await screen.findByRole('dialog', { name: 'Select option' })).toHaveTextContent('3 of 3');
    await waitFor(() => expect(screen.getByRole('radio', { name: 'Inside' })).toHaveFocus());
    // The person has just typed: Enter works after half a second without a key.
    await waitFor(() => expect(screen.getByRole('dialog')).toHaveAttribute('data-arming', 'armed'));
    await userEvent.keyboard('2{Enter}');
    await expect(callsOf(third?.submit)).toEqual([[{ selected: 'Outside' }]]);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  },
};

const mails = ['Ada', 'Grace', 'Edsger'].map((name) =>
  createStoryTool({
    toolCallId: `mail-${name}`,
    toolName: 'send-mail',
    args: { to: `${name.toLowerCase()}@example.com`, subject: 'Release moved to Thursday' },
    definition: { title: 'Send an email', description: 'It is sent from your address.', approveAll: true },
  }),
);

export const ConfirmAll: Story = {
  args: { tools: mails },
  play: async () => {
    await screen.findByRole('dialog', { name: 'Send an email' });
    await userEvent.click(screen.getByText('Show 2 more of the same kind'));
    await waitFor(() => expect(screen.getByText('edsger@example.com')).toBeVisible());
    screen.getByRole('button', { name: 'Confirm all 3' }).focus();
    await userEvent.keyboard('{Enter}');
    for (const { submit } of mails) await expect(callsOf(submit)).toEqual([[{ confirmed: true }]]);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  },
};

export const QueueOpen: Story = {
  args: { tools: [confirm(), form(), choice()] },
  play: async () => {
    await expect(await screen.findByRole('dialog')).toHaveTextContent('1 of 3');
  },
};

/** The focus returns to its former element. */
export const FocusReturns: Story = {
  render: function Later(args) {
    const [tools, setTools] = useState<readonly AnyTool[]>([]);
    return (
      <>
        <button type="button" onClick={() => setTools([confirm()])}>
          Ask
        </button>
        <ClientToolDialogs {...args} tools={tools} />
      </>
    );
  },
  play: async () => {
    const ask = screen.getByRole('button', { name: 'Ask' });
    ask.focus();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Confirm' })).toHaveFocus());
    const dialog = screen.getByRole('dialog');
    for (let tabs = 0; tabs < 8; tabs += 1) {
      await userEvent.tab();
      await expect(dialog).toContainElement(document.activeElement as HTMLElement);
    }
    await userEvent.keyboard('{Escape}');
    await waitFor(() => expect(ask).toHaveFocus());
  },
};

/** A call that is settled elsewhere while its dialog is open. */
export const Withdrawn: Story = {
  render: function Withdraw(args) {
    const [tools, setTools] = useState<readonly AnyTool[]>(() => [confirm()]);
    return (
      <>
        <button type="button" data-testid="withdraw" onClick={() => setTools([])}>
          Withdraw
        </button>
        <ClientToolDialogs {...args} tools={tools} />
      </>
    );
  },
  play: async () => {
    await screen.findByRole('dialog', { name: 'Place order' });
    screen.getByTestId('withdraw').click();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    await expect(screen.getByRole('status')).toHaveTextContent('“Place order” no longer needs an answer.');
  },
};

export const Inline: Story = {
  args: { mode: 'inline', tools: [confirm(), form(), choice()] },
  play: async ({ args: { tools = [] } }) => {
    const card = screen.getByRole('region', { name: 'Place order' });
    await expect(screen.getByRole('textbox', { name: 'Message' })).not.toHaveFocus();
    await expect(screen.getAllByRole('status')[0]).toHaveTextContent('3 questions need your answer');
    within(card).getByRole('button', { name: 'Decline' }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(tools[0]?.decline)).toEqual([[undefined, { confirmed: false }]]);
    await expect(screen.queryByRole('region', { name: 'Place order' })).not.toBeInTheDocument();
  },
};

export const InlineOpen: Story = {
  args: { mode: 'inline', tools: [confirm(), form(), choice()] },
  play: async () => {
    await expect(screen.getAllByRole('region')).toHaveLength(3);
  },
};

function Stars({ tool }: { tool: AnyTool }) {
  return (
    <fieldset aria-label="Stars">
      {[1, 2, 3].map((stars) => (
        <button type="button" key={stars} onClick={() => tool.submit({ stars })}>
          {stars}
        </button>
      ))}
    </fieldset>
  );
}

export const OwnComponent: Story = {
  args: {
    tools: [
      createStoryTool({
        toolName: 'rate',
        definition: { ui: Stars, output: z.object({ stars: z.number() }) },
      }),
    ],
  },
  play: async ({ args: { tools = [] } }) => {
    screen.getByRole('button', { name: '3' }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(tools[0]?.submit)).toEqual([[{ stars: 3 }]]);
    await expect(screen.queryByRole('group', { name: 'Stars' })).not.toBeInTheDocument();
  },
};

function Broken(): never {
  throw new Error('No such prop');
}

export const BrokenComponent: Story = {
  beforeEach: () => {
    // React reports the error that the boundary caught.
    spyOn(console, 'error').mockImplementation(() => {});
  },
  args: {
    tools: [createStoryTool({ toolName: 'rate', definition: { ui: Broken } }), confirm()],
    onError: fn(),
  },
  play: async ({ args: { tools = [], onError } }) => {
    await expect(callsOf(tools[0]?.fail)).toEqual([['The dialog for rate failed: No such prop']]);
    await expect(onError).toHaveBeenCalledOnce();
    await expect(await screen.findByRole('dialog', { name: 'Place order' })).toBeInTheDocument();
    await expect(screen.getByText(/could not be shown/, { selector: '[role=status]' })).toBeInTheDocument();
  },
};
