import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent, waitFor } from 'storybook/test';
import type { ToolCallPart } from '../src/core/state/message.ts';
import type { CodeExecution, CodeExecutionResult } from '../src/sandbox/code-execution.ts';
import { RunCodeCard } from '../src/sandbox/ui/run-code-card.tsx';
import { RunCodeQuestion } from '../src/sandbox/ui/run-code-question.tsx';
import type { RunCodeToolOptions } from '../src/sandbox/ui/run-code-setup.ts';
import { runCodeTool } from '../src/sandbox/ui/run-code-tool.ts';
import { createDeferred } from '../test/support/deferred.ts';
import { inColumn } from './support/in-column.tsx';
import { callsOf, createStoryTool } from './support/story-tool.ts';

const code = `import { readOrders } from 'shop';

interface Order { id: string; total: number }

// Sums this week's orders
export default async function main(): Promise<number> {
  const orders: Order[] = await readOrders('2026-W03');
  report(\`\${orders.length} orders\`);
  return orders.reduce((sum, { total }) => sum + total, 0);
}
`;

const readOrders = async () => [
  { id: 'a', total: 11.4 },
  { id: 'b', total: 30.6 },
];

const options: RunCodeToolOptions = {
  imports: { shop: { readOrders } },
  globals: { settings: { currency: 'EUR' } },
  capabilityDescriptions: { 'readOrders from shop': 'Read your orders of a week' },
};

const args = { code, explanation: 'Adds up your orders of this week.' };

/** Creates the tool of a question, as the queue of dialogs passes it. */
function ask(given: RunCodeToolOptions = options, callArgs: Record<string, unknown> = args) {
  const { interactive: _, ...definition } = runCodeTool(given);
  return createStoryTool({ toolName: 'run-code', args: callArgs, definition });
}

/** Creates a run that only ends when the story terminates it. */
function stuckRun(reports: readonly unknown[]): NonNullable<RunCodeToolOptions['run']> {
  return (_, { report }) => {
    const { promise, resolve } = createDeferred<CodeExecutionResult>();
    queueMicrotask(() => {
      for (const value of reports) report?.(value);
    });
    const handle: CodeExecution = {
      // biome-ignore lint/suspicious/noThenProperty: the contract makes the handle awaitable
      then: (onFulfilled, onRejected) => promise.then(onFulfilled, onRejected),
      running: true,
      reports,
      terminate: (reason) =>
        resolve({
          status: 'terminated',
          reports,
          logs: [],
          error: { name: 'TerminatedError', message: `Terminated: ${reason}` },
          durationMs: 1200,
        }),
    };
    return handle;
  };
}

const meta = {
  title: 'Dialogs/Run code',
  component: RunCodeQuestion,
  decorators: [inColumn],
  args: { tool: ask() },
} satisfies Meta<typeof RunCodeQuestion>;
export default meta;

type Story = StoryObj<typeof meta>;

export const Asking: Story = {
  args: { tool: ask() },
  play: async ({ args: { tool } }) => {
    const dialog = await screen.findByRole('dialog', { name: 'Run code' });
    await expect(dialog).toHaveAccessibleDescription('Adds up your orders of this week.');
    await expect(screen.getByRole('region', { name: 'Code' })).toHaveTextContent('readOrders');
    await waitFor(() => expect(screen.getByText(/Read your orders of a week/)).toBeVisible());
    await waitFor(() => expect(screen.getByRole('button', { name: 'Don’t run' })).toHaveFocus());
    await expect(tool.submit).not.toHaveBeenCalled();
  },
};

export const AllowedByKeyboard: Story = {
  args: { tool: ask() },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('button', { name: 'Don’t run' })).toHaveFocus());
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(callsOf(tool.submit)).toHaveLength(1));
    await expect(callsOf(tool.submit)[0]?.[0]).toMatchObject({
      status: 'success',
      result: 42,
      reports: ['2 orders'],
    });
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  },
};

export const Declined: Story = {
  args: { tool: ask() },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('button', { name: 'Don’t run' })).toHaveFocus());
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(tool.decline)).toHaveLength(1);
    await expect(tool.submit).not.toHaveBeenCalled();
  },
};

export const NoCapabilities: Story = {
  args: { tool: ask({}, { code: 'export default 2 ** 64' }) },
  play: async () => {
    await waitFor(() => expect(screen.getByText('Nothing outside its own code')).toBeVisible());
  },
};

export const RunningAndStopped: Story = {
  args: { tool: ask({ ...options, severity: 'neutral', run: stuckRun(['12 of 80', '24 of 80']) }) },
  play: async ({ args: { tool } }) => {
    await waitFor(() => expect(screen.getByRole('button', { name: 'Run code' })).toHaveFocus());
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(screen.getByText('24 of 80')).toBeVisible());
    await waitFor(() => expect(screen.getByRole('button', { name: 'Stop' })).toHaveFocus());
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(callsOf(tool.submit)).toHaveLength(1));
    await expect(callsOf(tool.submit)[0]?.[0]).toMatchObject({
      status: 'terminated',
      error: { message: 'Terminated: stopped by the user' },
    });
  },
};

export const DeceptiveCharacters: Story = {
  args: {
    tool: ask(
      {},
      { code: 'const access = "user\u202e \u2066// check if admin\u2069 \u2066";\nexport default access' },
    ),
  },
  play: async () => {
    await expect(await screen.findByRole('region', { name: 'Code' })).toHaveTextContent('\\u{202e}');
  },
};

export const Dark: Story = { ...Asking, args: { tool: ask() }, parameters: { theme: 'dark' } };

const cardTool = runCodeTool(options);
const part: ToolCallPart = {
  type: 'tool-call',
  toolCallId: 'card-1',
  toolName: 'run-code',
  args,
  status: 'done',
};

export const CardWithResult: Story = {
  render: () => (
    <RunCodeCard
      tool={cardTool}
      part={{
        ...part,
        result: {
          status: 'success',
          result: { sum: 42 },
          reports: ['2 orders'],
          logs: [{ level: 'log', args: ['done'] }],
          durationMs: 12,
        },
      }}
    />
  ),
  play: async () => {
    await expect(await screen.findByText('Finished')).toBeVisible();
    await expect(screen.getByRole('log', { name: 'Progress' })).toHaveTextContent('2 orders');
  },
};

export const CardWithError: Story = {
  render: () => (
    <RunCodeCard
      tool={cardTool}
      part={{
        ...part,
        result: {
          status: 'error',
          error: {
            name: 'TypeError',
            message: "cannot read property 'total' of undefined",
            filename: '<runCode>',
            line: 9,
            column: 12,
          },
          durationMs: 4,
        },
      }}
    />
  ),
  play: async () => {
    await expect(await screen.findByText('Failed')).toBeVisible();
    await expect(screen.getByText(/line 9, column 12/)).toBeVisible();
  },
};

export const CardDeclined: Story = {
  render: () => (
    <RunCodeCard tool={cardTool} part={{ ...part, outcome: 'declined', result: { outcome: 'declined' } }} />
  ),
  play: async () => {
    await expect(await screen.findByText('declined')).toBeVisible();
  },
};
