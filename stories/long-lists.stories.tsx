import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, fn, screen, userEvent, waitFor, within } from 'storybook/test';
import { FormDialog } from '../src/components/form/form-dialog.tsx';
import { SchemaForm } from '../src/components/form/schema-form.tsx';
import { inColumn } from './support/in-column.tsx';
import { callsOf, createStoryTool } from './support/story-tool.ts';

const countries =
  'Albania Austria Belgium Bulgaria Croatia Cyprus Czechia Denmark Estonia Finland France Germany Greece Hungary Iceland Ireland Italy Latvia Liechtenstein Lithuania Luxembourg Malta Netherlands Norway Poland Portugal Romania Slovakia Slovenia Spain Sweden Switzerland'.split(
    ' ',
  );

const trip = {
  type: 'object',
  required: ['name', 'country', 'visited'],
  properties: {
    name: { type: 'string', title: 'Name' },
    country: { type: 'string', title: 'Country', description: 'Where you live now.', enum: countries },
    visited: {
      type: 'array',
      title: 'Visited before',
      items: { type: 'string', enum: countries },
      minItems: 1,
      maxItems: 3,
    },
    next: { type: 'string', title: 'Next journey', enum: countries },
  },
};

/** Fields with more than a dozen options: the person types to search and picks with the keys of a list. */
const meta = {
  title: 'Long lists',
  component: SchemaForm,
  args: { schema: trip, onSubmit: fn(), onCancel: fn() },
  decorators: [inColumn],
  parameters: { docs: { story: { inline: true } } },
} satisfies Meta<typeof SchemaForm>;
export default meta;

type Story = StoryObj<typeof meta>;

const list = (role: 'radiogroup' | 'group', name: string) => within(screen.getByRole(role, { name }));
const search = (role: 'radiogroup' | 'group', name: string) =>
  list(role, name).getByRole('searchbox', { name: 'Search options' });

export const FilledInByKeyboard: Story = {
  args: { onSubmit: fn() },
  play: async ({ args }) => {
    await userEvent.tab();
    await userEvent.keyboard('Ada');
    await userEvent.tab();
    await expect(search('radiogroup', 'Country')).toHaveFocus();
    await userEvent.keyboard('lIt{ArrowDown}');
    await expect(list('radiogroup', 'Country').getByRole('radio', { name: 'Lithuania' })).toHaveFocus();
    await userEvent.keyboard(' ');
    await userEvent.tab();
    await expect(search('group', 'Visited before')).toHaveFocus();
    await userEvent.keyboard('land{ArrowDown}');
    await expect(list('group', 'Visited before').getByRole('checkbox', { name: 'Finland' })).toHaveFocus();
    await userEvent.keyboard(' ');
    await userEvent.tab();
    await userEvent.keyboard(' {Enter}');
    const value = { name: 'Ada', country: 'Lithuania', visited: ['Finland', 'Iceland'] };
    await waitFor(() => expect(callsOf(args.onSubmit)).toEqual([[value]]));
  },
};

export const WhatIsPickedStaysInSight: Story = {
  args: { defaultValue: { country: 'Portugal' } },
  play: async () => {
    const { getByRole, getAllByRole } = list('radiogroup', 'Country');
    const picked = getByRole('radio', { name: 'Portugal' });
    await expect(picked).toBeChecked();
    const box = picked.closest('.hr-options')?.getBoundingClientRect();
    const row = picked.getBoundingClientRect();
    await expect(row.top).toBeGreaterThan(box?.top ?? Number.NaN);
    await expect(row.bottom).toBeLessThan(box?.bottom ?? Number.NaN);
    search('radiogroup', 'Country').focus();
    await userEvent.keyboard('land');
    await expect(
      getAllByRole('radio').map((radio) => (radio as HTMLInputElement).labels?.[0]?.textContent),
    ).toEqual(['Finland', 'Iceland', 'Ireland', 'Netherlands', 'Poland', 'Portugal', 'Switzerland']);
  },
};

export const TakenBack: Story = {
  args: {
    defaultValue: { name: 'Ada', country: 'Malta', visited: ['Malta'], next: 'Spain' },
    onSubmit: fn(),
  },
  play: async ({ args }) => {
    const next = list('radiogroup', 'Next journey');
    search('radiogroup', 'Next journey').focus();
    await userEvent.keyboard('nowhere');
    await expect(next.getByText('No option matches.')).toBeVisible();
    await expect(next.getAllByRole('radio')).toHaveLength(2);
    await userEvent.keyboard('{ArrowDown}');
    await expect(next.getByRole('radio', { name: 'None' })).toHaveFocus();
    await userEvent.keyboard(' {Enter}');
    const value = { name: 'Ada', country: 'Malta', visited: ['Malta'] };
    await waitFor(() => expect(callsOf(args.onSubmit)).toEqual([[value]]));
  },
};

export const EnterSearches: Story = {
  args: { onSubmit: fn() },
  play: async ({ args }) => {
    search('radiogroup', 'Country').focus();
    await userEvent.keyboard('malta{Enter}');
    await expect(args.onSubmit).not.toHaveBeenCalled();
    await expect(screen.queryByRole('region')).toBeNull();
    await expect(screen.getByText('1 option')).toHaveAttribute('aria-live', 'polite');
  },
};

export const NotPicked: Story = {
  play: async () => {
    screen.getByRole('button', { name: 'Submit' }).focus();
    await userEvent.keyboard('{Enter}');
    const summary = await screen.findByRole('region', { name: '3 answers need another look' });
    await expect(summary).toHaveFocus();
    await userEvent.click(within(summary).getByRole('link', { name: /^Country/ }));
    await expect(search('radiogroup', 'Country')).toHaveFocus();
    await expect(screen.getByRole('radiogroup', { name: 'Country' })).toHaveAccessibleDescription(
      'Where you live now. Choose one of the options.',
    );
  },
};

/** A form with one list, as a dialog. */
export const InADialog: Story = {
  render: () => (
    <FormDialog
      tool={createStoryTool({
        toolName: 'ask-country',
        args: {
          title: 'Your country',
          fields: [{ name: 'country', label: 'Country', type: 'select', options: countries, required: true }],
        },
      })}
    />
  ),
  play: async () => {
    await waitFor(() => expect(search('radiogroup', 'Country')).toHaveFocus());
    await userEvent.keyboard('sw');
    await expect(screen.getAllByRole('radio')).toHaveLength(2);
  },
};

export const Phone: Story = { ...InADialog, globals: { viewport: { value: 'phone' } } };
export const Dark: Story = { ...NotPicked, parameters: { theme: 'dark' } };
