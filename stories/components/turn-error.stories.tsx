import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, fn, screen, userEvent } from 'storybook/test';
import { TurnError, type TurnErrorProps } from '../../src/components/transcript/turn-error.tsx';
import { AgentChatError } from '../../src/shared/errors.ts';

/** The text of this page's error. This control belongs to the page, not to the component. */
interface LiveErrorArgs extends TurnErrorProps {
  readonly message: string;
  readonly retryable: boolean;
  readonly retryAfter: number | undefined;
}

const inPage = { category: 'This page' };

const meta = {
  title: 'Components/TurnError',
  component: TurnError,
  tags: ['autodocs'],
  args: {
    error: new AgentChatError({ code: 'backend_error', message: '' }),
    message: 'The model is overloaded.',
    retryable: true,
    retryAfter: 20,
    onRetry: fn(),
    onDismiss: fn(),
  },
  argTypes: {
    error: { control: false },
    message: { control: 'text', table: inPage },
    retryable: { control: 'boolean', table: inPage },
    retryAfter: { control: { type: 'number', min: 0 }, table: inPage },
  },
  render: ({ message, retryable, retryAfter, ...props }) => (
    <div className="story-column">
      <TurnError
        {...props}
        error={new AgentChatError({ code: 'backend_error', message, retryable, retryAfter })}
      />
    </div>
  ),
} satisfies Meta<LiveErrorArgs>;
export default meta;

type Story = StoryObj<typeof meta>;

export const Live: Story = {
  play: async ({ args }) => {
    await expect(screen.getByRole('alert')).toHaveTextContent('The model is overloaded.');
    await userEvent.tab();
    await expect(screen.getByRole('button', { name: 'Try again' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect(args.onRetry).toHaveBeenCalledOnce();
  },
};

/** An error that no retry can help has no retry button. */
export const Final: Story = {
  args: { message: 'This conversation has been closed.', retryable: false, retryAfter: undefined },
  play: async ({ args }) => {
    await expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    await expect(args.onDismiss).toHaveBeenCalledOnce();
  },
};
