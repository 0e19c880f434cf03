import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, fn, screen, userEvent, waitFor } from 'storybook/test';
import { ConfirmationCard, ConfirmationDialog } from '../src/components/confirmation/confirmation-dialog.tsx';
import { AuditTrail } from '../src/components/policies/audit-trail.tsx';
import { RememberedChoices } from '../src/components/policies/remembered-choices.tsx';
import { createAuditTrail } from '../src/core/policies/create-audit-trail.ts';
import { createRememberedChoices } from '../src/core/policies/create-remembered-choices.ts';
import type { SettledCall } from '../src/core/tools/settled-call.ts';
import { de } from '../src/locales-de.ts';
import { createMemoryStorage } from '../src/testing/memory-storage.ts';
import { inColumn } from './support/in-column.tsx';
import { callsOf, createStoryTool, type StoryToolOptions } from './support/story-tool.ts';

/** A call of a tool that needs approval. */
function createApproval({ definition, ...more }: StoryToolOptions = {}) {
  const tool = createStoryTool({
    toolName: 'send-email',
    args: { to: 'team@example.com', subject: 'Release moved to Thursday', copies: 42 },
    definition: {
      title: 'Send email to the whole team',
      description: 'It is sent from your address.',
      severity: 'caution',
      ...definition,
    },
    ...more,
  });
  return { ...tool, approvalReason: 'policy' as const, remember: fn(async () => {}) };
}

const meta = {
  title: 'Policies',
  component: ConfirmationDialog,
  decorators: [inColumn],
  args: { tool: createApproval() },
} satisfies Meta<typeof ConfirmationDialog>;
export default meta;

type Story = StoryObj<typeof meta>;

const title = 'Send email to the whole team';

export const Allowed: Story = {
  args: { tool: createApproval() },
  play: async ({ args: { tool } }) => {
    const dialog = await screen.findByRole('dialog', { name: title });
    await expect(dialog).toHaveAccessibleDescription('It is sent from your address.');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Decline' })).toHaveFocus());
    await userEvent.tab();
    await expect(screen.getByRole('button', { name: 'Allow' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(tool.submit)).toEqual([[{ confirmed: true }]]);
    await expect(tool.remember).not.toHaveBeenCalled();
  },
};

export const Remembered: Story = {
  args: { tool: createApproval() },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('button', { name: 'Decline' })).toHaveFocus());
    // The radio buttons are one tab stop, before the note.
    for (
      let presses = 0;
      presses < 3 && document.activeElement?.getAttribute('type') !== 'radio';
      presses += 1
    ) {
      await userEvent.tab({ shift: true });
    }
    await expect(screen.getByRole('radio', { name: 'Allow once' })).toHaveFocus();
    await userEvent.keyboard('{ArrowRight}');
    const always = screen.getByRole('radio', { name: 'Always allow…' });
    await expect(always).toBeChecked();
    await expect(always).toHaveAccessibleDescription(/Do not ask again/);
    await expect(screen.getByRole('combobox', { name: 'For which calls' })).toHaveValue('same');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Where' }), 'browser');
    screen.getByRole('button', { name: 'Allow' }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(tool.submit)).toHaveLength(1);
    await expect(callsOf(tool.remember)).toEqual([
      [{ choice: 'allowed', scope: 'browser', sameArguments: true }],
    ]);
  },
};

/** The dialog while the person chooses what to remember. */
export const Remembering: Story = {
  args: { tool: createApproval() },
  play: async () => {
    (await screen.findByRole('radio', { name: 'Always allow…' })).focus();
    await userEvent.keyboard(' ');
    await waitFor(() => expect(screen.getByRole('combobox', { name: 'Where' })).toBeVisible());
  },
};

export const RememberingOnAPhoneInTheDark: Story = {
  ...Remembering,
  args: { tool: createApproval() },
  parameters: { theme: 'dark' },
  globals: { viewport: { value: 'phone' } },
};

export const RememberingInGerman: Story = {
  args: { tool: createApproval(), labels: de },
  play: async () => {
    (await screen.findByRole('radio', { name: 'Immer erlauben …' })).focus();
    await userEvent.keyboard(' ');
    await waitFor(() => expect(screen.getByRole('button', { name: 'Nicht erlauben' })).toBeVisible());
  },
};

export const ANoIsNotRemembered: Story = {
  args: { tool: createApproval() },
  play: async ({ args: { tool } }) => {
    (await screen.findByRole('radio', { name: 'Always allow…' })).focus();
    await userEvent.keyboard(' ');
    screen.getByRole('button', { name: 'Decline' }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(tool.decline)).toEqual([[undefined, { confirmed: false }]]);
    await expect(callsOf(tool.remember)).toEqual([]);
  },
};

/** A tool of a server that keeps the yes itself: the same sentence, with the places that the server knows. */
export const RememberedByTheServer: Story = {
  args: {
    tool: createStoryTool({
      args: { order: 4711, amount: 89 },
      definition: { title: 'Refund', confirmLabel: 'Refund', remember: true, rememberLimits: true },
    }),
  },
  play: async ({ args: { tool } }) => {
    (await screen.findByRole('radio', { name: 'Always allow…' })).focus();
    await userEvent.keyboard(' ');
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Where' }), 'all your conversations');
    screen.getByRole('button', { name: 'Refund' }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(tool.submit)).toEqual([[{ confirmed: true, remember: { sameArguments: true } }]]);
  },
};

export const NeverRememberedWhereItDestroys: Story = {
  args: { tool: createApproval({ definition: { title: 'Delete the project', severity: 'destructive' } }) },
  play: async () => {
    await screen.findByRole('alertdialog', { name: 'Delete the project' });
    await expect(screen.queryByRole('radio')).not.toBeInTheDocument();
  },
};

export const OncePerConversation: Story = {
  args: { tool: { ...createApproval(), oncePerConversation: true } },
  play: async () => {
    await screen.findByRole('dialog', { name: title });
    await waitFor(() => expect(screen.getByText(/in this conversation without asking/)).toBeVisible());
  },
};

export const AsACard: Story = {
  args: { tool: createApproval() },
  render: (args) => <ConfirmationCard {...args} />,
  play: async ({ args: { tool } }) => {
    screen.getByRole('radio', { name: 'Always allow…' }).focus();
    await userEvent.keyboard(' ');
    screen.getByRole('button', { name: 'Allow' }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(tool.remember)).toHaveLength(1);
  },
};

async function rememberSome() {
  const choices = createRememberedChoices({ storage: createMemoryStorage() });
  const call = { args: { to: 'team@example.com', copies: 42 }, conversationId: 'c' };
  await choices.remember({ ...call, toolName: 'read-clipboard' }, { choice: 'declined', scope: 'browser' });
  await choices.remember(
    { ...call, toolName: 'send-email' },
    { choice: 'allowed', scope: 'conversation', sameArguments: true },
  );
  return choices;
}

export const ListOfChoices: Story = {
  loaders: [async () => ({ choices: await rememberSome() })],
  render: (_, { loaded: { choices } }) => <RememberedChoices choices={choices} />,
  play: async () => {
    await expect(await screen.findAllByRole('listitem')).toHaveLength(2);
    await userEvent.tab();
    await expect(screen.getByRole('button', { name: 'Forget the choice for Send email' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(screen.getAllByRole('listitem')).toHaveLength(1));
    await expect(screen.getByRole('region', { name: 'Remembered choices' })).toHaveFocus();
    await userEvent.tab();
    await expect(screen.getByRole('button', { name: 'Forget the choice for Read clipboard' })).toHaveFocus();
  },
};

export const ListOfChoicesInTheDark: Story = {
  ...ListOfChoices,
  parameters: { theme: 'dark' },
  play: async () => {
    await expect(await screen.findAllByRole('listitem')).toHaveLength(2);
  },
};

export const NoChoices: Story = {
  render: () => <RememberedChoices choices={createRememberedChoices({ storage: createMemoryStorage() })} />,
};

async function answerSome() {
  const trail = createAuditTrail({ actor: 'Ada' });
  const first: SettledCall = {
    key: '1',
    toolCallId: '1',
    toolName: 'send-email',
    args: { to: 'team@example.com', apiKey: 'sk-123' },
    outcome: 'submitted',
    result: { sent: 42 },
    requestedAt: new Date('2026-01-05T10:00:00Z'),
    settledAt: new Date('2026-01-05T10:00:09Z'),
    answeredBy: 'automatic',
    allowedBy: 'person',
  };
  const { result: _, allowedBy: __, ...rest } = first;
  await trail.record(first);
  await trail.record({ ...rest, key: '2', outcome: 'declined', answeredBy: 'remembered' });
  await trail.record({
    ...rest,
    key: '3',
    toolName: 'confirm-order',
    outcome: 'timed-out',
    answeredBy: 'nobody',
  });
  await trail.record({
    ...rest,
    key: '4',
    toolName: 'get-location',
    outcome: 'failed',
    error: 'User denied Geolocation',
    answeredBy: 'automatic',
  });
  return trail;
}

export const Trail: Story = {
  loaders: [async () => ({ trail: await answerSome() })],
  render: (_, { loaded: { trail } }) => <AuditTrail trail={trail} />,
  play: async () => {
    await expect(await screen.findAllByRole('listitem')).toHaveLength(4);
    for (let entry = 0; entry < 4; entry += 1) await userEvent.tab();
    const [first] = screen.getAllByText('by you', { exact: false });
    await expect(first?.closest('summary')).toHaveFocus();
    // Simulated keys do not open a details element; real keys do.
    await userEvent.click(first as HTMLElement);
    await waitFor(() => expect(screen.getAllByText('team@example.com').at(-1)).toBeVisible());
    await expect(document.body).not.toHaveTextContent('sk-123');
    await userEvent.tab();
    await expect(screen.getByRole('button', { name: 'Download CSV' })).toHaveFocus();
  },
};

export const TrailOnAPhone: Story = {
  ...Trail,
  globals: { viewport: { value: 'phone' } },
  play: async () => {
    await expect(await screen.findAllByRole('listitem')).toHaveLength(4);
  },
};

export const NothingAnswered: Story = {
  render: () => <AuditTrail trail={createAuditTrail()} />,
};
