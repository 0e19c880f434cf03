// @vitest-environment jsdom
import { cleanup, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { AnyTool } from '../../src/components/any-tool.ts';
import { findChanges } from '../../src/components/confirmation/find-changes.ts';
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
const press = (name: string, inside = 'hr-dialog') =>
  within(document.querySelector<HTMLElement>(`.${inside}`) as HTMLElement).getByRole('button', { name });
const guests = () => screen.getByRole('spinbutton', { name: 'Guests' });
/** The field is loaded on its first use. */
async function edit(user: ReturnType<typeof userEvent.setup>, title = 'Guests') {
  await user.click(press(`Change ${title}`));
  await screen.findByRole('spinbutton', { name: 'Guests' });
}
const row = (title: string) => screen.getByText(title, { selector: 'dt' }).closest('.hr-entry');

/** Edits the one visible argument and confirms. */
async function confirmForFour(tool: AnyTool, title?: string) {
  render(<ConfirmationDialog tool={tool} />);
  const user = userEvent.setup();
  await edit(user, title);
  await user.clear(guests());
  await user.keyboard('4');
  await user.click(press('Apply'));
  await screen.findByText('Changed by you');
  await user.click(press('Confirm'));
}

test('a changed argument is shown in its row, and reported with the result', async () => {
  const { tool, user } = setup({ editable: true, input });
  await edit(user);
  expect(document.activeElement).toBe(guests());
  await user.clear(guests());
  await user.keyboard('4{Enter}');
  await screen.findByText('Changed by you');
  // The old value comes before the new one, with words for those who do not see the line through it.
  expect(row('Guests')?.textContent).toBe('GuestsChanged by youBefore: 2 → Now: 4Undo');
  expect(row('Guests')?.querySelector('del')?.textContent).toBe('Before: 2');
  expect(row('Time')?.textContent).toBe('Time19:00Change');
  expect(document.activeElement).toBe(press('Undo the change of Guests'));
  expect(screen.getByText('Guests is now 4.', { selector: '[role="status"]' })).toBeTruthy();
  expect(tool.submit).not.toHaveBeenCalled();
  await user.click(press('Confirm'));
  expect(tool.submit.mock.calls).toEqual([
    [{ confirmed: true, editedArgs: { guests: 4, time: '19:00' }, changedArgs: ['guests'] }],
  ]);
});

test('Undo takes a change back, and keeps the focus on the button', async () => {
  const { tool, user } = setup({ editable: true, input });
  await edit(user);
  await user.clear(guests());
  await user.keyboard('4{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Undo the change of Guests' }));
  expect(row('Guests')?.textContent).toBe('Guests2Change');
  expect(document.activeElement).toBe(press('Change Guests'));
  expect(tool.getSavedInput()).toBe(null);
  await user.click(press('Confirm'));
  expect(tool.submit.mock.calls).toEqual([[{ confirmed: true }]]);
});

test('Escape goes back to the value, and neither answers nor closes the question', async () => {
  const { tool, user } = setup({ editable: true, input });
  await edit(user);
  await user.clear(guests());
  await user.keyboard('4{Escape}');
  expect(row('Guests')?.textContent).toBe('Guests2Change');
  expect(document.activeElement).toBe(press('Change Guests'));
  expect(tool.cancel).not.toHaveBeenCalled();
  await user.keyboard('{Escape}');
  expect(tool.cancel).toHaveBeenCalledOnce();
});

test('Cancel goes back to the value, and what was typed is gone', async () => {
  const { tool, user } = setup({ editable: true, input });
  await edit(user);
  await user.clear(guests());
  await user.keyboard('4');
  await user.click(press('Cancel', 'hr-change'));
  expect(row('Guests')?.textContent).toBe('Guests2Change');
  expect(tool.getSavedInput()).toBe(null);
});

test('a call is not allowed while a value is being changed: the person would allow another one', async () => {
  const { tool, user } = setup({ editable: true, input });
  await edit(user);
  await user.clear(guests());
  await user.keyboard('4');
  await user.click(press('Confirm'));
  expect(tool.submit).not.toHaveBeenCalled();
  expect(screen.getAllByText('Apply or cancel the change first.').length).toBeGreaterThan(0);
  expect(document.activeElement).toBe(guests());
  await user.click(press('Apply'));
  await user.click(press('Confirm'));
  expect(tool.submit.mock.calls[0]?.[0]).toMatchObject({ editedArgs: { guests: 4 } });
});

test('the field says what the value was and what it may be', async () => {
  const schema = z.object({
    guests: z.number().min(0.01).max(89).meta({ title: 'Guests', format: 'currency', currency: 'EUR' }),
  });
  const tool = createTestTool({ args: { guests: 89 }, definition: { editable: true, input: schema } });
  render(<ConfirmationDialog tool={tool} />);
  const user = userEvent.setup();
  await edit(user);
  const hint = document.getElementById(guests().getAttribute('aria-describedby') ?? '');
  expect(hint?.textContent).toBe('Was €89.00.\nFrom €0.01 to €89.00.');
  expect(guests().parentElement?.textContent).toBe('€');
  await user.clear(guests());
  await user.keyboard('45,5{Enter}');
  await screen.findByText('Changed by you');
  expect(row('Guests')?.textContent).toBe('GuestsChanged by youBefore: €89.00 → Now: €45.50Undo');
});

test('a value that the schema refuses is not applied', async () => {
  const { tool, user } = setup({ editable: true, input });
  await edit(user);
  await user.clear(guests());
  await user.keyboard('0');
  await user.click(press('Apply'));
  await screen.findByText('One guest at least', { selector: '[role="status"]' });
  expect(screen.getByText('One guest at least', { selector: '.hr-error' })).toBeTruthy();
  expect(document.activeElement).toBe(guests());
  expect(guests()).toHaveProperty('ariaInvalid', 'true');
  await user.keyboard('{Escape}');
  await user.click(press('Confirm'));
  expect(tool.submit.mock.calls).toEqual([[{ confirmed: true }]]);
});

test('a schema that compares arguments checks the whole', async () => {
  const dates = z
    .object({ guests: z.number(), most: z.number() })
    .refine(({ guests: some, most }) => some <= most, 'Too many for the room');
  const tool = createTestTool({ args: { guests: 2, most: 3 }, definition: { editable: true, input: dates } });
  render(<ConfirmationDialog tool={tool} />);
  const user = userEvent.setup();
  await edit(user);
  await user.clear(guests());
  await user.keyboard('4{Enter}');
  await screen.findByText('Too many for the room', { selector: '[role="status"]' });
  expect(screen.getByText('Too many for the room', { selector: '.hr-error' })).toBeTruthy();
  await user.clear(guests());
  await user.keyboard('3{Enter}');
  expect(await screen.findByText('Changed by you')).toBeTruthy();
});

test('input of a field outlives the call and the page', async () => {
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

test('an applied change outlives the page, unless the tool does not allow it any more', async () => {
  const user = userEvent.setup();
  const { tool } = setup({ editable: true, input });
  await edit(user);
  await user.clear(guests());
  await user.keyboard('7{Enter}');
  await screen.findByText('Changed by you');
  cleanup();
  render(<ConfirmationDialog tool={{ ...tool, toolCallId: 'restored' }} />);
  expect(row('Guests')?.textContent).toContain('Before: 2 → Now: 7');
  cleanup();
  const narrower = {
    ...tool.definition,
    interactive: true as const,
    input: input.extend({ guests: z.number().max(5) }),
  };
  render(<ConfirmationDialog tool={{ ...tool, toolCallId: 'narrower', definition: narrower }} />);
  expect(row('Guests')?.textContent).toBe('Guests2Change');
  cleanup();
  const fixed = { ...tool.definition, interactive: true as const, editable: false };
  render(<ConfirmationDialog tool={{ ...tool, toolCallId: 'fixed', definition: fixed }} />);
  expect(row('Guests')?.textContent).toBe('Guests2');
});

test.each([
  ['after', true],
  ['before', false],
])('a note that is written %s a change is applied outlives the page with it', async (_, isNoteLast) => {
  const { tool, user } = setup({ editable: true, input });
  const write = async () => {
    await user.click(press('Add a note'));
    await user.keyboard('Two of them are children');
  };
  if (!isNoteLast) await write();
  await edit(user);
  await user.clear(guests());
  await user.keyboard('7{Enter}');
  await screen.findByText('Changed by you');
  if (isNoteLast) await write();
  cleanup();
  render(<ConfirmationDialog tool={tool} />);
  expect(row('Guests')?.textContent).toContain('Before: 2 → Now: 7');
  await user.click(press('Confirm'));
  const [result, options] = tool.submit.mock.calls[0] ?? [];
  expect(result).toMatchObject({ editedArgs: { guests: 7, time: '19:00' } });
  expect(options).toEqual({ reason: 'Two of them are children' });
});

test('a note outlives the page beside a value that is being typed, and beside a change that is taken back', async () => {
  const { tool, user } = setup({ editable: true, input });
  await user.click(press('Add a note'));
  await user.keyboard('For Ada');
  await edit(user);
  await user.clear(guests());
  await user.keyboard('7');
  cleanup();
  render(<ConfirmationDialog tool={tool} />);
  expect(screen.getByRole('textbox')).toHaveProperty('value', 'For Ada');
  await edit(user);
  expect(guests()).toHaveProperty('value', '7');
  await user.click(press('Apply'));
  await user.click(await screen.findByRole('button', { name: 'Undo the change of Guests' }));
  cleanup();
  render(<ConfirmationDialog tool={tool} />);
  expect(row('Guests')?.textContent).toBe('Guests2Change');
  expect(screen.getByRole('textbox')).toHaveProperty('value', 'For Ada');
});

test('a question whose note was emptied has nothing to lose', async () => {
  const { tool, user } = setup({ editable: true, input });
  await user.click(press('Add a note'));
  await user.keyboard('x{Backspace}');
  expect(tool.getSavedInput()).toBe(null);
  await user.keyboard('{Escape}');
  expect(tool.cancel).toHaveBeenCalledOnce();
});

test('an unchanged value that is applied is no change', async () => {
  const { tool, user } = setup({ editable: true, input });
  await edit(user);
  await user.click(press('Apply'));
  await screen.findByRole('button', { name: 'Change Guests' });
  await user.click(press('Confirm'));
  expect(tool.submit.mock.calls).toEqual([[{ confirmed: true }]]);
});

test('a property that is read-only or a constant has no button', () => {
  const fixed = z.object({
    guests: z.number(),
    order: z.number().meta({ readOnly: true }),
    kind: z.literal('table'),
  });
  const args = { guests: 2, order: 4711, kind: 'table' };
  render(
    <ConfirmationDialog tool={createTestTool({ args, definition: { editable: true, input: fixed } })} />,
  );
  const buttons = screen.getAllByRole('button', { name: /^Change/ });
  expect(buttons.map((button) => button.getAttribute('aria-label'))).toEqual(['Change Guests']);
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
  await confirmForFour(tool, 'Table');
  expect(tool.submit.mock.calls).toEqual([
    [{ confirmed: true, editedArgs: { table: { guests: 4, ...table } }, changedArgs: ['table'] }],
  ]);
});

test('a secret argument is hidden, is not saved, and can be changed', async () => {
  const schema = z.object({ guests: z.number(), door: z.string().meta({ format: 'password' }) });
  const tool = createTestTool({
    args: { guests: 2, door: 'x-old' },
    definition: { editable: true, input: schema },
  });
  render(<ConfirmationDialog tool={tool} />);
  const user = userEvent.setup();
  expect(row('Door')?.textContent).toBe('DoorhiddenChange');
  await user.click(press('Change Door'));
  const field = await screen.findByLabelText('Door');
  expect(field).toHaveProperty('type', 'password');
  await user.clear(field);
  await user.keyboard('x-new');
  expect(JSON.stringify(tool.getSavedInput())).not.toContain('x-');
  await user.keyboard('{Enter}');
  await screen.findByText('Changed by you');
  expect(JSON.stringify(tool.getSavedInput())).not.toContain('x-');
  expect(document.body.textContent).not.toContain('x-');
  await user.click(press('Confirm'));
  expect(tool.submit.mock.calls[0]?.[0]).toMatchObject({
    editedArgs: { door: 'x-new' },
    changedArgs: ['door'],
  });
});

test('an argument can be taken out, and one that is missing can be added', async () => {
  const schema = z.object({ guests: z.number(), note: z.string().optional(), name: z.string().optional() });
  const tool = createTestTool({
    args: { guests: 2, note: 'Window' },
    definition: { editable: true, input: schema },
  });
  render(<ConfirmationDialog tool={tool} />);
  const user = userEvent.setup();
  expect(row('Name')?.textContent).toBe('NamenothingChange');
  await user.click(press('Change Note'));
  await user.clear(await screen.findByRole('textbox', { name: 'Note' }));
  await user.keyboard('{Enter}');
  await user.click(await screen.findByRole('button', { name: 'Change Name' }));
  await user.type(await screen.findByRole('textbox', { name: 'Name' }), 'Ada{Enter}');
  await screen.findByRole('button', { name: 'Undo the change of Name' });
  expect(row('Note')?.textContent).toBe('NoteChanged by youBefore: Window → Now: nothingUndo');
  await user.click(press('Confirm'));
  expect(tool.submit.mock.calls).toEqual([
    [{ confirmed: true, editedArgs: { guests: 2, name: 'Ada' }, changedArgs: ['note', 'name'] }],
  ]);
});

test('a message that is an argument can be changed in a row of its own', async () => {
  const schema = z.object({ message: z.string() });
  const tool = createTestTool({
    args: { message: 'Hello' },
    definition: { editable: true, input: schema, title: 'Send' },
  });
  render(<ConfirmationDialog tool={tool} />);
  const user = userEvent.setup();
  await user.click(press('Change Message'));
  await user.clear(await screen.findByRole('textbox', { name: 'Message' }));
  await user.keyboard('Bye{Enter}');
  await screen.findByText('Changed by you');
  await user.click(press('Confirm'));
  expect(tool.submit.mock.calls[0]?.[0]).toMatchObject({ editedArgs: { message: 'Bye' } });
});

test.each([
  ['a definition that does not allow it', { input }],
  ['no input schema', { editable: true }],
])('arguments cannot be edited with %s', (_, definition) => {
  setup(definition);
  expect(press('Confirm')).toBeTruthy();
  expect(screen.queryByRole('button', { name: /^Change/ })).toBeNull();
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
