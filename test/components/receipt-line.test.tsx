// @vitest-environment jsdom
import { render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { ChoiceCard } from '../../src/components/choice/choice-dialog.tsx';
import { ConfirmationCard } from '../../src/components/confirmation/confirmation-dialog.tsx';
import { ClockContext } from '../../src/components/hooks/use-arming.ts';
import { LabelsProvider } from '../../src/components/text/labels-context.tsx';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { createTestTool } from './create-test-tool.ts';

const line = (name: RegExp) => screen.getByRole('button', { name });

test('an answered card is a line with the question, the answer and the time', async () => {
  const clock = createManualClock();
  const user = userEvent.setup();
  render(
    <LabelsProvider labels={{ locale: 'de' }}>
      <ClockContext.Provider value={clock}>
        <ConfirmationCard tool={createTestTool({ args: { action: 'Place order', milk: 'oat' } })} />
      </ClockContext.Provider>
    </LabelsProvider>,
  );
  await user.click(screen.getByRole('button', { name: 'Confirm' }));
  const time = new Date(clock.now()).toLocaleTimeString('de', { hour: 'numeric', minute: '2-digit' });
  expect(line(/Place order/).textContent).toBe(`Place orderConfirmed${time}`);
  expect(screen.getAllByRole('button')).toHaveLength(1);
  expect(screen.queryByRole('term')).toBeNull();
});

test('the line of an answered card opens to what was asked, and closes again', async () => {
  const user = userEvent.setup();
  render(<ConfirmationCard tool={createTestTool({ args: { action: 'Place order', milk: 'oat' } })} />);
  await user.click(screen.getByRole('button', { name: 'Decline' }));
  await user.tab();
  expect(document.activeElement).toBe(line(/Place order.*Declined/));
  await user.keyboard('{Enter}');
  expect(line(/Place order/).getAttribute('aria-expanded')).toBe('true');
  expect(within(screen.getByRole('region', { name: 'Place order' })).getByText('oat')).toBeTruthy();
  await user.keyboard('{Enter}');
  expect(line(/Place order/).getAttribute('aria-expanded')).toBe('false');
  expect(screen.queryByRole('term')).toBeNull();
});

test('a choice keeps its picks in the line that it becomes', async () => {
  const user = userEvent.setup();
  render(<ChoiceCard tool={createTestTool({ args: { title: 'Milk', options: ['Oat', 'Soy'] } })} />);
  await user.click(screen.getByRole('radio', { name: 'Soy' }));
  await user.click(screen.getByRole('button', { name: 'Send' }));
  expect(screen.queryByRole('radio')).toBeNull();
  await user.click(line(/Milk.*You chose Soy/));
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Soy' }).checked).toBe(true);
});
