import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent, waitFor, within } from 'storybook/test';
import { z } from 'zod';
import { FormDialog } from '../src/components/form/form-dialog.tsx';
import { de } from '../src/locales-de.ts';
import { findSummary } from './support/find-summary.ts';
import { callsOf, createStoryTool } from './support/story-tool.ts';

const rating = z.object({
  rating: z
    .number()
    .int()
    .min(1)
    .max(5)
    .meta({ title: 'Rating', description: 'From 1 (poor) to 5 (excellent)' }),
  comment: z.string().max(500).optional().meta({ title: 'Comment' }),
});

const feedback = () =>
  createStoryTool({
    toolName: 'request-feedback',
    args: { question: 'How helpful was the answer about your invoice?' },
    definition: { title: 'Rate this answer', output: rating },
  });

const meta = {
  title: 'Dialogs/Form',
  component: FormDialog,
  args: { tool: feedback() },
} satisfies Meta<typeof FormDialog>;
export default meta;

type Story = StoryObj<typeof meta>;

export const FromOutputSchema: Story = {
  args: { tool: feedback() },
  play: async ({ args: { tool } }) => {
    const dialog = await screen.findByRole('dialog', { name: 'Rate this answer' });
    await expect(dialog).toHaveAccessibleDescription('How helpful was the answer about your invoice?');
    await waitFor(() => expect(screen.getByRole('radio', { name: '1, Poor' })).toHaveFocus());
    await userEvent.keyboard('3{ArrowRight}');
    await expect(screen.getByRole('radio', { name: '4' })).toBeChecked();
    await userEvent.tab();
    await userEvent.keyboard('Clear and quick.');
    await expect(tool.submit).not.toHaveBeenCalled();
  },
};

export const SubmittedByEnter: Story = {
  args: { tool: feedback() },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('radio', { name: '1, Poor' })).toHaveFocus());
    await userEvent.keyboard('5{Enter}');
    await waitFor(() => expect(callsOf(tool.submit)).toEqual([[{ rating: 5 }]]));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  },
};

export const CancelledByEscape: Story = {
  args: { tool: feedback() },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('radio', { name: '1, Poor' })).toHaveFocus());
    await userEvent.keyboard('{Escape}');
    await expect(callsOf(tool.cancel)).toEqual([[]]);
  },
};

export const Declined: Story = {
  args: { tool: feedback() },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('radio', { name: '1, Poor' })).toHaveFocus());
    await userEvent.tab();
    await userEvent.tab();
    await expect(screen.getByRole('button', { name: "Don't answer" })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect(tool.decline).toHaveBeenCalledOnce();
    await expect(tool.cancel).not.toHaveBeenCalled();
  },
};

export const Errors: Story = {
  args: {
    tool: createStoryTool({
      toolName: 'collect-contact',
      args: {
        description: 'So that we can send you the tickets.',
        fields: [
          { name: 'name', label: 'Full name', type: 'text', required: true },
          { name: 'email', label: 'Email', type: 'email', required: true },
          { name: 'seats', label: 'Seats', type: 'number', min: 1, max: 8, required: true },
        ],
      },
    }),
  },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Full name' })).toHaveFocus());
    await userEvent.tab();
    await userEvent.keyboard('ada@');
    await userEvent.tab();
    await userEvent.keyboard('12{Enter}');
    const summary = await findSummary('3 answers need a look');
    await expect(summary).toHaveFocus();
    const email = screen.getByRole('textbox', { name: 'Email' });
    await expect(email).toBeInvalid();
    await expect(email).toHaveAccessibleDescription('Enter an email address, such as name@example.com.');
    await userEvent.click(within(summary).getByRole('link', { name: /^Email: / }));
    await expect(email).toHaveFocus();
    await userEvent.keyboard('{End}example.com');
    await waitFor(() => expect(email).toBeValid());
    await expect(screen.getByText('2 answers need a look')).toBeInTheDocument();
    await expect(tool.submit).not.toHaveBeenCalled();
  },
};

export const RefusedByTheTool: Story = {
  args: {
    tool: createStoryTool({
      toolName: 'book-table',
      args: {
        fields: [
          { name: 'name', label: 'Name', type: 'text', required: true },
          { name: 'guests', label: 'Guests', type: 'number', required: true },
        ],
      },
      refuse: {
        settled: false,
        reason: 'invalid-result',
        issues: [
          { message: 'No table for that many', path: ['guests'] },
          { message: 'The kitchen is closed then' },
        ],
      },
    }),
  },
  play: async () => {
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Name' })).toHaveFocus());
    await userEvent.keyboard('Ada');
    await userEvent.tab();
    await userEvent.keyboard('40{Enter}');
    const guests = screen.getByRole('spinbutton', { name: 'Guests' });
    await waitFor(() => expect(guests).toHaveAccessibleDescription('No table for that many'));
    await expect(guests).toHaveValue('40');
    await expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Ada');
    await expect(screen.getByText('The kitchen is closed then')).toBeInTheDocument();
  },
};

export const ExpiredMeanwhile: Story = {
  args: {
    tool: createStoryTool({
      toolName: 'short-note',
      args: { fields: [{ name: 'note', label: 'Note', type: 'textarea', required: true }] },
      refuse: { settled: false, reason: 'expired' },
    }),
  },
  play: async () => {
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Note' })).toHaveFocus());
    await userEvent.keyboard('What I wrote stays here.');
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(screen.getByRole('status')).toHaveTextContent('no longer waits'));
    await expect(screen.getByRole('textbox', { name: 'Note' })).toHaveValue('What I wrote stays here.');
    await expect(screen.queryByRole('button', { name: 'Send' })).not.toBeInTheDocument();
  },
};

const everything = {
  type: 'object',
  required: ['name', 'email', 'plan', 'topics', 'start', 'accept'],
  properties: {
    name: { type: 'string', title: 'Name', minLength: 2 },
    email: { type: 'string', title: 'Email', format: 'email' },
    site: { type: 'string', title: 'Website', format: 'uri', description: 'Where people find you.' },
    plan: {
      type: 'string',
      title: 'Plan',
      oneOf: [
        { const: 'solo', title: 'Solo', description: 'One person' },
        { const: 'team', title: 'Team', description: 'Up to ten people' },
      ],
      default: 'team',
    },
    country: {
      type: 'string',
      title: 'Country',
      enum: ['at', 'de', 'ch'],
      enumNames: ['Austria', 'Germany', 'Switzerland'],
    },
    topics: {
      type: 'array',
      title: 'Topics',
      minItems: 1,
      items: {
        anyOf: [
          { const: 'news', title: 'News' },
          { const: 'offers', title: 'Offers' },
        ],
      },
    },
    seats: { type: 'integer', title: 'Seats', minimum: 1, maximum: 50, default: 3 },
    start: { type: 'string', title: 'Start', format: 'date' },
    reminder: { type: 'string', title: 'Reminder', format: 'date-time' },
    about: { type: 'string', title: 'About you', maxLength: 2000 },
    code: { type: 'string', title: 'Access code', writeOnly: true },
    accept: { type: 'boolean', title: 'I accept the terms' },
  },
};

export const EveryKindOfField: Story = {
  args: {
    tool: createStoryTool({ toolName: 'sign-up', args: { message: 'A few things before we start.' } }),
    schema: everything,
  },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Name' })).toHaveFocus());
    await userEvent.keyboard('Ada');
    await userEvent.tab();
    await userEvent.keyboard('ada@example.com');
    await expect(screen.getByRole('radio', { name: 'Team' })).toBeChecked();
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Country' }), 'Germany');
    screen.getByRole('checkbox', { name: 'News' }).focus();
    await userEvent.keyboard(' ');
    const start = screen.getByLabelText('Start');
    await userEvent.type(start, '2026-03-01');
    screen.getByRole('button', { name: 'Send' }).focus();
    await userEvent.keyboard('{Enter}');
    await waitFor(() =>
      expect(callsOf(tool.submit)).toEqual([
        [
          {
            name: 'Ada',
            email: 'ada@example.com',
            plan: 'team',
            country: 'de',
            topics: ['news'],
            seats: 3,
            start: '2026-03-01',
            accept: false,
          },
        ],
      ]),
    );
  },
};

export const ManyFields: Story = {
  args: { tool: createStoryTool({ toolName: 'sign-up' }), schema: everything },
  play: async () => {
    const dialog = await screen.findByRole('dialog');
    await expect(dialog.scrollHeight).toBeGreaterThan(dialog.clientHeight);
    const submit = screen.getByRole('button', { name: 'Send' }).getBoundingClientRect();
    await expect(submit.bottom).toBeLessThanOrEqual(dialog.getBoundingClientRect().bottom);
  },
};

const nested = z.object({
  team: z.string().meta({ title: 'Team name' }),
  members: z
    .array(
      z.object({
        name: z.string().meta({ title: 'Name' }),
        role: z.enum(['Editor', 'Viewer']).meta({ title: 'Role' }),
      }),
    )
    .min(1)
    .meta({ title: 'Members' }),
  limits: z.record(z.string(), z.number()).meta({ title: 'Limits' }),
  contact: z
    .discriminatedUnion('by', [
      z.object({ by: z.literal('email'), address: z.email().meta({ title: 'Address' }) }),
      z.object({ by: z.literal('phone'), number: z.string().meta({ title: 'Number' }) }),
    ])
    .meta({ title: 'Contact' }),
});

export const Nested: Story = {
  args: {
    tool: createStoryTool({
      toolName: 'create-team',
      definition: { title: 'Create a team', output: nested },
    }),
  },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Team name' })).toHaveFocus());
    await userEvent.keyboard('Analytical');
    const members = screen.getByRole('group', { name: 'Members' });
    const first = within(members).getByRole('group', { name: 'Member 1' });
    await userEvent.type(within(first).getByRole('textbox', { name: 'Name' }), 'Ada');
    await userEvent.click(within(first).getByRole('radio', { name: 'Editor' }));
    await userEvent.click(within(members).getByRole('button', { name: 'Add another Members' }));
    const second = within(members).getByRole('group', { name: 'Member 2' });
    await expect(within(second).getByRole('textbox', { name: 'Name' })).toHaveFocus();
    await userEvent.keyboard('Charles');
    await userEvent.click(within(second).getByRole('radio', { name: 'Viewer' }));
    await userEvent.click(screen.getByRole('button', { name: 'Move Member 2 up' }));
    await expect(screen.getByRole('button', { name: 'Move Member 1 up' })).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: 'Add one Limits' }));
    const limits = screen.getByRole('group', { name: 'Limits' });
    await userEvent.type(within(limits).getByRole('textbox', { name: 'Name' }), '__proto__');
    await userEvent.type(within(limits).getByRole('spinbutton', { name: 'Value' }), '7');
    await userEvent.click(screen.getByRole('radio', { name: 'Phone' }));
    await userEvent.type(screen.getByRole('textbox', { name: 'Number' }), '+43 1 234');
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(tool.submit).toHaveBeenCalledOnce());
    await expect(JSON.stringify(callsOf(tool.submit)[0]?.[0])).toBe(
      '{"team":"Analytical","members":[{"name":"Charles","role":"Viewer"},{"name":"Ada","role":"Editor"}],' +
        '"limits":{"__proto__":7},"contact":{"by":"phone","number":"+43 1 234"}}',
    );
  },
};

export const NotUnderstood: Story = {
  args: {
    tool: createStoryTool({ toolName: 'set-options' }),
    schema: {
      type: 'object',
      required: ['point', 'anything'],
      properties: {
        point: { type: 'array', title: 'Point', prefixItems: [{ type: 'number' }, { type: 'number' }] },
        anything: { title: 'Anything' },
        self: { $ref: '#/nowhere', title: 'Lost' },
      },
    },
  },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Point' })).toHaveFocus());
    await userEvent.paste('[1, 2');
    await userEvent.tab();
    await userEvent.paste('{"a": true}');
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    await expect(await findSummary('1 answer needs a look')).toHaveFocus();
    const point = screen.getByRole('textbox', { name: 'Point' });
    await userEvent.type(point, ']');
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() => expect(callsOf(tool.submit)).toEqual([[{ point: [1, 2], anything: { a: true } }]]));
  },
};

export const Dark: Story = { ...FromOutputSchema, args: { tool: feedback() }, parameters: { theme: 'dark' } };
export const ErrorsDark: Story = { ...Errors, parameters: { theme: 'dark' } };
export const German: Story = {
  args: { tool: feedback(), labels: de },
  play: async () => {
    await userEvent.click(await screen.findByRole('button', { name: 'Absenden' }));
    await expect(await findSummary('1 Angabe stimmt noch nicht')).toHaveFocus();
  },
};
