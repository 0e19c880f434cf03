import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, fn, screen, userEvent, waitFor } from 'storybook/test';
import { z } from 'zod';
import { SchemaForm } from '../src/components/form/schema-form.tsx';
import { callsOf } from './support/story-tool.ts';

const schema = z.object({
  name: z.string().min(2).meta({ title: 'Name' }),
  email: z.email().meta({ title: 'Email', description: 'We only use it for your tickets.' }),
  seats: z.number().int().min(1).max(8).default(2).meta({ title: 'Seats' }),
  arrival: z.enum(['Friday', 'Saturday']).meta({ title: 'Arrival' }),
  notes: z.string().max(500).optional().meta({ title: 'Notes' }),
});

/** A form from a Zod schema, JSON Schema or a `fields` array, on its own. */
const meta = {
  title: 'SchemaForm',
  component: SchemaForm,
  args: { schema, onSubmit: fn(), onCancel: fn() },
  decorators: [
    (Story) => (
      <div className="story-column">
        <Story />
      </div>
    ),
  ],
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
    await userEvent.click(screen.getByRole('button', { name: 'Submit' }));
    const value = { name: 'Ada', email: 'ada@example.com', seats: 2, arrival: 'Saturday' };
    await waitFor(() => expect(callsOf(args.onSubmit)).toEqual([[value, value]]));
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

export const Dark: Story = { ...Cancelled, parameters: { theme: 'dark' } };
