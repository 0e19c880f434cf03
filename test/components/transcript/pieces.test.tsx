// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import {
  ClientToolDialogs,
  englishLabels,
  Notices,
  ToolCallView,
  TurnError,
} from '../../../src/components.ts';
import type { ToolCallPart } from '../../../src/core/state/message.ts';
import { AgentChatError, type AgentChatErrorInit } from '../../../src/core.ts';
import { createTestTool } from '../create-test-tool.ts';

const part = (more: Partial<ToolCallPart> = {}): ToolCallPart => ({
  type: 'tool-call',
  toolCallId: '1',
  toolName: 'get-weather',
  args: { city: 'Graz' },
  status: 'done',
  ...more,
});

test.each([
  [{ status: 'pending' }, 'preparing'],
  [{ status: 'running' }, 'running'],
  [{ status: 'done' }, 'done'],
  [{ status: 'done', outcome: 'declined' }, 'declined'],
  [{ status: 'error' }, 'failed'],
  [{ status: 'error', outcome: 'timed-out' }, 'timed out'],
  [{ status: 'cancelled', outcome: 'superseded' }, 'no longer needed'],
] as const)('a call %j reads %s', (more, word) => {
  const { container } = render(<ToolCallView part={part(more)} />);
  expect(container.querySelector('summary')?.textContent).toBe(`Get weather${word}`);
  expect(container.querySelector('details')?.dataset.status).toBe(more.status);
});

test.each([
  ['get_weather', 'Get weather'],
  ['weather_api_v2', 'Weather api v2'],
  ['Wetter in Graz', 'Wetter in Graz'],
  ['Wetter\u202e', 'Wetter\\u{202e}'],
])('a call with the display name %j is called %s', (displayName, name) => {
  const { container } = render(<ToolCallView part={part({ displayName })} />);
  expect(container.querySelector('.hr-call-name')?.textContent).toBe(name);
});

test('a call that waits for a person, or was answered by one, says so and not where it runs', () => {
  const { container, rerender } = render(
    <ToolCallView part={part({ status: 'running', executedBy: 'client' })} waiting />,
  );
  expect(container.querySelector('summary')?.textContent).toBe('Get weatherwaits for you');
  const said = { outcome: 'submitted', result: { confirmed: true } } as const;
  rerender(<ToolCallView part={part({ status: 'done', executedBy: 'client', ...said })} />);
  expect(container.querySelector('summary')?.textContent).toBe('Get weatherallowed by you');
});

test('a call that runs by itself says where', () => {
  render(<ToolCallView part={part({ status: 'running', executedBy: 'client' })} />);
  expect(screen.getByText('in your browser')).toBeTruthy();
});

test.each([
  [{ result: { degrees: 21 } }, 'Degrees21'],
  [{ result: 0 }, 'Result0'],
  [{ result: null }, 'Resultnothing'],
])('a result %j is shown', (more, text) => {
  const { container } = render(<ToolCallView part={part(more)} />);
  const [, result] = container.querySelectorAll('.hr-arguments');
  expect(result?.textContent).toBe(text);
});

test('a declined call has no tick', () => {
  const draw = (more: Partial<ToolCallPart>) =>
    render(<ToolCallView part={part(more)} />)
      .container.querySelector('.hr-status-icon path')
      ?.getAttribute('d');
  const declined = draw({ outcome: 'declined' });
  expect(declined).not.toBe(draw({ outcome: 'submitted' }));
  expect(declined).toBe(draw({ status: 'cancelled' }));
});

test('error text of a call is never markup, and reordering characters are spelled out', () => {
  const error = '<img src=x>\u202Eno';
  const { container } = render(<ToolCallView part={part({ status: 'error', error })} />);
  expect(container.querySelector('img')).toBeNull();
  expect(screen.getByText('<img src=x>\\u{202e}no')).toBeTruthy();
});

test('notices stay readable for screen readers while a dialog is open', () => {
  render(
    <>
      <p>Behind it</p>
      <Notices notices={[{ code: 'x', text: 'Slow today' }]} />
      <ClientToolDialogs tools={[createTestTool()]} />
    </>,
  );
  const isHidden = (text: string) => screen.getByText(text).closest('[aria-hidden="true"]') !== null;
  expect(['Behind it', 'Slow today'].map(isHidden)).toEqual([true, false]);
});

test('a turn error shows the buttons of its handlers, and spells out reordering characters', () => {
  const error = new AgentChatError({ code: 'backend_error', message: 'Gone\u202e', retryable: true });
  const onRetry = vi.fn();
  const { rerender } = render(<TurnError error={error} />);
  expect(screen.getByRole('alert').textContent).toBe('The answer failedGone\\u{202e}');
  expect(screen.queryByRole('button')).toBeNull();
  rerender(<TurnError error={error} onRetry={onRetry} />);
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(onRetry).toHaveBeenCalledOnce();
  expect(screen.getAllByRole('button')).toHaveLength(1);
});

test('the latest notices are shown in order', () => {
  const notices = ['one', 'two', 'three'].map((text) => ({ code: 'x', text }));
  const { rerender } = render(<Notices notices={notices} limit={2} />);
  expect(screen.getByRole('log', { name: 'Notices' }).textContent).toBe('twothree');
  rerender(<Notices notices={notices} limit={0} />);
  expect(screen.getByRole('log').textContent).toBe('');
  rerender(<Notices notices={notices.slice(1)} />);
  expect(screen.getByRole('log').textContent).toBe('twothree');
  rerender(<Notices notices={[{ code: 'x', text: 'no\u202ene' }, ...notices]} />);
  expect(screen.getByRole('log').textContent).toBe('onetwothree');
  rerender(<Notices notices={[{ code: 'x', text: 'no\u202ene' }]} />);
  expect(screen.getByRole('log').textContent).toBe('no\\u{202e}ne');
});

test.each<[AgentChatErrorInit, string]>([
  [
    { code: 'stream_interrupted', message: 'retry() asks again.' },
    'The connection broke before the answer was complete.',
  ],
  [
    { code: 'tool_rounds_exceeded', message: 'maxToolRounds' },
    'The agent took too many steps and was paused.',
  ],
  [{ code: 'http_error', message: 'POST /api/chat: 404', status: 404 }, 'The server could not answer.'],
  [
    { code: 'http_error', message: 'Request failed: 402', errorType: 'quota_exceeded_error', status: 402 },
    'The usage limit of this plan is reached. Trying again does not help until it is raised.',
  ],
  [{ code: 'backend_error', message: 'Your plan ends here.' }, 'Your plan ends here.'],
])('a turn error says %j in the words of people', (init, said) => {
  render(<TurnError error={new AgentChatError(init)} />);
  expect(screen.getByRole('alert').textContent).toBe(`The answer failed${said}`);
});

test('every error code of the client has words without names of functions or options', () => {
  const init = { message: 'retry() maxToolRounds', retryable: true };
  for (const [code, describe] of Object.entries(englishLabels.errors)) {
    if (code === 'backend_error') continue;
    expect(describe(new AgentChatError({ ...init, code: code as AgentChatErrorInit['code'] }))).toMatch(
      /^[A-Z][a-z ,]+\.( [A-Z][a-z ,]+\.)?$/,
    );
  }
});

test('an error code of a newer version shows its message', () => {
  const error = new AgentChatError({ code: 'out_of_tea' as 'http_error', message: 'There is no tea.' });
  render(<TurnError error={error} />);
  expect(screen.getByText('There is no tea.')).toBeTruthy();
});

const refund = {
  inputSchema: {
    type: 'object',
    properties: {
      amount: { type: 'number', title: 'Amount', emphasis: true, format: 'currency', currency: 'EUR' },
      orderId: { type: 'integer', title: 'Order' },
    },
  },
  args: { orderId: 4711, amount: 45 },
};

test('a call has its main value in its row, so that two of one tool can be told apart', () => {
  const { container } = render(<ToolCallView part={{ ...part({}), ...refund }} />);
  expect(container.querySelector('summary .hr-main-value')?.textContent).toBe('€45.00');
  expect(container.querySelector('.hr-call-body')?.textContent).toMatch(/^ArgumentsAmount€45.00Order4711/);
});

test('a call whose arguments a person changed has the old value before the new one', () => {
  const changed = { ...part({}), ...refund, originalArgs: { orderId: 4711, amount: 89 } };
  const { container } = render(<ToolCallView part={changed} />);
  expect(container.querySelector('summary .hr-main-value')?.textContent).toBe('Before: €89.00 → Now: €45.00');
  expect(container.querySelector('summary del')?.textContent).toBe('Before: €89.00');
  expect(container.querySelector('.hr-call-body del')?.textContent).toBe('Before: €89.00');
});

test('a call that is shown by its title alone shows no value', () => {
  const { container } = render(<ToolCallView part={{ ...part({}), ...refund, display: 'title' }} />);
  expect(container.textContent).not.toContain('45');
});
