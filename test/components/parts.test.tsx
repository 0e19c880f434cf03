// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { describe, expect, test } from 'vitest';
import { ClientToolDialogs } from '../../src/components/client-tools/client-tool-dialogs.tsx';
import { FormDialog } from '../../src/components/form/form-dialog.tsx';
import { SchemaForm } from '../../src/components/form/schema-form.tsx';
import { type Parts, PartsProvider } from '../../src/components/parts/part.tsx';
import { createTestTool } from './create-test-tool.ts';

const fields = [{ name: 'name', label: 'Name', required: true, description: 'In full' }];

test('class names reach every element of a dialog, beside its own', async () => {
  const user = userEvent.setup();
  const names = ['overlay', 'dialog', 'header', 'title', 'description', 'form', 'footer', 'field', 'label'];
  const more = ['hint', 'input', 'button', 'error', 'errorSummary'];
  const parts: Parts = Object.fromEntries(
    [...names, ...more].map((name) => [name, { className: `app-${name}` }]),
  );
  const tool = createTestTool({ args: { message: 'Who are you?', fields } });
  render(<ClientToolDialogs tools={[tool]} parts={parts} />);
  await user.click(screen.getByRole('button', { name: 'Submit' }));
  await screen.findByRole('region', { name: 'One answer needs another look' });
  for (const name of [...names, ...more]) {
    expect(document.querySelector(`.app-${name}`)?.className, name).toContain('hr-');
  }
});

test('a renderer replaces the element and keeps labels, errors, focus and typing', async () => {
  const user = userEvent.setup();
  const parts: Parts = {
    input: { render: (props) => <input {...props} data-mine="input" /> },
    button: { render: ({ children, ...props }) => <button {...props}>» {children}</button> },
    dialog: { render: (props) => <section {...props} data-mine="dialog" /> },
  };
  const tool = createTestTool({ args: { fields } });
  render(<FormDialog tool={tool} parts={parts} />);
  const dialog = screen.getByRole('dialog');
  expect([dialog.tagName, dialog.dataset.mine]).toEqual(['SECTION', 'dialog']);
  const input = screen.getByRole('textbox', { name: 'Name' });
  expect(input.dataset.mine).toBe('input');
  expect(document.activeElement).toBe(input);
  await user.click(screen.getByRole('button', { name: '» Submit' }));
  await waitFor(() => expect(input.getAttribute('aria-invalid')).toBe('true'));
  await user.type(input, 'Ada{Enter}');
  await waitFor(() => expect(tool.submit.mock.calls).toEqual([[{ name: 'Ada' }]]));
});

describe('parts given in several places', () => {
  test('the nearest wins by name, the others stay', () => {
    render(
      <PartsProvider parts={{ input: { className: 'outer-input' }, label: { className: 'outer-label' } }}>
        <SchemaForm schema={fields} onSubmit={() => undefined} parts={{ input: { className: 'inner' } }} />
      </PartsProvider>,
    );
    expect(screen.getByRole('textbox', { name: 'Name' }).className).toBe('hr-input inner');
    expect(screen.getByText('Name').className).toBe('hr-label outer-label');
  });
});
