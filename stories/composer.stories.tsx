import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, fn, screen, userEvent, waitFor } from 'storybook/test';
import type { UploadFile } from '../src/components/attachments/use-attachments.ts';
import { Composer } from '../src/components/composer/composer.tsx';
import { de } from '../src/locales-de.ts';
import { inColumn } from './support/in-column.tsx';

/** The field and buttons to write and send a message. */
const meta = {
  title: 'Composer',
  component: Composer,
  args: { onSend: fn(), onStop: fn() },
  argTypes: {
    status: { control: 'inline-radio', options: ['idle', 'streaming', 'awaiting-input', 'error'] },
    whilePending: { control: 'inline-radio', options: ['reject', 'cancel', 'queue'] },
    attachments: { control: 'boolean' },
    children: { control: false },
    inputRef: { control: false },
  },
  decorators: [inColumn],
} satisfies Meta<typeof Composer>;
export default meta;

type Story = StoryObj<typeof meta>;

const field = () => screen.getByRole<HTMLTextAreaElement>('textbox');

export const Write: Story = {
  play: async ({ args }) => {
    await userEvent.tab();
    await expect(field()).toHaveFocus();
    const before = field().getBoundingClientRect().height;
    await userEvent.keyboard('One{Shift>}{Enter}{/Shift}Two{Shift>}{Enter}{/Shift}Three');
    // The field grows with its text and shows all of it.
    await expect(field().getBoundingClientRect().height).toBeGreaterThan(before * 2);
    await expect(field().scrollHeight).toBeLessThanOrEqual(field().clientHeight);
    await userEvent.keyboard('{Enter}');
    await expect(args.onSend).toHaveBeenCalledWith({ content: 'One\nTwo\nThree' });
    await expect(field()).toHaveValue('');
    await expect(field().getBoundingClientRect().height).toBe(before);
  },
};

export const Answering: Story = {
  args: { status: 'streaming' },
  play: async ({ args }) => {
    await userEvent.tab();
    await userEvent.tab();
    await expect(screen.getByRole('button', { name: 'Stop' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect(args.onStop).toHaveBeenCalledTimes(1);
    await expect(field()).toHaveFocus();
  },
};

export const QuestionOpen: Story = {
  args: { status: 'awaiting-input' },
  play: async ({ args }) => {
    await userEvent.tab();
    await userEvent.keyboard('Never mind{Enter}');
    await expect(args.onSend).not.toHaveBeenCalled();
    await expect(field()).toHaveValue('Never mind');
    await expect(field()).toHaveAccessibleDescription(/Answer or stop it first/);
  },
};

export const NotSent: Story = {
  args: { onSend: fn(() => Promise.reject(new Error('The server is away.'))) },
  play: async () => {
    await userEvent.tab();
    await userEvent.keyboard('Hello{Enter}');
    await waitFor(() => expect(field()).toHaveValue('Hello'));
    await expect(field()).toHaveAccessibleDescription('Not sent: The server is away.');
  },
};

/** One file is uploaded, one never finishes, one fails. */
const upload: UploadFile = (file, onProgress) => {
  if (file.name.startsWith('slow')) {
    onProgress(40);
    return new Promise(() => {});
  }
  if (file.name.startsWith('broken')) return Promise.reject(new Error('The disk is full'));
  return Promise.resolve({
    id: file.name,
    mediaType: file.type,
    url: 'https://files.example/1',
    size: 48_200,
  });
};

export const Files: Story = {
  args: { attachments: true, onUpload: upload },
  play: async ({ canvasElement, args }) => {
    await userEvent.tab();
    await expect(screen.getByRole('button', { name: 'Attach files' })).toHaveFocus();
    const files = ['trip.pdf', 'slow-upload.png', 'broken.zip'].map((name) => new File(['x'], name));
    await userEvent.upload(canvasElement.querySelector('input[type="file"]') as HTMLInputElement, files);
    await expect(await screen.findByText('The disk is full')).toBeVisible();
    await expect(screen.getByRole('progressbar', { name: 'Uploading slow-upload.png' })).toHaveValue(40);
    for (const name of ['slow-upload.png', 'broken.zip']) {
      screen.getByRole('button', { name: `Remove ${name}` }).focus();
      await userEvent.keyboard('{Enter}');
      await expect(field()).toHaveFocus();
    }
    await userEvent.keyboard('Have a look{Enter}');
    await expect(args.onSend).toHaveBeenCalledWith({
      content: 'Have a look',
      files: [expect.objectContaining({ id: 'trip.pdf' })],
    });
  },
};

export const UploadFailed: Story = {
  args: { attachments: true, onUpload: upload },
  play: async ({ canvasElement }) => {
    const files = ['trip.pdf', 'slow-upload.png', 'broken.zip'].map((name) => new File(['x'], name));
    await userEvent.upload(canvasElement.querySelector('input[type="file"]') as HTMLInputElement, files);
    await expect(await screen.findByText('The disk is full')).toBeVisible();
    field().focus();
    await userEvent.keyboard('Look{Enter}');
    await expect(field()).toHaveAccessibleDescription('A file was not uploaded. Try it again or remove it.');
  },
};

export const Dark: Story = { ...UploadFailed, parameters: { theme: 'dark' } };

export const German: Story = {
  args: { labels: de, status: 'awaiting-input' },
  play: async () => {
    await userEvent.tab();
    await expect(screen.getByRole('textbox', { name: 'Nachricht' })).toHaveFocus();
  },
};

export const RightToLeft: Story = {
  ...UploadFailed,
  parameters: { direction: 'rtl' },
};

export const Phone: Story = { ...UploadFailed, globals: { viewport: { value: 'phone' } } };
