import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, userEvent, waitFor } from 'storybook/test';
import { createEnvTool } from '../src/backends/standard-agents/create-env-tool.ts';
import { ClientToolDialogs } from '../src/components/client-tools/client-tool-dialogs.tsx';
import { de } from '../src/locales-de.ts';
import { callsOf, createStoryTool } from './support/story-tool.ts';

const secret = createStoryTool({
  toolName: 'set-github-token',
  definition: createEnvTool({
    name: 'GITHUB_TOKEN',
    title: 'Access to your issues',
    description: 'The token goes to the server. The model does not see it.',
    label: 'GitHub token',
  }),
});
const text = createStoryTool({
  toolName: 'set-region',
  definition: createEnvTool({ name: 'REGION', type: 'text', description: 'Where your data are stored.' }),
});

/** The dialog of a tool that `createEnvTool` made for Standard Agents. */
const meta = {
  title: 'Dialogs/Environment variable',
  component: ClientToolDialogs,
  args: { tools: [secret] },
} satisfies Meta<typeof ClientToolDialogs>;
export default meta;

type Story = StoryObj<typeof meta>;

/** What is typed is masked, and no browser fills in a password that it knows. */
export const Secret: Story = {
  play: async () => {
    const dialog = await screen.findByRole('dialog', { name: 'Access to your issues' });
    await expect(dialog).toHaveAccessibleDescription(/The model does not see it/);
    const field = screen.getByLabelText('GitHub token');
    await waitFor(() => expect(field).toHaveFocus());
    await expect(field).toHaveAttribute('type', 'password');
    await expect(field).toHaveAttribute('autocomplete', 'new-password');
    await userEvent.keyboard('ghp-1234');
  },
};

export const SubmittedByEnter: Story = {
  play: async () => {
    await waitFor(() => expect(screen.getByLabelText('GitHub token')).toHaveFocus());
    await userEvent.keyboard('ghp-1234{Enter}');
    await waitFor(() => expect(callsOf(secret.submit)).toEqual([[{ value: 'ghp-1234' }]]));
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
    // A secret must not outlive the form.
    await expect(JSON.stringify(secret.getSavedInput() ?? null)).not.toContain('ghp-1234');
  },
};

export const Empty: Story = {
  play: async () => {
    const field = await screen.findByLabelText('GitHub token');
    await waitFor(() => expect(field).toHaveFocus());
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(field).toBeInvalid());
    await expect(secret.submit).not.toHaveBeenCalled();
  },
};

/** A value that may be shown has the name of the variable as its label. */
export const Text: Story = {
  args: { tools: [text] },
  play: async () => {
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'REGION' })).toHaveFocus());
    await userEvent.keyboard('eu-central{Enter}');
    await waitFor(() => expect(callsOf(text.submit)).toEqual([[{ value: 'eu-central' }]]));
  },
};

export const Card: Story = {
  args: { mode: 'inline' },
  play: async () => {
    await screen.findByRole('region', { name: 'Access to your issues' });
    await expect(screen.getByLabelText('GitHub token')).toHaveAttribute('type', 'password');
  },
};

export const Dark: Story = { ...Secret, parameters: { theme: 'dark' } };
export const Phone: Story = { ...Secret, globals: { viewport: { value: 'phone' } } };
export const German: Story = {
  args: { labels: de },
  play: async () => {
    const submit = await screen.findByRole('button', { name: 'Absenden' });
    await waitFor(() => expect(submit).toBeVisible());
  },
};
