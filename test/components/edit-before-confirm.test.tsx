// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { AnyTool } from '../../src/components/any-tool.ts';
import { findChanges } from '../../src/components/confirmation/use-edited-arguments.ts';
import { ClientToolDialogs, ConfirmationDialog } from '../../src/components.ts';
import type { InteractiveToolDefinition } from '../../src/core/tools/client-tool.ts';
import { createTestTool } from './create-test-tool.ts';

const input = z.object({ guests: z.number().int().min(1, 'One guest at least'), time: z.string() });

function setup(definition: Omit<InteractiveToolDefinition, 'interactive'>) {
  const tool = createTestTool({
    toolName: 'book-table',
    args: { guests: 2, time: '19:00' },
    definition,
  });
  render(<ConfirmationDialog tool={tool} />);
  return { tool, user: userEvent.setup() };
}
const press = (name: string) => screen.getByRole('button', { name });
const guests = () => screen.getByRole('spinbutton', { name: 'Guests' });
/** The form is loaded on its first use. */
async function edit(user: ReturnType<typeof userEvent.setup>) {
  await user.click(press('Edit…'));
  await screen.findByRole('spinbutton', { name: 'Guests' });
}

/** Edits the one visible argument and confirms. */
async function confirmForFour(tool: AnyTool) {
  render(<ConfirmationDialog tool={tool} />);
  const user = userEvent.setup();
  await edit(user);
  await user.clear(guests());
  await user.keyboard('4');
  await user.click(press('Apply'));
  await user.click(await screen.findByRole('button', { name: 'Confirm' }));
}

test('an edited argument is shown before and after, and reported with the result', async () => {
  const { tool, user } = setup({ editable: true, input });
  await edit(user);
  expect(document.activeElement).toBe(guests());
  await user.clear(guests());
  await user.keyboard('4');
  await user.click(press('Apply'));
  const changes = await screen.findByRole('region', { name: 'Your changes' });
  expect(changes.textContent).toBe('Your changesBeforeGuests2AfterGuests4');
  // Each side has its own accessible name, also for screen readers.
  const sides = changes.querySelectorAll('dl');
  expect([...sides].map((side) => side.getAttribute('aria-label'))).toEqual(['Before', 'After']);
  expect(document.activeElement).toBe(press('Edit…'));
  expect(tool.submit).not.toHaveBeenCalled();
  await user.click(press('Confirm'));
  expect(tool.submit.mock.calls).toEqual([
    [{ confirmed: true, editedArgs: { guests: 4, time: '19:00' }, changedArgs: ['guests'] }],
  ]);
});

test('arguments that the schema refuses are not saved, and Back keeps the former ones', async () => {
  const { tool, user } = setup({ editable: true, input });
  await edit(user);
  await user.clear(guests());
  await user.keyboard('0');
  await user.click(press('Apply'));
  expect(await screen.findByText('Guests: One guest at least')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Confirm' })).toBeNull();
  await user.click(press('Back'));
  await user.click(press('Confirm'));
  expect(tool.submit.mock.calls).toEqual([[{ confirmed: true }]]);
});

test('input of the edit form outlives the call and the page', async () => {
  const user = userEvent.setup();
  const definition = { editable: true, input };
  const tool = createTestTool({ args: { guests: 2, time: '19:00' }, definition });
  const { rerender } = render(<ClientToolDialogs tools={[tool]} />);
  await edit(user);
  await user.clear(guests());
  await user.keyboard('7');
  rerender(<ClientToolDialogs tools={[]} />);
  expect(guests()).toHaveProperty('value', '7');
  expect(screen.queryByRole('button', { name: 'Apply' })).toBeNull();
  await user.click(press('Close'));
  expect(screen.queryByRole('dialog')).toBeNull();

  rerender(<ClientToolDialogs tools={[{ ...tool, toolCallId: 'restored' }]} />);
  await edit(user);
  expect(guests()).toHaveProperty('value', '7');
});

test('saving unchanged arguments is no change', async () => {
  const { tool, user } = setup({ editable: true, input });
  await edit(user);
  await user.click(press('Apply'));
  await user.click(await screen.findByRole('button', { name: 'Confirm' }));
  expect(tool.submit.mock.calls).toEqual([[{ confirmed: true }]]);
});

test.each<[what: string, schema: z.ZodObject, args: Record<string, unknown>]>([
  [
    'a date-time in another notation',
    z.object({ guests: z.number(), at: z.iso.datetime() }),
    { at: '2026-01-05T19:00:00Z' },
  ],
  [
    'a date-time in a union',
    z.object({
      guests: z.number(),
      when: z.union([
        z.object({ kind: z.literal('now') }),
        z.object({ kind: z.literal('at'), at: z.iso.datetime() }),
      ]),
    }),
    { when: { kind: 'at', at: '2026-01-05T19:00:00Z' } },
  ],
  ['an empty text', z.object({ guests: z.number(), note: z.string().optional() }), { note: '' }],
  [
    'picks in a given order',
    z.object({ guests: z.number(), at: z.array(z.enum(['bar', 'hall'])) }),
    { at: ['hall', 'bar'] },
  ],
  ['a property that the form does not show', z.looseObject({ guests: z.number() }), { vip: true }],
  [
    'a property with a default',
    z.object({ guests: z.number(), at: z.string().default('bar').optional() }),
    {},
  ],
])('%s stays as the agent sent it when another argument is edited', async (_, schema, more) => {
  const args = { guests: 2, ...more };
  const tool = createTestTool({ args, definition: { editable: true, input: schema } });
  await confirmForFour(tool);
  expect(tool.submit.mock.calls).toEqual([
    [{ confirmed: true, editedArgs: { ...args, guests: 4 }, changedArgs: ['guests'] }],
  ]);
});

test('unchanged values inside an edited argument stay as the agent sent them', async () => {
  const table = { at: '2026-01-05T19:00:00Z', note: '', vip: true };
  const part = z.looseObject({ guests: z.number(), at: z.iso.datetime(), note: z.string().optional() });
  const tool = createTestTool({
    args: { table: { guests: 2, ...table } },
    definition: { editable: true, input: z.object({ table: part }) },
  });
  await confirmForFour(tool);
  expect(tool.submit.mock.calls).toEqual([
    [{ confirmed: true, editedArgs: { table: { guests: 4, ...table } }, changedArgs: ['table'] }],
  ]);
});

test('a secret argument is not saved with the input, and is there when the form is opened again', async () => {
  const code = z.string().meta({ format: 'password' });
  const schema = z.object({ guests: z.number(), door: z.object({ code }), codes: z.array(code) });
  const args = { guests: 2, door: { code: 'x-door' }, codes: ['x-first', 'x-second'] };
  const tool = createTestTool({ args, definition: { editable: true, input: schema } });
  render(<ConfirmationDialog tool={tool} />);
  const user = userEvent.setup();
  await edit(user);
  await user.click(press('Remove Codes 1'));
  await user.clear(guests());
  await user.keyboard('4');
  await user.click(press('Back'));
  expect(JSON.stringify(tool.getSavedInput())).not.toContain('x-');

  await edit(user);
  expect(guests()).toHaveProperty('value', '4');
  expect(screen.getByLabelText('Code')).toHaveProperty('value', 'x-door');
  // The saved input no longer says which of the two it was.
  expect(screen.getByLabelText('Codes 1')).toHaveProperty('value', '');
  expect(screen.queryByLabelText('Codes 2')).toBeNull();
});

test('an argument removed in the form is removed from the result, and an added one is added', async () => {
  const schema = z.object({ guests: z.number(), note: z.string().optional(), name: z.string().optional() });
  const tool = createTestTool({
    args: { guests: 2, note: 'Window' },
    definition: { editable: true, input: schema },
  });
  render(<ConfirmationDialog tool={tool} />);
  const user = userEvent.setup();
  await edit(user);
  await user.clear(screen.getByRole('textbox', { name: 'Note' }));
  await user.type(screen.getByRole('textbox', { name: 'Name' }), 'Ada');
  await user.click(press('Apply'));
  await user.click(await screen.findByRole('button', { name: 'Confirm' }));
  expect(tool.submit.mock.calls).toEqual([
    [{ confirmed: true, editedArgs: { guests: 2, name: 'Ada' }, changedArgs: ['note', 'name'] }],
  ]);
});

test.each([
  ['a definition that does not allow it', { input }],
  ['no input schema', { editable: true }],
])('arguments cannot be edited with %s', (_, definition) => {
  setup(definition);
  expect(press('Confirm')).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Edit…' })).toBeNull();
});

test.each([
  [{ a: 1 }, { a: 1 }, []],
  [{ a: 1 }, { b: 1 }, ['a', 'b']],
  [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, []],
  [{ a: [1, 2] }, { a: [2, 1] }, ['a']],
  [{ a: null }, {}, ['a']],
  [JSON.parse('{"__proto__":1}'), JSON.parse('{"__proto__":2}'), ['__proto__']],
])('findChanges lists the changes from %j to %j', (before, after, names) => {
  expect(findChanges(before, after).map(({ name }) => name)).toEqual(names);
});
