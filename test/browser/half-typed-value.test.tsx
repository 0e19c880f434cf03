/** People see typed text that is not a value yet, though the browser may report such a control as empty. */
import { render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { FormDialog } from '../../src/components/form/form-dialog.tsx';
import { SchemaForm } from '../../src/components/form/schema-form.tsx';
import { createTestTool } from '../components/create-test-tool.ts';
import { untilArmed } from '../support/until-armed.ts';

test.each([
  [{ type: 'string', format: 'date' }, '02', '{ArrowLeft}{Backspace}', 'Enter a date.'],
  [{ type: 'string', format: 'date-time' }, '02', '{ArrowLeft}{Backspace}', 'Enter a date and a time.'],
  [{ type: 'string', format: 'time' }, '1', '{Backspace}', 'Enter a time.'],
  [{ type: 'number' }, '1e', '{Backspace}{Backspace}', 'Enter a number.'],
])(
  'an optional %j field with half-typed %j in it is not left out',
  async (schema, keys, keysBack, message) => {
    const onSubmit = vi.fn();
    render(<SchemaForm schema={{ type: 'object', properties: { at: schema } }} onSubmit={onSubmit} />);
    await userEvent.click(screen.getByLabelText('At'));
    await userEvent.keyboard(`${keys}{Enter}`);
    expect(await screen.findByRole('link', { name: `At: ${message}` })).toBeTruthy();
    screen.getByLabelText('At').focus();
    await userEvent.keyboard(`${keysBack}{Enter}`);
    await waitFor(() => expect(onSubmit.mock.calls).toEqual([[{}]]));
  },
);

test('half of a date is not saved, so a reopened form shows an empty field', async () => {
  const tool = createTestTool({ args: { fields: [{ name: 'day', type: 'date' }] } });
  const { unmount } = render(<FormDialog tool={tool} />);
  await userEvent.keyboard('02');
  unmount();
  render(<FormDialog tool={tool} />);
  await untilArmed();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(tool.submit.mock.calls).toEqual([[{}]]));
});

test('half of a number is saved as the text it is, so a reopened form shows it', async () => {
  const tool = createTestTool({ args: { fields: [{ name: 'count', type: 'number' }] } });
  const { unmount } = render(<FormDialog tool={tool} />);
  await userEvent.keyboard('1e');
  unmount();
  render(<FormDialog tool={tool} />);
  await untilArmed();
  await userEvent.keyboard('3{Enter}');
  await waitFor(() => expect(tool.submit.mock.calls).toEqual([[{ count: 1000 }]]));
});
