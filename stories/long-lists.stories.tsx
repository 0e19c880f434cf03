import type { Meta, StoryObj } from '@storybook/react-vite';
import { expect, fn, screen, userEvent, waitFor, within } from 'storybook/test';
import { FormDialog } from '../src/components/form/form-dialog.tsx';
import { SchemaForm } from '../src/components/form/schema-form.tsx';
import { findSummary } from './support/find-summary.ts';
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

/**
 * Fields with more than a dozen options. One of them is picked in a native `select`; for several the person types to search and
 * ticks with the keys of a list.
 */
const meta = {
  title: 'Long lists',
  component: SchemaForm,
  args: { schema: trip, onSubmit: fn(), onCancel: fn() },
  decorators: [inColumn],
  parameters: { docs: { story: { inline: true } } },
} satisfies Meta<typeof SchemaForm>;
export default meta;

type Story = StoryObj<typeof meta>;

const select = (name: string) => screen.getByRole('combobox', { name });
const visited = () => within(screen.getByRole('group', { name: 'Visited before' }));
const search = () => visited().getByRole('searchbox', { name: 'Search options' });

export const FilledInByKeyboard: Story = {
  args: { onSubmit: fn() },
  play: async ({ args }) => {
    await userEvent.tab();
    await userEvent.keyboard('Ada');
    await userEvent.tab();
    await expect(select('Country')).toHaveFocus();
    await userEvent.selectOptions(select('Country'), 'Lithuania');
    await userEvent.tab();
    await expect(search()).toHaveFocus();
    await userEvent.keyboard('lAnd{ArrowDown}');
    await expect(visited().getByRole('checkbox', { name: 'Finland' })).toHaveFocus();
    await userEvent.keyboard(' ');
    await userEvent.tab();
    await userEvent.keyboard(' {Enter}');
    const value = { name: 'Ada', country: 'Lithuania', visited: ['Finland', 'Iceland'] };
    await waitFor(() => expect(callsOf(args.onSubmit)).toEqual([[value]]));
  },
};

export const WhatIsPickedStaysInSight: Story = {
  args: { defaultValue: { visited: ['Portugal'] } },
  play: async () => {
    const picked = visited().getByRole('checkbox', { name: 'Portugal' });
    await expect(picked).toBeChecked();
    const box = picked.closest('.hr-options')?.getBoundingClientRect();
    const row = picked.getBoundingClientRect();
    await expect(row.top).toBeGreaterThan(box?.top ?? Number.NaN);
    await expect(row.bottom).toBeLessThan(box?.bottom ?? Number.NaN);
    search().focus();
    await userEvent.keyboard('land');
    await expect(
      visited()
        .getAllByRole('checkbox')
        .map((row) => (row as HTMLInputElement).labels?.[0]?.textContent),
    ).toEqual(['Finland', 'Iceland', 'Ireland', 'Netherlands', 'Poland', 'Portugal', 'Switzerland']);
    await userEvent.keyboard('{Control>}a{/Control}nowhere');
    await expect(visited().getByText('No option matches.')).toBeVisible();
    await expect(visited().getAllByRole('checkbox')).toHaveLength(1);
  },
};

export const TakenBack: Story = {
  args: {
    defaultValue: { name: 'Ada', country: 'Malta', visited: ['Malta'], next: 'Spain' },
    onSubmit: fn(),
  },
  play: async ({ args }) => {
    await expect(select('Next journey')).toHaveDisplayValue('Spain');
    await userEvent.selectOptions(select('Next journey'), '');
    await userEvent.click(screen.getByRole('button', { name: 'Send' }));
    const value = { name: 'Ada', country: 'Malta', visited: ['Malta'] };
    await waitFor(() => expect(callsOf(args.onSubmit)).toEqual([[value]]));
  },
};

export const EnterSearches: Story = {
  args: { onSubmit: fn() },
  play: async ({ args }) => {
    search().focus();
    await userEvent.keyboard('malta{Enter}');
    await expect(args.onSubmit).not.toHaveBeenCalled();
    await expect(screen.queryByText(/needs? a look/)).toBeNull();
    await expect(screen.getByText('1 option')).toHaveAttribute('aria-live', 'polite');
  },
};

export const NotPicked: Story = {
  play: async () => {
    screen.getByRole('button', { name: 'Send' }).focus();
    await userEvent.keyboard('{Enter}');
    const summary = await findSummary('3 answers need a look');
    await expect(summary).toHaveFocus();
    await userEvent.click(within(summary).getByRole('link', { name: /^Country/ }));
    await expect(select('Country')).toHaveFocus();
    await expect(select('Country')).toHaveAccessibleDescription('Choose one of the options.');
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
    await waitFor(() => expect(select('Country')).toHaveFocus());
    await expect(within(select('Country')).getAllByRole('option')).toHaveLength(countries.length + 1);
  },
};

export const Phone: Story = { ...InADialog, globals: { viewport: { value: 'phone' } } };
export const Dark: Story = { ...NotPicked, parameters: { theme: 'dark' } };
