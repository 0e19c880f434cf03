import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent } from 'storybook/test';
import { ToolCallView } from '../../src/components/transcript/tool-call-view.tsx';
import { weatherCall } from '../support/example-conversation.ts';
import { inColumn } from '../support/in-column.tsx';

const meta = {
  title: 'Components/ToolCallView',
  component: ToolCallView,
  decorators: [inColumn],
  tags: ['autodocs'],
  args: {
    part: weatherCall,
    waiting: false,
  },
  argTypes: { part: { control: 'object' } },
} satisfies Meta<typeof ToolCallView>;
export default meta;

export const Live: StoryObj<typeof meta> = {
  play: async () => {
    await userEvent.tab();
    await expect(screen.getByText('Get weather').closest('summary')).toHaveFocus();
  },
};

/** The backend shows the call by its title alone, so there is nothing to open. */
export const TitleOnly: StoryObj<typeof meta> = {
  args: { part: { ...weatherCall, displayName: 'Looking at the sky', display: 'title' } },
  play: async () => {
    await expect(screen.getByText('Looking at the sky')).toBeVisible();
    await expect(document.querySelector('.hr-call-body')).toBeEmptyDOMElement();
  },
};
