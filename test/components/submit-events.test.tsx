// @vitest-environment jsdom
/** A button fires the submit event of its form itself. Firefox submits the form after such an event if nobody prevents it. */
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { expect, onTestFinished, test } from 'vitest';
import { ChoiceCard, Composer, ConfirmationCard, FormCard, SchemaForm } from '../../src/components.ts';
import { createTestTool } from './create-test-tool.ts';

const FORMS: readonly [string, string, () => ReactElement][] = [
  ['a confirmation', 'Confirm', () => <ConfirmationCard tool={createTestTool()} />],
  ['a choice', 'Send', () => <ChoiceCard tool={createTestTool({ args: { options: ['Tea', 'Coffee'] } })} />],
  ['a form', 'Send', () => <FormCard tool={createTestTool({ args: { fields: [{ name: 'note' }] } })} />],
  [
    'a form without a call',
    'Send',
    () => <SchemaForm schema={{ type: 'object', properties: {} }} onSubmit={() => {}} />,
  ],
  ['the composer', 'Send', () => <Composer onSend={() => {}} />],
];

test.each(FORMS)('the browser does not submit %s', async (_, button, createForm) => {
  const events: Event[] = [];
  const note = (event: Event) => void events.push(event);
  addEventListener('submit', note, true);
  onTestFinished(() => removeEventListener('submit', note, true));
  render(createForm());
  await userEvent.click(screen.getByRole('button', { name: button }));
  expect(events.map(({ defaultPrevented }) => defaultPrevented)).toEqual([true]);
});
