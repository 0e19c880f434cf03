import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen } from 'storybook/test';
import { ConfirmationCard } from '../../src/components/confirmation/confirmation-dialog.tsx';
import { LabelsProvider } from '../../src/components/text/labels-context.tsx';
import { de } from '../../src/locales-de.ts';
import { exampleCalls } from '../support/example-calls.ts';
import { createStoryTool } from '../support/story-tool.ts';

const meta = {
  title: 'Components/LabelsProvider',
  component: LabelsProvider,
  tags: ['autodocs'],
  args: {
    labels: { confirm: 'Order it', decline: 'No, thank you' },
    children: (
      <div className="story-column">
        <ConfirmationCard tool={createStoryTool(exampleCalls['Place order'])} />
      </div>
    ),
  },
  argTypes: { labels: { control: 'object' }, children: { control: false } },
} satisfies Meta<typeof LabelsProvider>;
export default meta;

type Story = StoryObj<typeof meta>;

export const Live: Story = {
  play: async () => {
    await expect(screen.getByRole('button', { name: 'Order it' })).toBeVisible();
    // Strings that are not replaced stay English.
    await expect(screen.getByRole('button', { name: 'Add a note' })).toBeVisible();
  },
};

export const AnotherLanguage: Story = {
  args: { labels: de },
  play: async () => {
    await expect(screen.getByRole('button', { name: 'Bestätigen' })).toBeVisible();
    await expect(screen.queryByText('Confirm')).toBeNull();
  },
};
