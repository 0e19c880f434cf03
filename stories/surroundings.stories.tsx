import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { expect, screen, userEvent, waitFor, within } from 'storybook/test';
import { ClientToolDialogs } from '../src/components/client-tools/client-tool-dialogs.tsx';
import { exampleCalls } from './support/example-calls.ts';
import { callsOf, createStoryTool } from './support/story-tool.ts';

/** The same questions in little room, with large text, in another direction, and in a container. */
const meta = {
  title: 'Surroundings',
  component: ClientToolDialogs,
  args: { tools: [] },
} satisfies Meta<typeof ClientToolDialogs>;
export default meta;

type Story = StoryObj<typeof meta>;

const contact = () => createStoryTool(exampleCalls['Collect contact']);
const email = () => createStoryTool(exampleCalls['Send email']);

/** Every part of a dialog can be reached, and no part lies outside of the window. */
const fits = async (name: string) => {
  const dialog = await screen.findByRole('dialog', { name });
  await expect(dialog.scrollWidth).toBe(dialog.clientWidth);
  const { left, right, bottom } = dialog.getBoundingClientRect();
  await expect(left).toBeGreaterThanOrEqual(0);
  await expect(right).toBeLessThanOrEqual(window.innerWidth);
  // The dialog may still slide in.
  await waitFor(() => expect(dialog.getBoundingClientRect().bottom).toBeLessThanOrEqual(window.innerHeight));
  await expect(bottom).toBeGreaterThan(0);
  return dialog;
};

const declinesByKeyboard: Story['play'] = async ({ args: { tools = [] } }) => {
  await fits('Send email to the whole team');
  await waitFor(() => expect(screen.getByRole('button', { name: 'Decline' })).toHaveFocus());
  await userEvent.keyboard('{Enter}');
  await expect(callsOf(tools[0]?.decline)).toEqual([[undefined, { confirmed: false }]]);
};

const fillsInByKeyboard: Story['play'] = async ({ args: { tools = [] } }) => {
  await fits('Your contact details');
  await waitFor(() => expect(screen.getByRole('textbox', { name: 'Full name' })).toHaveFocus());
  await userEvent.keyboard('Ada');
  await userEvent.tab();
  await userEvent.keyboard('ada@example.com');
  await userEvent.tab();
  await userEvent.keyboard('2{Enter}');
  const value = { name: 'Ada', email: 'ada@example.com', seats: 2 };
  await waitFor(() => expect(callsOf(tools[0]?.submit)).toEqual([[value]]));
};

export const Phone: Story = {
  args: { tools: [contact()] },
  globals: { viewport: { value: 'phone' } },
  play: fillsInByKeyboard,
};

export const PhoneDark: Story = {
  args: { tools: [email()] },
  globals: { viewport: { value: 'phone' } },
  parameters: { theme: 'dark' },
  play: declinesByKeyboard,
};

export const Zoomed: Story = {
  args: { tools: [contact()] },
  globals: { viewport: { value: 'zoomed' } },
  play: fillsInByKeyboard,
};

/** Text of double size, as a browser setting: the question comes first, its buttons after it. */
export const LargeText: Story = {
  args: { tools: [email()] },
  globals: { viewport: { value: 'phone' } },
  parameters: { textSize: '200%' },
  play: async ({ args: { tools = [] } }) => {
    const dialog = await fits('Send email to the whole team');
    await waitFor(() => expect(dialog).toHaveFocus());
    await userEvent.tab({ shift: true });
    await expect(screen.getByRole('button', { name: 'Confirm' })).toHaveFocus();
    await userEvent.tab({ shift: true });
    await expect(screen.getByRole('button', { name: 'Decline' })).toHaveFocus();
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(tools[0]?.decline)).toEqual([[undefined, { confirmed: false }]]);
  },
};

export const RightToLeft: Story = {
  args: {
    tools: [
      createStoryTool({
        toolName: 'collect-guests',
        args: {
          title: 'ضيوف العشاء',
          description: 'من سيأتي معك؟',
          requestedSchema: {
            type: 'object',
            required: ['guests'],
            properties: {
              guests: { type: 'array', title: 'الضيوف', minItems: 2, items: { type: 'string' } },
            },
          },
        },
      }),
    ],
  },
  parameters: { direction: 'rtl' },
  play: async ({ args: { tools = [] } }) => {
    const dialog = await fits('ضيوف العشاء');
    const [first, second] = within(dialog).getAllByRole('textbox');
    first?.focus();
    await userEvent.keyboard('ليلى');
    second?.focus();
    await userEvent.keyboard('عمر{Enter}');
    await waitFor(() => expect(callsOf(tools[0]?.submit)).toEqual([[{ guests: ['ليلى', 'عمر'] }]]));
  },
};

/** A dialog in a container of the page covers only the container and uses its size. */
export const OwnContainer: Story = {
  args: { tools: [email()] },
  render: function Contained(args) {
    const [panel, setPanel] = useState<HTMLElement | null>(null);
    return (
      <section className="story-panel" aria-label="Assistant" ref={setPanel}>
        {panel !== null && <ClientToolDialogs {...args} container={panel} />}
      </section>
    );
  },
  play: async (context) => {
    const panel = screen.getByRole('region', { name: 'Assistant', hidden: true });
    const dialog = await screen.findByRole('dialog');
    await expect(dialog.getBoundingClientRect().width).toBe(panel.clientWidth);
    await declinesByKeyboard(context);
  },
};

export const NarrowCards: Story = {
  args: { mode: 'inline', tools: [email(), contact()] },
  decorators: [
    (Story) => (
      <div style={{ inlineSize: '17rem' }}>
        <Story />
      </div>
    ),
  ],
  play: async ({ args: { tools = [] } }) => {
    const card = screen.getByRole('region', { name: 'Send email to the whole team' });
    await expect(card.scrollWidth).toBe(card.clientWidth);
    within(card).getByRole('button', { name: 'Decline' }).focus();
    await userEvent.keyboard('{Enter}');
    await expect(callsOf(tools[0]?.decline)).toEqual([[undefined, { confirmed: false }]]);
  },
};
