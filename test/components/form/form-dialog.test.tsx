// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FormDialog } from '../../../src/components/form/form-dialog.tsx';
import { createTestTool } from '../create-test-tool.ts';

const box = (name: string) => screen.getByRole('textbox', { name });
const fields = [
  { name: 'name', label: 'Name', type: 'text', required: true },
  { name: 'pin', label: 'PIN', type: 'password' },
];

test('a form dialog submits the values of a fields array', async () => {
  const user = userEvent.setup();
  const tool = createTestTool({ args: { fields } });
  render(<FormDialog tool={tool} />);
  await user.keyboard('Ada{Enter}');
  await waitFor(() => expect(tool.submit.mock.calls).toEqual([[{ name: 'Ada' }]]));
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('a form dialog submits the value as entered when the tool parses it', async () => {
  const user = userEvent.setup();
  const output = z.object({ amount: z.string().transform(Number) });
  const tool = createTestTool({ args: {}, definition: { output } });
  render(<FormDialog tool={tool} />);
  await user.keyboard('12{Enter}');
  await waitFor(() => expect(tool.submit.mock.calls).toEqual([[{ amount: '12' }]]));
});

test('a form dialog submits the parsed value when the schema is its own', async () => {
  const user = userEvent.setup();
  const tool = createTestTool({ args: {}, definition: { output: z.object({ amount: z.number() }) } });
  const schema = z.object({ amount: z.string().transform(Number) });
  render(<FormDialog tool={tool} schema={schema} />);
  await user.keyboard('12{Enter}');
  await waitFor(() => expect(tool.submit.mock.calls).toEqual([[{ amount: 12 }]]));
});

test('a refused result shows its issues at the fields, keeps the input, and can be submitted again', async () => {
  const user = userEvent.setup();
  const tool = createTestTool({
    args: { fields },
    refusals: [
      { settled: false, reason: 'invalid-result', issues: [{ message: 'Is taken', path: ['name'] }] },
    ],
  });
  render(<FormDialog tool={tool} />);
  await user.keyboard('Ada{Enter}');
  await screen.findByText('Is taken');
  expect(box('Name')).toHaveProperty('value', 'Ada');
  expect(screen.getByRole('status').textContent).toBe('');
  await user.type(box('Name'), 'm{Enter}');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(tool.submit.mock.calls).toEqual([[{ name: 'Ada' }], [{ name: 'Adam' }]]);
});

test('a refusal without issues shows a notice', async () => {
  const user = userEvent.setup();
  const tool = createTestTool({
    args: { fields },
    refusals: [{ settled: false, reason: 'not-serializable' }],
  });
  render(<FormDialog tool={tool} />);
  await user.keyboard('Ada{Enter}');
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe('This answer could not be sent:'));
});

test('a form whose call has expired keeps its input and has only a Close button', async () => {
  const user = userEvent.setup();
  const tool = createTestTool({ args: { fields }, refusals: [{ settled: false, reason: 'expired' }] });
  render(<FormDialog tool={tool} />);
  await user.keyboard('Ada{Enter}');
  await waitFor(() => expect(screen.getByRole('status').textContent).toMatch(/^The agent no longer waits/));
  expect(box('Name')).toHaveProperty('value', 'Ada');
  expect(screen.queryByRole('button', { name: 'Send' })).toBeNull();
  await user.click(screen.getByRole('button', { name: 'Close' }));
  expect(tool.cancel).not.toHaveBeenCalled();
  expect(screen.queryByRole('dialog')).toBeNull();
});

describe('saved input', () => {
  test('survives the dialog, without secrets', async () => {
    const user = userEvent.setup();
    const tool = createTestTool({ args: { fields } });
    const { unmount } = render(<FormDialog tool={tool} />);
    await user.keyboard('Ada');
    await user.type(screen.getByLabelText('PIN'), '1234');
    unmount();
    expect(JSON.stringify(tool.getSavedInput())).not.toContain('1234');

    render(<FormDialog tool={tool} />);
    expect(box('Name')).toHaveProperty('value', 'Ada');
    expect(screen.getByLabelText('PIN')).toHaveProperty('value', '');
  });

  test('has no secret of a number, a list or an object', async () => {
    const user = userEvent.setup();
    const schema = {
      type: 'object',
      properties: {
        pin: { type: 'integer', writeOnly: true },
        codes: { type: 'array', format: 'password', items: { type: 'string' } },
        login: { type: 'object', writeOnly: true, properties: { user: { type: 'string' } } },
        city: { type: 'string' },
      },
    };
    const tool = createTestTool({ args: {} });
    render(<FormDialog tool={tool} schema={schema} defaultValue={{ codes: ['x-codes'] }} />);
    for (const label of ['Pin', 'User', 'Code 1']) {
      expect(screen.getByLabelText(label).getAttribute('type')).toBe('password');
    }
    await user.type(screen.getByLabelText('Pin'), '4711');
    await user.type(screen.getByLabelText('User'), 'x-user');
    await user.type(box('City'), 'Graz');
    expect(JSON.stringify(tool.getSavedInput())).not.toMatch(/4711|x-codes|x-user/);
    expect(JSON.stringify(tool.getSavedInput())).toContain('Graz');
    await user.click(screen.getByRole('button', { name: 'Send' }));
    const entered = { pin: 4711, codes: ['x-codes'], login: { user: 'x-user' }, city: 'Graz' };
    await waitFor(() =>
      expect(tool.submit.mock.calls).toEqual([[entered, { redactedResult: { city: 'Graz' } }]]),
    );
  });

  test('of another schema is ignored', () => {
    const tool = createTestTool({ args: { fields } });
    tool.saveInput({ f0: [{ item: 'x' }] });
    render(<FormDialog tool={tool} />);
    expect(box('Name')).toHaveProperty('value', '');
  });

  test('is optional for a call made by hand', async () => {
    const user = userEvent.setup();
    const { getSavedInput: _, saveInput: __, ...tool } = createTestTool({ args: { fields } });
    render(<FormDialog tool={tool as never} />);
    await user.keyboard('Ada{Enter}');
    await waitFor(() => expect(tool.submit).toHaveBeenCalledOnce());
  });
});

test('the schema prop comes before the output schema, and that before the arguments', () => {
  const output = z.object({ fromOutput: z.string() });
  const tool = createTestTool({ args: { fields }, definition: { output } });
  const { rerender } = render(<FormDialog tool={tool} />);
  expect(box('From output')).toBeTruthy();
  rerender(<FormDialog key="other" tool={tool} schema={z.object({ given: z.string() })} />);
  expect(box('Given')).toBeTruthy();
});

test('a form dialog lists the arguments that it does not show as fields', () => {
  render(<FormDialog tool={createTestTool({ args: { question: 'How many?', invoice: 'A-17', fields } })} />);
  expect(screen.getByText('How many?').id).toBe(screen.getByRole('dialog').getAttribute('aria-describedby'));
  expect(screen.getByText('A-17')).toBeTruthy();
  expect(screen.queryByText('Fields')).toBeNull();
});

test('a form from the output schema lists an argument called schema or fields', () => {
  const args = { message: 'Export this?', fields: ['name', 'email'], schema: { table: 'people' } };
  render(
    <FormDialog tool={createTestTool({ args, definition: { output: z.object({ ok: z.string() }) } })} />,
  );
  expect(screen.getAllByRole('textbox')).toEqual([box('Ok')]);
  expect(screen.getByText('Fields').nextSibling?.textContent).toContain('email');
  expect(screen.getByText('Table').nextSibling?.textContent).toBe('people');
});

describe('the focus of a form that starts with a list', () => {
  const list = { type: 'array', items: { type: 'string' } };
  const record = { type: 'object', additionalProperties: { type: 'string' } };
  const add = () => screen.getByRole('button', { name: 'Add one Names' });
  test.each([
    [
      'starts in the first row of a list that must not be empty',
      { ...list, minItems: 1 },
      () => box('Name 1'),
    ],
    ['starts in the row of a default value', { ...list, default: ['Ada'] }, () => box('Name 1')],
    ['starts on the button that adds a row when there is no row', { ...list, minItems: 0 }, add],
    ['starts on the button that adds an entry', record, add],
    ['skips a list that must stay empty', { ...list, maxItems: 0 }, () => screen.getByRole('checkbox')],
  ])('%s', (_, names, start) => {
    const properties = { names, ok: { type: 'boolean' } };
    const schema = { type: 'object', required: ['names'], properties };
    render(<FormDialog tool={createTestTool({ args: {} })} schema={schema} />);
    expect(document.activeElement).toBe(start());
  });

  test('starts on Submit when there are no fields', () => {
    const schema = { type: 'object', required: ['a'], properties: { a: { const: 1 } } };
    render(<FormDialog tool={createTestTool({ args: {} })} schema={schema} />);
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Send' }));
  });
});
