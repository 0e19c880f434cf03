// @vitest-environment jsdom
import { act, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { StrictMode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { AuditTrail } from '../../../src/components.ts';
import { createAuditTrail, type SettledCall } from '../../../src/core.ts';
import { settled } from '../../support/scripted-chat.ts';

const paid: SettledCall = {
  key: '1',
  toolCallId: '1',
  toolName: 'pay-bill',
  args: { amount: 5, password: 'hunter2' },
  outcome: 'submitted',
  result: 'r-1',
  requestedAt: new Date('2026-01-05T10:00:00Z'),
  settledAt: new Date('2026-01-05T10:00:09Z'),
  answeredBy: 'automatic',
  allowedBy: 'person',
  tabId: 't2',
};
const { result: _, allowedBy: __, tabId: ___, ...rest } = paid;
const refused: SettledCall = {
  ...rest,
  key: '2',
  outcome: 'declined',
  answeredBy: 'remembered',
  error: '<b>no</b>',
};

async function setup(...calls: SettledCall[]) {
  const trail = createAuditTrail({ actor: 'Ada' });
  for (const call of calls) await trail.record(call);
  render(<AuditTrail trail={trail} limit={2} />, { wrapper: StrictMode });
  await act(settled);
  return { trail, user: userEvent.setup() };
}

afterEach(() => vi.unstubAllGlobals());

test('the audit trail names the person who answered on another device, and shows the receipt of the question', async () => {
  await setup({
    ...refused,
    answeredBy: 'person',
    person: { id: 'bob', name: 'Bob' },
    receipt: 'signed-by-server',
  });
  const [entry] = screen.getAllByRole('listitem');
  expect(entry?.textContent).toMatch(/^Pay bill declined Jan 5, 2026, .+ by Bob/);
  expect(entry?.textContent).toContain('Receipt: signed-by-server');
  // The person in front of this browser did not answer.
  expect(entry?.textContent).not.toContain('Ada');
});

test('dates are in the language of the labels', async () => {
  const trail = createAuditTrail();
  await trail.record(paid);
  render(<AuditTrail trail={trail} labels={{ locale: 'de' }} />);
  await act(settled);
  expect(screen.getByRole('listitem').textContent).toMatch(/05\.01\.2026, \d\d:00/);
});

test('the audit trail shows tool, outcome, date and person, latest first, and the rest on demand', async () => {
  await setup(paid, refused);
  const [first, second] = screen.getAllByRole('listitem');
  expect(first?.textContent).toMatch(/^Pay bill declined Jan 5, 2026, .+ by a remembered choice, Ada/);
  expect(second?.textContent).toMatch(/^Pay bill done .+ automatically, allowed by you, in another tab, Ada/);
  expect(second?.querySelector('time')?.dateTime).toBe('2026-01-05T10:00:09.000Z');
  expect(second?.textContent).toMatch(/Amount5PasswordhiddenResultr-1$/);
  expect(first?.textContent).toMatch(/<b>no<\/b>$/);
});

test('the audit trail adds a call answered meanwhile, and shows many calls a page at a time', async () => {
  const { trail, user } = await setup(paid, refused);
  await act(async () => {
    for (const key of ['3', '4', '5']) await trail.record({ ...paid, key });
  });
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
  const summaries = () => [...document.querySelectorAll('summary')];
  await user.click(screen.getByRole('button', { name: 'Show 2 more' }));
  expect(summaries()).toHaveLength(4);
  expect(document.activeElement).toBe(summaries()[2]);
  await user.click(screen.getByRole('button', { name: 'Show 1 more' }));
  expect(screen.queryByRole('button', { name: /Show/ })).toBeNull();
  expect(document.activeElement).toBe(summaries()[4]);
});

test.each([
  ['Download CSV', 'audit.csv', 'text/csv;charset=utf-8', /^settledAt,actor,/],
  ['Download JSON', 'audit.json', 'application/json;charset=utf-8', /^\[\n/],
])('%s', async (name, file, type, begin) => {
  const saved: { name: string; blob: Blob }[] = [];
  const blobs: Blob[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, blob: blobs[Number(this.href.split('#')[1])] as Blob });
  });
  vi.stubGlobal(
    'URL',
    Object.assign(URL, { createObjectURL: (blob: Blob) => `#${blobs.push(blob) - 1}`, revokeObjectURL() {} }),
  );
  const { user } = await setup(paid);
  await user.click(screen.getByRole('button', { name }));
  expect(saved.map(({ name, blob }) => [name, blob.type])).toEqual([[file, type]]);
  const reader = new FileReader();
  const text = await new Promise<string>((resolve) => {
    reader.onload = () => resolve(String(reader.result));
    reader.readAsText(saved[0]?.blob as Blob);
  });
  expect(text).toMatch(begin);
  expect(text).not.toContain('hunter2');
});

test('an empty audit trail says so and offers no file', async () => {
  await setup();
  expect(screen.getByRole('region', { name: 'Answer history' }).textContent).toContain('No answers yet.');
  expect(screen.queryByRole('button')).toBeNull();
});
