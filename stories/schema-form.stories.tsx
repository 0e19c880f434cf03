import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, fn, screen, userEvent, waitFor } from 'storybook/test';
import { z } from 'zod';
import type { UploadFile } from '../src/components/attachments/use-attachments.ts';
import { SchemaForm } from '../src/components/form/schema-form.tsx';
import { findSummary } from './support/find-summary.ts';
import { inColumn } from './support/in-column.tsx';
import { callsOf } from './support/story-tool.ts';

const schema = z.object({
  name: z.string().min(2).meta({ title: 'Name' }),
  email: z
    .email('Where shall we write to?')
    .meta({ title: 'Email', description: 'We only use it for your tickets.' }),
  seats: z.number().int().min(1).max(8).default(2).meta({ title: 'Seats' }),
  arrival: z.enum(['Friday', 'Saturday']).meta({ title: 'Arrival' }),
  notes: z.string().max(500).optional().meta({ title: 'Notes' }),
});

/** A form without a call, from a Zod schema, JSON Schema or a `fields` array. */
const meta = {
  title: 'SchemaForm',
  component: SchemaForm,
  args: { schema, onSubmit: fn(), onCancel: fn() },
  decorators: [inColumn],
  parameters: { docs: { story: { inline: true } } },
} satisfies Meta<typeof SchemaForm>;
export default meta;

type Story = StoryObj<typeof meta>;

export const FromZod: Story = {
  play: async ({ args }) => {
    await userEvent.tab();
    await userEvent.keyboard('Ada');
    await userEvent.tab();
    await userEvent.keyboard('ada@example.com');
    await userEvent.click(screen.getByRole('radio', { name: 'Saturday' }));
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    const value = { name: 'Ada', email: 'ada@example.com', seats: 2, arrival: 'Saturday' };
    await waitFor(() => expect(callsOf(args.onSubmit)).toEqual([[value]]));
  },
};

export const Cancelled: Story = {
  play: async ({ args }) => {
    screen.getByRole('button', { name: 'Cancel' }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(args.onCancel)).toEqual([[]]);
  },
};

export const ServerSaysNo: Story = {
  args: {
    schema: {
      type: 'object',
      required: ['coupon'],
      properties: { coupon: { type: 'string', title: 'Coupon' } },
    },
    onSubmit: fn(async () => ({ issues: [{ message: 'This coupon is used up', path: ['coupon'] }] })),
  },
  play: async () => {
    await userEvent.tab();
    await userEvent.keyboard('SUMMER{Enter}');
    const coupon = screen.getByRole('textbox', { name: 'Coupon' });
    await waitFor(() => expect(coupon).toHaveAccessibleDescription('This coupon is used up'));
    await expect(coupon).toHaveValue('SUMMER');
  },
};

const booking = z.object({
  room: z.string().min(1, 'Which room shall it be?').meta({ title: 'Room' }),
  nights: z.number().min(2, 'We are open for two nights or more.').meta({ title: 'Nights' }),
  email: z.email('Where shall we write to?').meta({ title: 'Email' }),
});

/** The fields show the messages of the schema as they are. */
export const MessagesOfTheSchema: Story = {
  args: { schema: booking, onSubmit: fn() },
  play: async ({ args }) => {
    await userEvent.tab();
    await userEvent.tab();
    await userEvent.keyboard('1{Enter}');
    await expect(await findSummary('3 answers need a look')).toHaveFocus();
    const [room, email] = screen.getAllByRole('textbox');
    const nights = screen.getByRole('spinbutton', { name: 'Nights' });
    await expect(room).toHaveAccessibleDescription('Which room shall it be?');
    await expect(nights).toHaveAccessibleDescription('We are open for two nights or more.');
    await expect(email).toHaveAccessibleDescription('Where shall we write to?');
    await expect(callsOf(args.onSubmit)).toEqual([]);
  },
};

const refund = {
  type: 'object',
  required: ['reason', 'receipts'],
  properties: {
    reason: { type: 'string', title: 'Reason' },
    receipts: {
      type: 'array',
      title: 'Receipts',
      description: 'Photographs will do.',
      items: { format: 'file', accept: 'image/*,.pdf', maxSize: 5_000_000 },
      minItems: 1,
      maxItems: 3,
    },
  },
};
const receipt = (name: string) => new File(['%PDF'], name, { type: 'application/pdf' });

/** Takes every file but the one called `torn.pdf`. */
const uploadFile: UploadFile = async (file, onProgress) => {
  onProgress(60);
  if (file.name === 'torn.pdf') throw new Error('The file could not be read');
  return {
    id: file.name,
    mediaType: file.type,
    url: `https://files.example/${file.name}`,
    filename: file.name,
    size: file.size,
  };
};

export const Files: Story = {
  args: { schema: refund, uploadFile, onSubmit: fn() },
  play: async ({ args }) => {
    await userEvent.tab();
    await userEvent.keyboard('Broken on arrival');
    await userEvent.tab();
    const receipts = screen.getByLabelText('Receipts');
    await expect(receipts).toHaveFocus();
    await userEvent.upload(receipts, [receipt('lamp.pdf'), receipt('torn.pdf')]);
    await expect(await screen.findByText('The file could not be read')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    await expect(await findSummary('1 answer needs a look')).toHaveFocus();
    screen.getByRole('button', { name: 'Remove torn.pdf' }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(receipts).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    const url = 'https://files.example/lamp.pdf';
    const lamp = { id: 'lamp.pdf', mediaType: 'application/pdf', url, filename: 'lamp.pdf', size: 4 };
    const value = { reason: 'Broken on arrival', receipts: [lamp] };
    await waitFor(() => expect(callsOf(args.onSubmit)).toEqual([[value]]));
  },
};

export const FilesFailedDark: Story = {
  args: { schema: refund, uploadFile },
  parameters: { theme: 'dark' },
  play: async () => {
    await userEvent.upload(screen.getByLabelText('Receipts'), [receipt('lamp.pdf'), receipt('torn.pdf')]);
    await expect(await screen.findByText('The file could not be read')).toBeVisible();
  },
};

/** Class names and elements of the app's own design system, by the name of the slot. */
export const OwnSlots: Story = {
  args: {
    slots: {
      label: { className: 'story-own-label' },
      input: { render: (props) => <input {...props} data-own="" /> },
      button: { render: ({ children, ...props }) => <button {...props}>{children} ›</button> },
    },
  },
  play: async () => {
    await expect(screen.getByRole('textbox', { name: 'Email' })).toHaveAttribute('data-own');
    await expect(screen.getByText('Email')).toHaveClass('story-own-label');
    await userEvent.click(screen.getByRole('button', { name: 'Send ›' }));
    await expect(await findSummary('3 answers need a look')).toHaveFocus();
  },
};

export const HandlerThrows: Story = {
  args: {
    schema: { type: 'object', properties: { name: { type: 'string', title: 'Name' } } },
    onSubmit: fn(() => Promise.reject(new Error('The server is down'))),
  },
  beforeEach: () => {
    const { reportError } = globalThis;
    globalThis.reportError = fn();
    return () => {
      globalThis.reportError = reportError;
    };
  },
  play: async () => {
    await userEvent.tab();
    await userEvent.keyboard('Ada{Enter}');
    const title = await screen.findByText(/^This was not accepted:/);
    const summary = title.closest('[role=group]') as HTMLElement;
    await expect(summary).toHaveTextContent('Not sent: The server is down');
    await expect(screen.getByRole('textbox', { name: 'Name' })).toHaveValue('Ada');
  },
};

export const Dark: Story = { ...Cancelled, parameters: { theme: 'dark' } };
