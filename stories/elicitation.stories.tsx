import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, screen, spyOn, userEvent, waitFor } from 'storybook/test';
import { ClientToolDialogs } from '../src/components/client-tools/client-tool-dialogs.tsx';
import { de } from '../src/locales-de.ts';
import { inColumn } from './support/in-column.tsx';
import { callsOf, createStoryTool } from './support/story-tool.ts';

/** MCP elicitation: pages to open, consents, choices, and a form that asks for a secret. */
const meta = {
  title: 'Elicitation',
  component: ClientToolDialogs,
  decorators: [inColumn],
  args: { tools: [] },
  beforeEach() {
    // The stub keeps a test from opening real tabs.
    const open = spyOn(window, 'open').mockReturnValue(null);
    return () => open.mockRestore();
  },
} satisfies Meta<typeof ClientToolDialogs>;
export default meta;

type Story = StoryObj<typeof meta>;

const elicited = (args: Record<string, unknown>) =>
  createStoryTool({ toolName: 'mcp:notes/elicitation', args });
const signIn = 'https://accounts.example.com/connect?app=notes&scope=read';
const page = (url: string, message = 'Sign in, so that Notes can read your calendar.') =>
  elicited({ mode: 'url', message, url });
const button = (name: string) => screen.getByRole('button', { name });
const hasFocus = (name: string) => waitFor(() => expect(button(name)).toHaveFocus());

export const Page: Story = {
  args: { tools: [page(signIn)] },
  play: async ({ args: { tools = [] } }) => {
    const dialog = await screen.findByRole('dialog', { name: '“notes” asks' });
    await expect(dialog).toHaveAccessibleDescription('Sign in, so that Notes can read your calendar.');
    await hasFocus('Open page');
    await expect(button('Open page')).toHaveAccessibleDescription(/accounts\.example\.com/);
    await expect(dialog.querySelector('a')).toBeNull();
    await expect(window.open).not.toHaveBeenCalled();
    await expect(callsOf(tools[0]?.submit)).toEqual([]);
  },
};

export const PageIsOpen: Story = {
  args: { tools: [page(signIn)] },
  play: async ({ args: { tools = [] } }) => {
    await hasFocus('Open page');
    await userEvent.keyboard('{Enter}');
    await expect(window.open).toHaveBeenCalledWith(signIn, '_blank', 'noopener,noreferrer');
    await hasFocus('Done');
    await expect(screen.getByRole('status')).toHaveTextContent('The page is open in a new tab.');
    await expect(callsOf(tools[0]?.submit)).toEqual([]);
  },
};

export const DoneWithThePage: Story = {
  args: { tools: [page(signIn)] },
  play: async ({ args: { tools = [] } }) => {
    await hasFocus('Open page');
    await userEvent.keyboard('{Enter}');
    await hasFocus('Done');
    await userEvent.tab({ shift: true });
    await expect(button('Open again')).toHaveFocus();
    await userEvent.keyboard(' ');
    await expect(window.open).toHaveBeenCalledTimes(2);
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(tools[0]?.submit)).toEqual([[null]]);
    await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument());
  },
};

export const PageTurnedDown: Story = {
  args: { tools: [page(signIn)] },
  play: async ({ args: { tools = [] } }) => {
    await hasFocus('Open page');
    await userEvent.keyboard('{Enter}');
    await hasFocus('Done');
    await userEvent.keyboard('{Escape}');
    await userEvent.click(await screen.findByRole('button', { name: 'Close without answering' }));
    await expect(callsOf(tools[0]?.cancel)).toEqual([[]]);
    await expect(callsOf(tools[0]?.submit)).toEqual([]);
  },
};

/** An unusual URL starts on the safe button, which its warning describes. */
const warns =
  (text: RegExp): NonNullable<Story['play']> =>
  async () => {
    await hasFocus('Decline');
    await expect(screen.getByRole('dialog')).toHaveAttribute('data-severity', 'caution');
    await expect(button('Decline')).toHaveAccessibleDescription(text);
    await expect(button('Open page')).toHaveAccessibleDescription(text);
    await userEvent.tab();
    await expect(button('Open page')).toHaveFocus();
    await expect(window.open).not.toHaveBeenCalled();
  };

export const Punycode: Story = {
  args: { tools: [page('https://xn--pple-43d.example/login')] },
  play: warns(/letters outside a to z/),
};

export const Credentials: Story = {
  args: { tools: [page('https://bank.example@evil.test:8443/login')] },
  play: warns(/contains a user name or password.*a port number/),
};

export const JavaScriptAddress: Story = {
  args: { tools: [page('javascript:alert(document.cookie)')] },
  play: async () => {
    await hasFocus('Decline');
    await expect(button('Decline')).toHaveAccessibleDescription(/can be opened/);
    await expect(screen.queryByRole('button', { name: 'Open page' })).not.toBeInTheDocument();
    await userEvent.tab({ shift: true });
    await expect(screen.getByText('Cancel')).toHaveFocus();
    await expect(window.open).not.toHaveBeenCalled();
  },
};

/** A URL of many lines fits a phone. */
export const LongAddressOnAPhone: Story = {
  args: { tools: [page(`https://accounts.example.com/connect?state=${'0123456789abcdef'.repeat(30)}`)] },
  globals: { viewport: { value: 'phone' } },
  play: async () => {
    const dialog = await screen.findByRole('dialog');
    await expect(dialog.scrollWidth).toBe(dialog.clientWidth);
    await hasFocus('Open page');
  },
};

export const PageInGerman: Story = {
  args: { tools: [page('https://xn--bcher-kva.example/', 'Bitte melde dich an.')], labels: de },
  parameters: { theme: 'dark' },
  play: async () => {
    await screen.findByRole('dialog', { name: '„notes“ fragt' });
    await hasFocus('Ablehnen');
    await userEvent.tab();
    await userEvent.keyboard('{Enter}');
    await hasFocus('Fertig');
  },
};

export const PageInlineRightToLeft: Story = {
  args: { tools: [page(signIn)], mode: 'inline' },
  parameters: { direction: 'rtl' },
  play: async ({ args: { tools = [] } }) => {
    await expect(document.body).toHaveFocus();
    button('Open page').focus();
    await userEvent.keyboard('{Enter}');
    await hasFocus('Done');
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(tools[0]?.submit)).toEqual([[null]]);
  },
};

export const YesOrNo: Story = {
  args: {
    tools: [
      elicited({
        message: 'Publish this note for everybody?',
        requestedSchema: {
          type: 'object',
          properties: { publish: { type: 'boolean', description: 'It can be unpublished later.' } },
          required: ['publish'],
        },
      }),
    ],
  },
  play: async ({ args: { tools = [] } }) => {
    await hasFocus('Yes');
    await userEvent.tab({ shift: true });
    await expect(button('No')).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(tools[0]?.submit)).toEqual([[{ publish: false }]]);
    await expect(callsOf(tools[0]?.decline)).toEqual([]);
  },
};

export const NothingToFillIn: Story = {
  args: {
    tools: [
      elicited({ message: 'Notes sends usage data.', requestedSchema: { type: 'object', properties: {} } }),
    ],
  },
  play: async ({ args: { tools = [] } }) => {
    await hasFocus('Confirm');
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(tools[0]?.submit)).toEqual([[{}]]);
  },
};

export const OneChoice: Story = {
  args: {
    tools: [
      elicited({
        message: 'Where does it belong?',
        requestedSchema: {
          type: 'object',
          properties: { folder: { type: 'string', enum: ['Work', 'Home', 'Later'], default: 'Home' } },
        },
      }),
    ],
  },
  play: async ({ args: { tools = [] } }) => {
    await waitFor(() => expect(screen.getByRole('radio', { name: 'Home' })).toHaveFocus());
    await expect(screen.getByRole('radio', { name: 'Home' })).toBeChecked();
    await userEvent.keyboard('1{Enter}');
    await expect(callsOf(tools[0]?.submit)).toEqual([[{ folder: 'Work' }]]);
  },
};

export const AsksForASecret: Story = {
  args: {
    tools: [
      elicited({
        message: 'Connect your account.',
        requestedSchema: {
          type: 'object',
          properties: {
            account: { type: 'string', title: 'Account' },
            apiKey: { type: 'string', title: 'API key', description: 'You find it in the settings.' },
          },
          required: ['account', 'apiKey'],
        },
      }),
    ],
  },
  play: async () => {
    await waitFor(() => expect(screen.getByRole('textbox', { name: 'Account' })).toHaveFocus());
    await userEvent.tab();
    const key = screen.getByRole('textbox', { name: 'API key' });
    await expect(key).toHaveFocus();
    await expect(key).toHaveAccessibleDescription(/something secret/);
    await expect(key).toHaveAttribute('autocomplete', 'off');
    await userEvent.keyboard('no');
  },
};
