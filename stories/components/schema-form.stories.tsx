import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, fn, screen, userEvent, waitFor } from 'storybook/test';
import { SchemaForm } from '../../src/components/form/schema-form.tsx';
import { callsOf } from '../support/story-tool.ts';

const meta = {
  title: 'Components/SchemaForm',
  component: SchemaForm,
  tags: ['autodocs'],
  args: {
    schema: {
      type: 'object',
      required: ['name', 'email'],
      properties: {
        name: { type: 'string', title: 'Name' },
        email: { type: 'string', format: 'email', title: 'Email' },
        seats: { type: 'integer', minimum: 1, maximum: 8, default: 2, title: 'Seats' },
      },
    },
    onSubmit: fn(),
    onCancel: fn(),
  },
  argTypes: {
    schema: { control: 'object' },
    defaultValue: { control: 'object' },
    labels: { control: 'object' },
  },
  // A form reads its schema once; another schema is another form.
  render: (args) => (
    <div className="story-column" key={JSON.stringify([args.schema, args.defaultValue])}>
      <SchemaForm {...args} />
    </div>
  ),
} satisfies Meta<typeof SchemaForm>;
export default meta;

export const Live: StoryObj<typeof meta> = {
  play: async ({ args }) => {
    screen.getByRole('textbox', { name: 'Name' }).focus();
    await userEvent.keyboard('Ada');
    await userEvent.tab();
    await userEvent.keyboard('ada@example.com{Enter}');
    const value = { name: 'Ada', email: 'ada@example.com', seats: 2 };
    await waitFor(() => expect(callsOf(args.onSubmit)).toEqual([[value]]));
  },
};
