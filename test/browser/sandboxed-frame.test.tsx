/** Apps in a chat run in frames whose sandbox allows scripts and no forms. In such a frame the browser fires no submit event. */
import { cleanup, fireEvent, render, within } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { ChoiceCard, Composer, ConfirmationCard, FormCard, SchemaForm } from '../../src/components.ts';
import { createTestTool } from '../components/create-test-tool.ts';

const frames: HTMLIFrameElement[] = [];
afterEach(() => {
  cleanup();
  for (const frame of frames.splice(0)) frame.remove();
});

function show(app: ReactElement) {
  const frame = document.createElement('iframe');
  frame.setAttribute('sandbox', 'allow-scripts allow-same-origin');
  frames.push(document.body.appendChild(frame));
  const page = frame.contentDocument?.body as HTMLElement;
  render(app, { container: page.appendChild(document.createElement('div')) });
  return within(page);
}

/** The typing tool does not accept elements of another page. */
async function type(field: HTMLElement, keys: string) {
  field.focus();
  await userEvent.keyboard(keys);
}

test('a question in a frame without allow-forms is confirmed, and declined with a reason', async () => {
  const tool = createTestTool();
  show(<ConfirmationCard tool={tool} />)
    .getByRole('button', { name: 'Confirm' })
    .click();
  expect(tool.submit.mock.calls).toEqual([[{ confirmed: true }]]);
  const other = createTestTool();
  const page = show(<ConfirmationCard tool={other} />);
  fireEvent.click(page.getByRole('button', { name: 'Add a note' }));
  await type(page.getByRole('textbox'), 'Too dear');
  page.getByRole('button', { name: 'Decline' }).click();
  expect(other.decline.mock.calls).toEqual([['Too dear', expect.anything()]]);
});

test('a choice in a frame without allow-forms is submitted', () => {
  const tool = createTestTool({ args: { title: 'Drink', options: ['Tea', 'Coffee'] } });
  const page = show(<ChoiceCard tool={tool} />);
  page.getByRole('radio', { name: 'Coffee' }).click();
  page.getByRole('button', { name: 'Send' }).click();
  expect(tool.submit.mock.calls).toEqual([[{ selected: 'Coffee' }]]);
});

test('Enter submits a form in a frame without allow-forms, once', async () => {
  const tool = createTestTool({ args: { fields: [{ name: 'note', label: 'Note' }] } });
  const page = show(<FormCard tool={tool} />);
  await type(page.getByRole('textbox', { name: 'Note' }), 'No sugar{Enter}');
  await vi.waitFor(() => expect(tool.submit.mock.calls).toEqual([[{ note: 'No sugar' }]]));
});

test('the button of a form without a call and of the composer submits in a frame without allow-forms', async () => {
  const onSubmit = vi.fn();
  const schema = { type: 'object', properties: { note: { type: 'string', default: 'Hot' } } } as const;
  show(<SchemaForm schema={schema} onSubmit={onSubmit} />)
    .getByRole('button', { name: 'Send' })
    .click();
  await vi.waitFor(() => expect(onSubmit.mock.calls).toEqual([[{ note: 'Hot' }]]));
  const onSend = vi.fn();
  const page = show(<Composer onSend={onSend} />);
  await type(page.getByRole('textbox'), 'Hello');
  page.getByRole('button', { name: 'Send' }).click();
  expect(onSend.mock.calls).toEqual([[{ content: 'Hello' }]]);
});
