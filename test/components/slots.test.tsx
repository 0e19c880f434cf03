// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { describe, expect, test } from 'vitest';
import { ClientToolDialogs } from '../../src/components/client-tools/client-tool-dialogs.tsx';
import { ConfirmationCard } from '../../src/components/confirmation/confirmation-dialog.tsx';
import { FormDialog } from '../../src/components/form/form-dialog.tsx';
import { SchemaForm } from '../../src/components/form/schema-form.tsx';
import { AuditTrail } from '../../src/components/policies/audit-trail.tsx';
import { RememberedChoices } from '../../src/components/policies/remembered-choices.tsx';
import { type SlotName, type Slots, SlotsProvider } from '../../src/components/primitives/slot.tsx';
import { Notices } from '../../src/components/transcript/notices.tsx';
import { ToolCallView } from '../../src/components/transcript/tool-call-view.tsx';
import { Transcript } from '../../src/components/transcript/transcript.tsx';
import type { ToolCallPart } from '../../src/core/state/message.ts';
import { createAuditTrail, createRememberedChoices } from '../../src/core.ts';
import { createMemoryStorage } from '../../src/testing.ts';
import { createTestTool } from './create-test-tool.ts';

const fields = [
  { name: 'name', label: 'Name', required: true },
  { name: 'nick', label: 'Nickname', description: 'As friends say it' },
];

test('class names of slots are added to every element of a dialog', async () => {
  const user = userEvent.setup();
  const names = ['overlay', 'dialog', 'header', 'title', 'description', 'form', 'footer', 'field', 'label'];
  const more = ['hint', 'input', 'button', 'error', 'errorSummary'];
  const slots: Slots = Object.fromEntries(
    [...names, ...more].map((name) => [name, { className: `app-${name}` }]),
  );
  const tool = createTestTool({ args: { message: 'Who are you?', fields } });
  render(<ClientToolDialogs tools={[tool]} slots={slots} />);
  await user.click(screen.getByRole('button', { name: 'Send' }));
  await screen.findByText('1 answer needs a look');
  for (const name of [...names, ...more]) {
    expect(document.querySelector(`.app-${name}`)?.className, name).toContain('hr-');
  }
});

const failedCall: ToolCallPart = {
  type: 'tool-call',
  toolCallId: 'call-1',
  toolName: 'pay',
  args: {},
  status: 'error',
  error: 'No money',
};

test.each<[element: string, name: SlotName, piece: ReactElement]>([
  ['hr-notice', 'notice', <Notices key="" notices={[{ code: 'late', text: 'Late' }]} />],
  ['hr-error', 'error', <ToolCallView key="" part={failedCall} />],
  ['hr-transcript-bar', 'bar', <Transcript key="" messages={[]} />],
  ['hr-title', 'title', <AuditTrail key="" trail={createAuditTrail()} />],
  [
    'hr-hint',
    'hint',
    <RememberedChoices key="" choices={createRememberedChoices({ storage: createMemoryStorage() })} />,
  ],
])('class names of slots are added to %s of the transcript and composer', (element, name, piece) => {
  render(<SlotsProvider slots={{ [name]: { className: 'app' } }}>{piece}</SlotsProvider>);
  expect(document.querySelector(`.${element}`)?.className.split(' ')).toContain('app');
});

test('class names of slots are added to the texts of an ended question, inline and in a queue', async () => {
  const slots: Slots = { outcome: { className: 'app-outcome' }, toast: { className: 'app-toast' } };
  render(<ConfirmationCard tool={createTestTool()} slots={slots} />);
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  expect(document.querySelector('.app-outcome')?.textContent).toBe('Confirmed');
  const { rerender } = render(<ClientToolDialogs tools={[createTestTool()]} slots={slots} />);
  rerender(<ClientToolDialogs tools={[]} slots={slots} />);
  expect(document.querySelector('.app-toast')?.textContent).toMatch(/no longer needs an answer/);
});

test('a slot renderer replaces the element and keeps labels, errors, focus and typing', async () => {
  const user = userEvent.setup();
  const slots: Slots = {
    input: { render: (props) => <input {...props} data-mine="input" /> },
    button: { render: ({ children, ...props }) => <button {...props}>» {children}</button> },
    dialog: { render: (props) => <section {...props} data-mine="dialog" /> },
  };
  const tool = createTestTool({ args: { fields } });
  render(<FormDialog tool={tool} slots={slots} />);
  const dialog = screen.getByRole('dialog');
  expect([dialog.tagName, dialog.dataset.mine]).toEqual(['SECTION', 'dialog']);
  const input = screen.getByRole('textbox', { name: 'Name' });
  expect(input.dataset.mine).toBe('input');
  expect(document.activeElement).toBe(input);
  await user.click(screen.getByRole('button', { name: '» Send' }));
  await waitFor(() => expect(input.getAttribute('aria-invalid')).toBe('true'));
  await user.type(input, 'Ada{Enter}');
  await waitFor(() => expect(tool.submit.mock.calls).toEqual([[{ name: 'Ada' }]]));
});

describe('slots from several providers', () => {
  test('the nearest provider of a slot wins, and other slots stay', () => {
    render(
      <SlotsProvider slots={{ input: { className: 'outer-input' }, label: { className: 'outer-label' } }}>
        <SchemaForm schema={fields} onSubmit={() => undefined} slots={{ input: { className: 'inner' } }} />
      </SlotsProvider>,
    );
    expect(screen.getByRole('textbox', { name: 'Name' }).className).toBe('hr-input inner');
    expect(screen.getByText('Name').className).toBe('hr-label outer-label');
  });
});
