import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent, waitFor } from 'storybook/test';
import { z } from 'zod';
import { ConfirmationDialog } from '../src/components/confirmation/confirmation-dialog.tsx';
import { germanLabels } from './support/german-labels.ts';
import { callsOf, createStoryTool } from './support/story-tool.ts';

const order = {
  action: 'Place order',
  description: 'Two flat whites and a cinnamon bun from Kaffeehaus Nord.',
  total: '€ 11.40',
  pickup: 'Today, 14:30',
};

const meta = {
  title: 'Dialogs/Confirmation',
  component: ConfirmationDialog,
  args: { tool: createStoryTool({ args: order }) },
} satisfies Meta<typeof ConfirmationDialog>;
export default meta;

type Story = StoryObj<typeof meta>;

export const Neutral: Story = {
  play: async ({ args: { tool } }) => {
    const dialog = await screen.findByRole('dialog', { name: 'Place order' });
    await expect(dialog).toHaveAccessibleDescription(
      'Two flat whites and a cinnamon bun from Kaffeehaus Nord.',
    );
    await expect(screen.getByRole('button', { name: 'Confirm' })).toHaveFocus();
    await expect(tool.submit).not.toHaveBeenCalled();
  },
};

export const ConfirmedByEnter: Story = {
  args: { tool: createStoryTool({ args: order }) },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('button', { name: 'Confirm' })).toHaveFocus());
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(tool.submit)).toEqual([[{ confirmed: true }]]);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  },
};

export const CancelledByEscape: Story = {
  args: { tool: createStoryTool({ args: order }) },
  play: async ({ args: { tool } }) => {
    await screen.findByRole('dialog');
    await userEvent.keyboard('{Escape}');
    await expect(callsOf(tool.cancel)).toEqual([[]]);
    await expect(tool.decline).not.toHaveBeenCalled();
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  },
};

export const Caution: Story = {
  args: {
    tool: createStoryTool({
      toolName: 'send-email',
      args: { to: 'team@example.com', subject: 'Release moved to Thursday', copies: 42 },
      definition: {
        title: 'Send email to the whole team',
        description: 'It is sent from your address.',
        severity: 'caution',
      },
    }),
  },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('button', { name: 'Decline' })).toHaveFocus());
    await userEvent.tab();
    await expect(screen.getByRole('button', { name: 'Confirm' })).toHaveFocus();
    await expect(tool.submit).not.toHaveBeenCalled();
  },
};

export const Destructive: Story = {
  args: {
    tool: createStoryTool({
      toolName: 'delete-project',
      args: { project: 'atlas-website', files: 1284, backups: false },
      definition: {
        title: 'Delete project atlas-website',
        description: 'All files and their history are removed for everyone.',
        annotations: {},
      },
    }),
  },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('button', { name: 'Decline' })).toHaveFocus());
    await expect(screen.getByRole('alertdialog')).toHaveAttribute('data-severity', 'destructive');
    await expect(tool.submit).not.toHaveBeenCalled();
  },
};

export const DeclinedFromTheSafestChoice: Story = {
  args: { tool: createStoryTool({ args: order }), severity: 'destructive' },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('button', { name: 'Decline' })).toHaveFocus());
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(tool.decline)).toEqual([[undefined, { confirmed: false }]]);
    await expect(tool.submit).not.toHaveBeenCalled();
  },
};

export const EditedBeforeConfirming: Story = {
  args: {
    tool: createStoryTool({
      toolName: 'book-table',
      args: { guests: 2, time: '19:00' },
      definition: {
        title: 'Book a table',
        editable: true,
        input: z.object({ guests: z.number().int().min(1), time: z.string() }),
      },
    }),
  },
  play: async ({ args: { tool } }) => {
    const edit = await screen.findByRole('button', { name: 'Change Guests' });
    edit.focus();
    await userEvent.keyboard('{Enter}');
    const guests = await screen.findByRole('spinbutton', { name: 'Guests' });
    await expect(guests).toHaveFocus();
    await userEvent.clear(guests);
    await userEvent.keyboard('4{Enter}');
    await waitFor(() => expect(screen.getByText('Changed by you')).toBeVisible());
    await expect(screen.getByRole('button', { name: 'Undo the change of Guests' })).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
    await expect(callsOf(tool.submit)).toEqual([
      [{ confirmed: true, editedArgs: { guests: 4, time: '19:00' }, changedArgs: ['guests'] }],
    ]);
  },
};

export const WordToType: Story = {
  args: {
    tool: createStoryTool({
      toolName: 'delete-project',
      args: { project: 'atlas-website' },
      definition: {
        title: 'Delete project atlas-website',
        severity: 'destructive',
        confirmWord: 'atlas-website',
      },
    }),
  },
  play: async ({ args: { tool } }) => {
    const word = await screen.findByRole('textbox', { name: 'Type atlas-website to allow this' });
    await waitFor(() => expect(word).toHaveFocus());
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
    await expect(word).toHaveFocus();
    await expect(word).toHaveAccessibleDescription('Type atlas-website first, exactly as shown.');
    await userEvent.keyboard('atlas-website{Enter}');
    await expect(callsOf(tool.submit)).toEqual([[{ confirmed: true }]]);
  },
};

export const DeclinedWithNote: Story = {
  args: { tool: createStoryTool({ args: order }) },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('button', { name: 'Confirm' })).toHaveFocus());
    screen.getByRole('button', { name: 'Add a note' }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(screen.getByRole('textbox', { name: 'Note, the agent reads this' })).toHaveFocus();
    await userEvent.keyboard('Too expensive');
    await userEvent.tab();
    await expect(screen.getByRole('button', { name: 'Decline' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(tool.decline)).toEqual([['Too expensive', { confirmed: false }]]);
  },
};

/** A tool that wants to hear why: an empty reason is not sent. */
export const ReasonRequired: Story = {
  args: { tool: createStoryTool({ args: order, definition: { reason: 'required', severity: 'caution' } }) },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('button', { name: 'Decline' })).toHaveFocus());
    await userEvent.keyboard('{Enter}');
    const why = await screen.findByRole('textbox', { name: 'Why not?' });
    await expect(why).toHaveFocus();
    screen.getByRole('button', { name: 'Decline' }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(why).toHaveFocus();
    await expect(why).toHaveAccessibleDescription('Say why first.');
    await expect(tool.decline).not.toHaveBeenCalled();
    await userEvent.keyboard('Too expensive');
    screen.getByRole('button', { name: 'Decline' }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(tool.decline)).toEqual([['Too expensive', { confirmed: false }]]);
  },
};

/** The yes waits until the person had every detail in view. The pill leads to the next ones. */
export const NotAllInView: Story = {
  args: {
    tool: createStoryTool({
      args: Object.fromEntries(Array.from({ length: 24 }, (_, index) => [`line${index + 1}`, index])),
      definition: { title: 'Change the plan' },
    }),
  },
  play: async ({ args: { tool } }) => {
    const pill = await screen.findByRole('button', { name: /more details below/ });
    const confirm = screen.getByRole('button', { name: 'Confirm' });
    await expect(confirm).toHaveAttribute('aria-disabled', 'true');
    for (
      let presses = 0;
      presses < 10 && screen.queryByRole('button', { name: /more detail/ });
      presses += 1
    ) {
      screen.getByRole('button', { name: /more detail/ }).focus();
      await userEvent.keyboard('{Enter}');
      await new Promise(requestAnimationFrame);
    }
    await expect(pill).not.toBeInTheDocument();
    await expect(tool.submit).not.toHaveBeenCalled();
    confirm.focus();
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(tool.submit)).toEqual([[{ confirmed: true }]]);
  },
};

/** The button says what it does, with the main value. */
export const MainValue: Story = {
  args: {
    tool: createStoryTool({
      toolName: 'refund',
      args: { amount: 89, order: '4711' },
      expiresAt: new Date(Date.now() + 40_000),
      definition: {
        title: 'Refund order 4711',
        severity: 'caution',
        confirmLabel: 'Refund',
        declineLabel: 'Don’t refund',
        input: z.object({
          amount: z.number().meta({ emphasis: true, format: 'currency', currency: 'EUR' }),
          order: z.string(),
        }),
      },
    }),
  },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('button', { name: 'Don’t refund' })).toHaveFocus());
    await expect(screen.getByRole('dialog')).toHaveTextContent('goes on without an answer soon');
    await userEvent.tab();
    await expect(screen.getByRole('button', { name: /^Refund .*89/ })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(tool.submit)).toEqual([[{ confirmed: true }]]);
  },
};

export const AnsweredElsewhere: Story = {
  args: { tool: createStoryTool({ args: order, refuse: { settled: false, reason: 'already-settled' } }) },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('button', { name: 'Confirm' })).toHaveFocus());
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('already answered'));
    await expect(screen.queryByRole('button', { name: 'Confirm' })).not.toBeInTheDocument();
    await expect(tool.submit).toHaveBeenCalledOnce();
  },
};

export const Expired: Story = {
  args: { tool: createStoryTool({ args: order, refuse: { settled: false, reason: 'expired' } }) },
  play: async () => {
    await waitFor(() => expect(screen.getByRole('button', { name: 'Confirm' })).toHaveFocus());
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('no longer waits'));
    await userEvent.click(screen.getByRole('button', { name: 'Close' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  },
};

export const Refused: Story = {
  args: {
    tool: createStoryTool({
      args: order,
      refuse: {
        settled: false,
        reason: 'invalid-result',
        issues: [{ message: 'Must be an object with a receipt', path: ['receipt', 'number'] }],
      },
    }),
  },
  play: async () => {
    await waitFor(() => expect(screen.getByRole('button', { name: 'Confirm' })).toHaveFocus());
    await userEvent.keyboard('{Enter}');
    await waitFor(() =>
      expect(screen.getByRole('status')).toHaveTextContent('Receipt › Number: Must be an object'),
    );
    await expect(screen.getByRole('button', { name: 'Confirm' })).toBeInTheDocument();
  },
};

export const Deadline: Story = {
  args: { tool: createStoryTool({ args: order, expiresAt: new Date(Date.now() + 3_600_000) }) },
  play: async () => {
    await expect(await screen.findByRole('timer')).toHaveTextContent(/^(1:00:00|59:\d\d)$/);
  },
};

export const UnknownArguments: Story = {
  args: {
    tool: createStoryTool({
      toolName: 'mcp:crm/updateContact',
      args: {
        contactId: 'c_8812',
        fields: {},
        changes: {
          name: 'Ada Lovelace',
          newsletter: false,
          tags: ['vip', 'london'],
          address: { city: 'London', geo: { lat: 51.5 } },
        },
        website: 'https://example.com/ada?ref=agent',
        script: 'javascript:alert(1)',
        note: '<b>bold</b> and \u202egnorw eht\u202c',
        nothing: null,
      },
    }),
  },
  play: async () => {
    const dialog = await screen.findByRole('dialog', { name: 'Crm update contact' });
    await expect(screen.getByRole('link')).toHaveAttribute('href', 'https://example.com/ada?ref=agent');
    await expect(dialog).toHaveTextContent('javascript:alert(1)');
    await expect(dialog).toHaveTextContent('<b>bold</b> and \\u{202e}gnorw eht\\u{202c}');
  },
};

export const LongText: Story = {
  args: {
    tool: createStoryTool({
      args: {
        action:
          'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft beauftragen und alle Unterlagen übergeben',
        description: 'A very long explanation. '.repeat(60),
        ...Object.fromEntries(
          Array.from({ length: 60 }, (_, index) => [`line${index + 1}`, `value ${index + 1} `.repeat(8)]),
        ),
      },
    }),
  },
  play: async () => {
    const dialog = await screen.findByRole('dialog');
    await expect(dialog).toHaveTextContent('Show 20 more');
    await expect(dialog.scrollWidth).toBe(dialog.clientWidth);
  },
};

export const Dark: Story = {
  ...Neutral,
  args: { tool: createStoryTool({ args: order }) },
  parameters: { theme: 'dark' },
};

export const DestructiveDark: Story = { ...Destructive, parameters: { theme: 'dark' } };

export const RightToLeft: Story = {
  args: {
    tool: createStoryTool({
      args: { action: 'تأكيد الطلب', description: 'قهوتان وكعكة بالقرفة من المقهى.', total: '11.40 €' },
      definition: { severity: 'caution' },
    }),
  },
  parameters: { direction: 'rtl' },
  play: async () => {
    const dialog = await screen.findByRole('dialog', { name: 'تأكيد الطلب' });
    const cancel = screen.getByRole('button', { name: 'Cancel' }).getBoundingClientRect();
    const box = dialog.getBoundingClientRect();
    await expect(cancel.left - box.left).toBeLessThan(box.right - cancel.right);
  },
};

export const AnotherLanguage: Story = {
  args: { tool: createStoryTool({ args: order, definition: { severity: 'caution' } }), labels: germanLabels },
  play: async () => {
    await expect(await screen.findByRole('button', { name: 'Bestätigen' })).toBeInTheDocument();
    await expect(screen.queryByText(/Confirm|Decline|Cancel|Details\b$/)).not.toBeInTheDocument();
  },
};
