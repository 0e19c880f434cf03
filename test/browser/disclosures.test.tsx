/// <reference types="vite/client" />
/** Every disclosure has the same marker. */
import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import '../../src/styles.css';
import { AuditTrail, ConfirmationCard, ToolCallView, Transcript } from '../../src/components.ts';
import { createAuditTrail, type UIMessage } from '../../src/core.ts';
import { createTestTool } from '../components/create-test-tool.ts';

afterEach(() => {
  cleanup();
  document.documentElement.dir = '';
});

const createdAt = new Date(0);
const thought: UIMessage = {
  id: '1',
  role: 'assistant',
  status: 'done',
  createdAt,
  parts: [{ type: 'reasoning', text: 'Well', status: 'done' }],
};

/** The position and rotation of the marker of each line. */
function readSigns(container: Element) {
  return [...container.querySelectorAll('summary')].map((line) => {
    const place = line.matches('.hr-call > *, .hr-audit > *') ? '::after' : '::before';
    const { borderBottomStyle, display, transform } = getComputedStyle(line, place);
    // The point that the corner of the marker shows to.
    const { a, b, c, d } = new DOMMatrix(transform);
    return {
      marker: getComputedStyle(line).listStyleType,
      sign: display === 'none' ? 'none' : borderBottomStyle,
      points: [Math.sign(Math.round(a + c)), Math.sign(Math.round(b + d))],
    };
  });
}

const down = { marker: 'none', sign: 'solid', points: [0, 1] };

test.each([
  ['ltr', 1],
  ['rtl', -1],
])('a disclosure line has its marker before its text, %s', (dir, side) => {
  document.documentElement.dir = dir;
  const { container } = render(
    <>
      <Transcript messages={[thought]} />
      <ConfirmationCard
        tool={createTestTool({ args: { mode: 'url', url: 'https://accounts.example.com' } })}
      />
    </>,
  );
  const forward = { marker: 'none', sign: 'solid', points: [side, 0] };
  expect(readSigns(container)).toEqual([forward, forward]);
});

test('a row that can be opened has its marker at its end, and a call without content has none', async () => {
  const trail = createAuditTrail();
  const call = { toolCallId: '1', toolName: 'look', requestedAt: createdAt, settledAt: createdAt };
  const record = (key: string, args: object) =>
    trail.record({ ...call, key, args, outcome: 'submitted', answeredBy: 'person' });
  await record('empty', {});
  await record('full', { city: 'Graz' });
  const part = { type: 'tool-call', toolCallId: '1', toolName: 'look', status: 'done' } as const;
  const { container } = render(
    <>
      <ToolCallView part={{ ...part, args: { city: 'Graz' } }} />
      <ToolCallView part={{ ...part, args: {} }} />
      <AuditTrail trail={trail} />
    </>,
  );
  const signs = readSigns(container);
  expect(signs.map(({ sign }) => sign)).toEqual(['solid', 'none', 'solid', 'none']);
  expect([signs[0], signs[2]]).toEqual([down, down]);
});
