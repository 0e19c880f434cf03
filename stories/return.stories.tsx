import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, fireEvent, screen, userEvent, waitFor, within } from 'storybook/test';
import type { UploadFile } from '../src/components/attachments/use-attachments.ts';
import { FormDialog } from '../src/components/form/form-dialog.tsx';
import { findSummary } from './support/find-summary.ts';
import { germanLabels } from './support/german-labels.ts';
import { callsOf, createStoryTool } from './support/story-tool.ts';

const lamp = {
  type: 'object',
  required: ['state', 'paid', 'day', 'wrong', 'photo', 'pin'],
  properties: {
    state: {
      type: 'integer',
      title: 'How is the lamp?',
      minimum: 1,
      maximum: 5,
      description: '1 = poor, 5 = great',
    },
    paid: {
      type: 'number',
      title: 'You paid',
      exclusiveMinimum: 0,
      maximum: 89,
      format: 'currency',
      currency: 'EUR',
    },
    day: { type: 'string', title: 'Pick-up day', format: 'date', formatMinimum: '2026-11-30' },
    wrong: { type: 'array', title: 'What is wrong', minItems: 1, maxItems: 5, items: { type: 'string' } },
    photo: { title: 'Photo', format: 'file', accept: 'image/*' },
    pin: { type: 'string', title: 'PIN of your account', writeOnly: true },
  },
};

const uploadFile: UploadFile = async (file) => ({
  id: file.name,
  mediaType: file.type,
  url: `https://files.example/${file.name}`,
  filename: file.name,
  size: file.size,
});

/** A picture of one point. */
const picture = () => {
  const base64 =
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M/wHwAEBgIApD5fRAAAAABJRU5ErkJggg==';
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  return new File([bytes], 'lamp-flicker.png', { type: 'image/png' });
};

const back = () =>
  createStoryTool({
    toolName: 'return-lamp',
    args: { message: 'The shop needs this to send you a label.' },
    definition: { title: 'Return a lamp' },
  });

/** A form of scale, money, day, list, file and secret. */
const meta = {
  title: 'Dialogs/Form of a return',
  component: FormDialog,
  args: { tool: back(), schema: lamp, uploadFile, submitLabel: 'Send' },
} satisfies Meta<typeof FormDialog>;
export default meta;

type Story = StoryObj<typeof meta>;

async function fill() {
  await waitFor(() => expect(screen.getByRole('radio', { name: '1, Poor' })).toHaveFocus());
  await userEvent.keyboard('2');
  await userEvent.tab();
  await userEvent.keyboard('89');
  await userEvent.tab();
  await expect(screen.getByRole('spinbutton', { name: 'You paid' })).toHaveValue('89.00');
  fireEvent.change(screen.getByLabelText('Pick-up day'), { target: { value: '2026-12-01' } });
  await userEvent.type(screen.getByRole('textbox', { name: 'What is wrong 1' }), 'It flickers');
  screen.getByRole('button', { name: 'Add another What is wrong' }).focus();
  await userEvent.keyboard('{Enter}The cable is short');
  await userEvent.upload(screen.getByLabelText('Photo'), picture());
  await waitFor(() => expect(document.querySelector('.hr-thumbnail')).toHaveAttribute('src'));
  await userEvent.type(screen.getByLabelText('PIN of your account'), '4711');
}

export const Filled: Story = {
  args: { tool: back() },
  play: async ({ args: { tool } }) => {
    await fill();
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    await waitFor(() =>
      expect(callsOf(tool.submit)[0]?.[0]).toMatchObject({
        state: 2,
        paid: 89,
        day: '2026-12-01',
        wrong: ['It flickers', 'The cable is short'],
        pin: '4711',
      }),
    );
  },
};

export const BeforeSending: Story = {
  args: { tool: back() },
  play: async () => {
    await fill();
    const pin = screen.getByLabelText('PIN of your account');
    await expect(pin).toHaveAccessibleDescription(`Goes to ${location.host} only. Not kept in the chat.`);
    screen.getByRole('button', { name: 'Show' }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(pin).toHaveAttribute('type', 'text');
    await userEvent.keyboard('{Enter}');
    await expect(pin).toHaveAttribute('type', 'password');
  },
};

export const ErrorsDark: Story = {
  args: { tool: back() },
  parameters: { theme: 'dark' },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('radio', { name: '1, Poor' })).toHaveFocus());
    await userEvent.tab();
    await userEvent.keyboard('89');
    fireEvent.change(screen.getByLabelText('Pick-up day'), { target: { value: '2026-11-27' } });
    await userEvent.type(screen.getByRole('textbox', { name: 'What is wrong 1' }), 'It flickers');
    await userEvent.upload(screen.getByLabelText('Photo'), picture());
    await userEvent.type(screen.getByLabelText('PIN of your account'), '4711{Enter}');
    const summary = await findSummary('2 answers need a look');
    await expect(summary).toHaveFocus();
    const [scale, day] = within(summary).getAllByRole('link');
    await expect(scale).toHaveTextContent('How is the lamp? Choose 1 to 5.');
    await expect(day).toHaveTextContent('Pick-up day: Monday, November 30, 2026 or later.');
    await userEvent.click(day as HTMLElement);
    await expect(screen.getByLabelText('Pick-up day')).toHaveFocus();
    await userEvent.click(scale as HTMLElement);
    await userEvent.keyboard('2');
    await waitFor(() => expect(within(summary).getAllByRole('link')).toHaveLength(1));
    await expect(tool.submit).not.toHaveBeenCalled();
  },
};

export const German: Story = {
  args: { tool: back(), labels: { ...germanLabels, locale: 'de' }, submitLabel: 'Senden' },
  play: async () => {
    const paid = await screen.findByRole('spinbutton', { name: 'You paid' });
    await userEvent.type(paid, '45,5');
    await userEvent.tab();
    await expect(paid).toHaveValue('45,50');
  },
};
