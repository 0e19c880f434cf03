import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen } from 'storybook/test';
import { ConfirmationCard } from '../../src/components/confirmation/confirmation-dialog.tsx';
import { SlotsProvider } from '../../src/components/primitives/slot.tsx';
import { exampleCalls } from '../support/example-calls.ts';
import { createStoryTool } from '../support/story-tool.ts';

const meta = {
  title: 'Components/SlotsProvider',
  component: SlotsProvider,
  tags: ['autodocs'],
  args: {
    slots: {
      card: { className: 'story-own-card' },
      button: {
        render: ({ children, ...props }) => (
          <button {...props}>
            {children}
            {props['data-look'] === 'primary' && ' ›'}
          </button>
        ),
      },
    },
    children: (
      <div className="story-column">
        <ConfirmationCard tool={createStoryTool(exampleCalls['Place order'])} />
      </div>
    ),
  },
  argTypes: { slots: { control: 'object' }, children: { control: false } },
} satisfies Meta<typeof SlotsProvider>;
export default meta;

export const Live: StoryObj<typeof meta> = {
  play: async () => {
    await expect(screen.getByRole('region', { name: 'Place order' })).toHaveClass('story-own-card');
    await expect(screen.getByRole('button', { name: 'Confirm ›' })).toBeVisible();
  },
};
