import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent, waitFor } from 'storybook/test';
import { z } from 'zod';
import { ConfirmationDialog } from '../src/components/confirmation/confirmation-dialog.tsx';
import { de } from '../src/locales-de.ts';
import { callsOf, createStoryTool } from './support/story-tool.ts';

const MESSAGE =
  'Hello Ada, we are sorry that the lamp flickers. We pay the price back to the card that you paid with. It can take up to ' +
  'three working days until you see it. You can keep the lamp, or give it to somebody who likes to repair things; there is no ' +
  'need to send it back. If the new one flickers as well, write to us, and we look into it together. Thank you for your photo, ' +
  'which helped us to find the fault. Grace from the support team';

const input = z.object({
  amount: z
    .number()
    .min(0.01)
    .max(89)
    .meta({ title: 'Amount', emphasis: true, format: 'currency', currency: 'EUR' }),
  payTo: z.string().meta({ title: 'Pay to', readOnly: true }),
  order: z.number().int().meta({ title: 'Order', readOnly: true }),
  payOn: z.iso.date().meta({ title: 'Pay on' }),
  letter: z.string().optional().meta({ title: 'Message to Ada', maxLength: 1000 }),
});

const refund = {
  toolName: 'refund',
  args: { amount: 89, payTo: 'Ada · Visa ending 4242', order: 4711, payOn: '2026-11-30', letter: MESSAGE },
  definition: {
    title: 'Refund order 4711',
    description: 'Pays money back to the customer.',
    severity: 'caution',
    input,
  },
} as const;

const meta = {
  title: 'Dialogs/Arguments',
  component: ConfirmationDialog,
  args: { tool: createStoryTool(refund) },
} satisfies Meta<typeof ConfirmationDialog>;
export default meta;

type Story = StoryObj<typeof meta>;

/** The row with this name. */
const row = (title: string) => screen.getByText(title, { selector: 'dt' }).closest('.hr-entry');

/** The main value is large; money has its currency, the day its weekday; the order number stays as it is. */
export const Formatted: Story = {
  play: async () => {
    await screen.findByRole('dialog');
    await expect(row('Amount')).toHaveTextContent('€89.00');
    await expect(row('Order')).toHaveTextContent('4711');
    await expect(row('Pay on')).toHaveTextContent(/Monday.*2026/);
  },
};

/** A long text has four lines, and the rest on demand. */
export const LongText: Story = {
  args: { tool: createStoryTool({ ...refund, toolName: 'long-text' }) },
  play: async () => {
    const button = await screen.findByRole('button', { name: /^Show all \d+ characters$/ });
    button.focus();
    await userEvent.keyboard('{Enter}');
    await expect(row('Message to Ada')).toHaveTextContent(/Grace from the support team/);
    await expect(button).toHaveAttribute('aria-expanded', 'true');
    await expect(button).toHaveFocus();
  },
};

const editable = { ...refund, definition: { ...refund.definition, editable: true } } as const;

/** The row is a field, with what the value was and what it may be. Escape goes back and closes nothing. */
export const Editing: Story = {
  args: { tool: createStoryTool({ ...editable, toolName: 'editing' }) },
  play: async ({ args: { tool } }) => {
    (await screen.findByRole('button', { name: 'Change Amount' })).focus();
    await userEvent.keyboard('{Enter}');
    const field = await screen.findByRole('spinbutton', { name: 'Amount' });
    await expect(field).toHaveFocus();
    await expect(field).toHaveAccessibleDescription(/Was €89.00.\s+From €0.01 to €89.00./);
    await userEvent.keyboard('{Escape}');
    await expect(screen.getByRole('button', { name: 'Change Amount' })).toHaveFocus();
    await expect(tool.cancel).not.toHaveBeenCalled();
    await userEvent.keyboard('{Enter}');
    await expect(await screen.findByRole('spinbutton', { name: 'Amount' })).toHaveFocus();
    await userEvent.keyboard('{Control>}a{/Control}45');
  },
};

/** The old value stands before the new one. Nothing can be remembered any more. */
export const Changed: Story = {
  args: { tool: createStoryTool({ ...editable, toolName: 'changed' }) },
  play: async ({ args: { tool } }) => {
    (await screen.findByRole('button', { name: 'Change Amount' })).focus();
    await userEvent.keyboard('{Enter}');
    await screen.findByRole('spinbutton', { name: 'Amount' });
    await userEvent.keyboard('{Control>}a{/Control}45{Enter}');
    await waitFor(() => expect(screen.getByText('Changed by you')).toBeVisible());
    await expect(row('Amount')).toHaveTextContent('Before: €89.00 → Now: €45.00');
    await expect(screen.getByRole('button', { name: 'Undo the change of Amount' })).toHaveFocus();
    await expect(tool.submit).not.toHaveBeenCalled();
  },
};

/** A value that the schema refuses is not applied. */
export const Refused: Story = {
  args: { tool: createStoryTool({ ...editable, toolName: 'refused' }) },
  play: async ({ args: { tool } }) => {
    (await screen.findByRole('button', { name: 'Change Amount' })).focus();
    await userEvent.keyboard('{Enter}');
    const field = await screen.findByRole('spinbutton', { name: 'Amount' });
    await userEvent.keyboard('{Control>}a{/Control}890{Enter}');
    await waitFor(() => expect(field).toBeInvalid());
    await expect(field).toHaveFocus();
    await userEvent.click(screen.getByRole('button', { name: /^Confirm/ }));
    await expect(callsOf(tool.submit)).toEqual([]);
  },
};

/** Values inside a value are indented once; deeper ones are counted, and opened by their button. */
export const Nested: Story = {
  args: {
    tool: createStoryTool({
      toolName: 'nested',
      args: {
        trip: 'Vienna to Graz',
        passenger: { name: 'Ada', seat: { car: 21, number: 64, window: true, table: false, quiet: true } },
        stops: ['Meidling', 'Mürzzuschlag', 'Bruck an der Mur'],
        notes: null,
      },
      definition: { title: 'Book a train' },
    }),
  },
  play: async () => {
    const button = await screen.findByRole('button', { name: '5 more inside' });
    button.focus();
    await userEvent.keyboard('{Enter}');
    await expect(row('Quiet')).toHaveTextContent('Yes');
    await expect(row('Notes')).toHaveTextContent('nothing');
  },
};

/** A secret is not shown, in whichever way it is known to be one. */
export const Secrets: Story = {
  args: {
    tool: createStoryTool({
      toolName: 'secrets',
      args: { user: 'ada', password: 'x-1', door: 'x-2' },
      definition: {
        title: 'Sign in',
        input: z.object({ user: z.string(), door: z.string().meta({ writeOnly: true }) }).loose(),
      },
    }),
  },
  play: async () => {
    await screen.findByRole('dialog');
    await expect(row('Password')).toHaveTextContent(/^Password\s*hidden$/);
    await expect(row('Door')).toHaveTextContent(/^Door\s*hidden$/);
  },
};

/** Names of the prototype, characters that turn text around, a value that does not fit, a file that is none. */
export const Hostile: Story = {
  args: {
    tool: createStoryTool({
      toolName: 'hostile',
      args: JSON.parse(
        '{"__proto__":{"a":1},"constructor":"x","amount":"89","currency":"<img src=x>","payTo":"Ada \\u202e moc.live","size":1e30,"file":{"id":"f","mediaType":"image/png","url":"https://evil.example/?q=1"}}',
      ),
      definition: {
        title: 'Pay',
        input: z.looseObject({
          amount: z
            .unknown()
            .meta({ title: 'Amount', emphasis: true, format: 'currency', currencyField: 'currency' }),
          size: z.number().meta({ unit: 'kg' }),
          file: z.unknown().meta({ format: 'file' }),
        }),
      },
    }),
  },
  play: async () => {
    await screen.findByRole('dialog');
    await expect(row('Amount')).toHaveTextContent('89');
    await expect(row('Pay to')).toHaveTextContent('Ada \\u{202e} moc.live');
    await expect(row('Proto')).toHaveTextContent('A1');
    await expect(document.querySelector('.hr-arguments img')).toBe(null);
  },
};

const shippingInput = z.object({
  weight: z.number().meta({ title: 'Gewicht', emphasis: true, unit: 'kg' }),
  way: z.literal(['std', 'exp']).meta({ title: 'Versand', enumNames: ['Standard', 'Express'] }),
  price: z.number().meta({ title: 'Preis', format: 'currency', currency: 'EUR' }),
  at: z.iso.datetime({ local: true }).meta({ title: 'Abholung', format: 'date-time' }),
  fragile: z.boolean().meta({ title: 'Zerbrechlich' }),
});

/** Numbers, amounts and days in the language of the labels. */
export const German: Story = {
  args: {
    labels: de,
    tool: createStoryTool({
      toolName: 'german',
      args: { weight: 1250.5, way: 'exp', price: 1234.5, at: '2026-11-30T14:30', fragile: true },
      definition: { title: 'Paket senden', input: shippingInput },
    }),
  },
  play: async () => {
    await screen.findByRole('dialog');
    await expect(row('Gewicht')).toHaveTextContent('1.250,5 kg');
    await expect(row('Versand')).toHaveTextContent('Express');
    await expect(row('Preis')).toHaveTextContent('1.234,50 €');
    await expect(row('Abholung')).toHaveTextContent(/Montag, 30. November 2026 um 14:30/);
  },
};

/** The arrow points to the new value, and the old value comes first in reading order. */
export const RightToLeft: Story = {
  args: { tool: createStoryTool({ ...editable, toolName: 'rtl' }) },
  parameters: { direction: 'rtl' },
  play: async () => {
    (await screen.findByRole('button', { name: 'Change Amount' })).focus();
    await userEvent.keyboard('{Enter}');
    await screen.findByRole('spinbutton', { name: 'Amount' });
    await userEvent.keyboard('{Control>}a{/Control}45{Enter}');
    await waitFor(() => expect(screen.getByText('Changed by you')).toBeVisible());
    const place = (part: string) => row('Amount')?.querySelector(part)?.getBoundingClientRect().left ?? 0;
    await expect(place('.hr-before')).toBeGreaterThan(place('.hr-value-text:not(.hr-before *)'));
  },
};

/** On a phone the names are narrower, and a long text has two lines. */
export const Phone: Story = {
  args: { tool: createStoryTool({ ...editable, toolName: 'phone' }) },
  globals: { viewport: { value: 'phone' } },
  play: async () => {
    await screen.findByRole('dialog');
    await expect(row('Amount')).toHaveTextContent('€89.00');
  },
};
