// @vitest-environment jsdom
/** The dialogs of the kit ask what an agent asks, and their answers are the ones that the agent wants. */
import { fireEvent, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ClientToolDialogs } from '../../../src/components/client-tools/client-tool-dialogs.tsx';
import { type Asked, askInOlderForm } from './ask-agent.ts';

function show({ tool }: Asked) {
  render(<ClientToolDialogs mode="inline" tools={[tool]} />);
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const resumeAfter = async (asked: Asked, act: () => Promise<void>) => {
  let acting: Promise<void> | undefined;
  const input = await asked.answer(() => {
    acting = act();
  });
  await acting;
  return Object(input?.forwardedProps).command?.resume;
};

test('a question in words is shown with a field, and its text is the answer', async () => {
  const asked = await askInOlderForm('What is your name?');
  show(asked);
  expect(document.body.textContent).toContain('What is your name?');
  const resume = await resumeAfter(asked, async () => {
    await userEvent.type(screen.getByRole('textbox', { name: 'Answer' }), 'Ann');
    await press('Send');
  });
  expect(resume).toBe('Ann');
});

test('options are shown, and the picked one is the answer', async () => {
  const asked = await askInOlderForm({ question: 'Which size?', options: ['S', 'L'] });
  show(asked);
  expect(document.body.textContent).toContain('Which size?');
  const resume = await resumeAfter(asked, async () => {
    fireEvent.click(screen.getByRole('radio', { name: 'L' }));
    await press('Send');
  });
  expect(resume).toBe('L');
});

test('unknown fields are all shown', async () => {
  show(await askInOlderForm({ text: 'Delete all files?', files: ['a.txt', 'b.txt'] }));
  for (const words of ['Delete all files?', 'a.txt', 'b.txt'])
    expect(document.body.textContent).toContain(words);
});

test('each call that is reviewed is shown, and gets its own decision', async () => {
  const asked = await askInOlderForm({
    action_requests: [
      { name: 'refund', args: { amount: 50 } },
      { name: 'mail', args: { to: 'Ann' } },
    ],
    review_configs: [
      { action_name: 'refund', allowed_decisions: ['approve', 'reject'] },
      { action_name: 'mail', allowed_decisions: ['approve', 'respond'] },
    ],
  });
  show(asked);
  for (const words of ['50', 'Ann']) expect(document.body.textContent).toContain(words);
  const resume = await resumeAfter(asked, async () => {
    await press('Send');
    expect(asked.tool.status).toBe('waiting');
    const mail = screen.getByRole('radiogroup', { name: 'mail' });
    await userEvent.click(within(mail).getByRole('radio', { name: 'approve' }));
    await press('Send');
  });
  expect(resume).toEqual({ decisions: [{ type: 'reject' }, { type: 'approve' }] });
});
