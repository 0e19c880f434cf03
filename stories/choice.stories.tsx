import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent, waitFor } from 'storybook/test';
import { z } from 'zod';
import { ChoiceDialog } from '../src/components/choice/choice-dialog.tsx';
import { callsOf, createStoryTool } from './support/story-tool.ts';

const flights = () =>
  createStoryTool({
    toolName: 'select-option',
    args: {
      title: 'Pick a flight',
      question: 'These three fit your calendar.',
      options: [
        { value: 'os201', label: '07:05, direct', description: 'Austrian OS 201, arrives 08:25' },
        { value: 'lh1239', label: '09:40, one stop', description: 'Lufthansa LH 1239, arrives 13:10' },
        { value: 'os205', label: '17:20, direct', description: 'Austrian OS 205, arrives 18:40' },
      ],
    },
  });

const meta = {
  title: 'Dialogs/Choice',
  component: ChoiceDialog,
  args: { tool: flights() },
} satisfies Meta<typeof ChoiceDialog>;
export default meta;

type Story = StoryObj<typeof meta>;

export const Single: Story = {
  args: { tool: flights() },
  play: async ({ args: { tool } }) => {
    await screen.findByRole('dialog', { name: 'Pick a flight' });
    await waitFor(() => expect(screen.getByRole('radio', { name: '07:05, direct' })).toHaveFocus());
    await userEvent.keyboard('2');
    await expect(screen.getByRole('radio', { name: '09:40, one stop' })).toBeChecked();
    await expect(tool.submit).not.toHaveBeenCalled();
  },
};

export const PickedByNumber: Story = {
  args: { tool: flights() },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('radio', { name: '07:05, direct' })).toHaveFocus());
    await userEvent.keyboard('3{Enter}');
    await expect(callsOf(tool.submit)).toEqual([[{ selected: 'os205' }]]);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  },
};

export const NothingPicked: Story = {
  args: { tool: flights() },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('radio', { name: '07:05, direct' })).toHaveFocus());
    await userEvent.keyboard('{Enter}');
    await expect(screen.getByRole('radiogroup')).toHaveAccessibleDescription('Choose one of the options.');
    await expect(tool.submit).not.toHaveBeenCalled();
  },
};

export const CancelledByEscape: Story = {
  args: { tool: flights() },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('radio', { name: '07:05, direct' })).toHaveFocus());
    await userEvent.keyboard('{Escape}');
    await expect(callsOf(tool.cancel)).toEqual([[]]);
  },
};

export const Multiple: Story = {
  args: {
    tool: createStoryTool({
      toolName: 'select-option',
      args: { question: 'Which reports should I prepare?', options: ['Sales', 'Costs', 'Forecast', 'Staff'] },
      definition: {
        title: 'Prepare reports',
        output: z.object({
          reports: z
            .array(z.enum(['Sales', 'Costs', 'Forecast', 'Staff']))
            .min(1)
            .max(2),
        }),
      },
    }),
  },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('checkbox', { name: 'Sales' })).toHaveFocus());
    await userEvent.keyboard('134');
    screen.getByRole('button', { name: 'Send' }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(screen.getByRole('status')).toHaveTextContent('Choose at most 2.');
    await userEvent.keyboard('4');
    screen.getByRole('button', { name: 'Send' }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(tool.submit)).toEqual([[{ reports: ['Sales', 'Forecast'] }]]);
  },
};

const zones = Array.from({ length: 60 }, (_, index) => `Zone ${index + 1}`);

export const Searchable: Story = {
  args: { tool: createStoryTool({ toolName: 'select-zone', args: { options: zones } }) },
  play: async ({ args: { tool } }) => {
    const search = await screen.findByRole('searchbox', { name: 'Search options' });
    await waitFor(() => expect(search).toHaveFocus());
    await userEvent.keyboard('zone 42{Enter}');
    await expect(screen.getAllByRole('radio')).toHaveLength(1);
    await expect(tool.submit).not.toHaveBeenCalled();
    await userEvent.tab();
    await userEvent.keyboard(' {Enter}');
    await expect(callsOf(tool.submit)).toEqual([[{ selected: 'Zone 42' }]]);
  },
};

export const LongList: Story = {
  args: { tool: createStoryTool({ toolName: 'select-zone', args: { options: zones } }) },
  play: async () => {
    await waitFor(() => expect(screen.getByRole('searchbox')).toHaveFocus());
    await userEvent.keyboard('9');
    await expect(screen.getByText('6 options')).toBeInTheDocument();
  },
};

export const NoOptions: Story = {
  args: { tool: createStoryTool({ toolName: 'select-zone', args: { options: [] } }) },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('button', { name: "Don't answer" })).toHaveFocus());
    await userEvent.keyboard('{Enter}');
    await expect(tool.decline).toHaveBeenCalledOnce();
  },
};

export const Dark: Story = { ...Single, args: { tool: flights() }, parameters: { theme: 'dark' } };
