/** Waiting questions of a transcript that are not visible. */
import { render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { expect, test } from 'vitest';
import '../../src/styles.css';
import { ConfirmationCard } from '../../src/components/confirmation/confirmation-dialog.tsx';
import { Transcript } from '../../src/components/transcript/transcript.tsx';
import { createTestTool } from '../components/create-test-tool.ts';

function open(question: ReactElement) {
  render(
    <div style={{ blockSize: 400 }}>
      <Transcript messages={[]}>
        {question}
        <div style={{ blockSize: 2_000 }}>Afterwards</div>
      </Transcript>
    </div>,
  );
  const view = screen.getByRole('region', { name: 'Conversation' });
  const bar = () => screen.queryByRole('button', { name: '1 question needs your answer Show' });
  return { view, bar };
}

test('a question whose answer was refused is scrolled back into view', async () => {
  const tool = createTestTool({ refusals: [{ settled: false, reason: 'invalid-result' }] });
  const { view, bar } = open(<ConfirmationCard tool={tool} />);
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  const card = screen.getByRole('region', { name: 'Place order' });
  expect(card.dataset.answer).toBe('refused');
  expect(bar()).toBeNull();
  view.scrollTop = 1_500;
  await waitFor(() => expect(bar()).not.toBeNull());
  await userEvent.click(bar() as HTMLElement);
  expect(document.activeElement).toBe(card);
  await waitFor(() => expect(bar()).toBeNull());
});

test("a question of an app's component gets the focus, also if it is not a tab stop", async () => {
  const { view, bar } = open(
    <div data-answer="waiting" data-testid="own">
      Which one?
    </div>,
  );
  view.scrollTop = 1_500;
  await waitFor(() => expect(bar()).not.toBeNull());
  await userEvent.click(bar() as HTMLElement);
  expect(document.activeElement).toBe(screen.getByTestId('own'));
});
