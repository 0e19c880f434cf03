/** What was typed and is no value yet. A browser calls such a control empty; to the person it is not. */
import { render, screen, waitFor } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { FormDialog } from '../../src/components/form/form-dialog.tsx';
import { SchemaForm } from '../../src/components/form/schema-form.tsx';
import { createTestTool } from '../components/create-test-tool.ts';

test.each([
  [{ type: 'string', format: 'date' }, '02', '{ArrowLeft}{Backspace}', 'Enter a date.'],
  [{ type: 'string', format: 'date-time' }, '02', '{ArrowLeft}{Backspace}', 'Enter a date and a time.'],
  [{ type: 'string', format: 'time' }, '1', '{Backspace}', 'Enter a time.'],
  [{ type: 'number' }, '1e', '{Backspace}{Backspace}', 'Enter a number.'],
])('an optional %j is not left out with %j in it', async (schema, keys, keysBack, message) => {
  const onSubmit = vi.fn();
  render(<SchemaForm schema={{ type: 'object', properties: { at: schema } }} onSubmit={onSubmit} />);
  await userEvent.click(screen.getByLabelText('At'));
  await userEvent.keyboard(`${keys}{Enter}`);
  expect(await screen.findByRole('link', { name: `At: ${message}` })).toBeTruthy();
  screen.getByLabelText('At').focus();
  await userEvent.keyboard(`${keysBack}{Enter}`);
  await waitFor(() => expect(onSubmit.mock.calls).toEqual([[{}]]));
});

test('what could not be read is not kept: a form that is opened again is as empty as it looks', async () => {
  const tool = createTestTool({ args: { fields: [{ name: 'count', type: 'number' }] } });
  const { unmount } = render(<FormDialog tool={tool} />);
  await userEvent.keyboard('1e');
  unmount();
  render(<FormDialog tool={tool} />);
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(tool.submit.mock.calls).toEqual([[{}]]));
});
