import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent, within } from 'storybook/test';
import { ChoiceCard } from '../src/components/choice/choice-dialog.tsx';
import { ConfirmationCard } from '../src/components/confirmation/confirmation-dialog.tsx';
import { FormCard } from '../src/components/form/form-dialog.tsx';
import { inColumn } from './support/in-column.tsx';
import { callsOf, createStoryTool } from './support/story-tool.ts';

/** The same questions in the flow of a transcript. They take no focus and do not block the page. */
const meta = {
  title: 'Cards',
  component: ConfirmationCard,
  args: { tool: createStoryTool() },
  decorators: [inColumn],
  parameters: { docs: { story: { inline: true } } },
} satisfies Meta<typeof ConfirmationCard>;
export default meta;

type Story = StoryObj<typeof meta>;

export const Confirmation: Story = {
  args: {
    tool: createStoryTool({
      toolName: 'delete-project',
      args: { project: 'atlas-website', files: 1284 },
      definition: {
        title: 'Delete project atlas-website',
        confirmLabel: 'Delete project',
        severity: 'destructive',
      },
    }),
  },
  play: async ({ args: { tool } }) => {
    const card = screen.getByRole('region', { name: 'Delete project atlas-website' });
    await expect(document.body).toHaveFocus();
    within(card).getByRole('button', { name: 'Delete project' }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(tool.submit)).toEqual([[{ confirmed: true }]]);
    await expect(card).toHaveAttribute('data-outcome', 'submitted');
    await expect(card).toHaveFocus();
    await expect(card).toHaveAccessibleDescription('Confirmed');
  },
};

export const Open: Story = {
  args: {
    tool: createStoryTool({
      args: { action: 'Place order', description: 'Two flat whites.', total: '€ 7.60' },
    }),
  },
  play: async () => {
    await expect(screen.getByRole('region', { name: 'Place order' })).toHaveAttribute(
      'data-answer',
      'waiting',
    );
  },
};

export const Form: Story = {
  args: {
    tool: createStoryTool({
      toolName: 'collect-contact',
      args: { fields: [{ name: 'email', label: 'Email', type: 'email', required: true }] },
    }),
  },
  render: (args) => <FormCard {...args} />,
  play: async ({ args: { tool } }) => {
    await userEvent.tab();
    await expect(screen.getByRole('textbox', { name: 'Email' })).toHaveFocus();
    await userEvent.keyboard('ada@example.com{Enter}');
    await expect(await screen.findByRole('region')).toHaveAttribute('data-outcome', 'submitted');
    await expect(callsOf(tool.submit)).toEqual([[{ email: 'ada@example.com' }]]);
  },
};

export const Choice: Story = {
  args: { tool: createStoryTool({ toolName: 'select-seat', args: { options: ['Inside', 'Outside'] } }) },
  render: (args) => <ChoiceCard {...args} />,
  play: async ({ args: { tool } }) => {
    screen.getByRole('radio', { name: 'Inside' }).focus();
    await userEvent.keyboard('2{Enter}');
    await expect(callsOf(tool.submit)).toEqual([[{ selected: 'Outside' }]]);
  },
};

/** An answered card is a line, which opens to what was asked. */
export const Answered: Story = {
  ...Confirmation,
  play: async (context) => {
    await Confirmation.play?.(context);
    const line = screen.getByRole('button', { name: /^Delete project atlas-website Confirmed/ });
    await expect(screen.queryByRole('term')).not.toBeInTheDocument();
    await userEvent.tab();
    await expect(line).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect(screen.getByText('1284')).toBeVisible();
  },
};

export const Dark: Story = { ...Confirmation, parameters: { theme: 'dark' } };
