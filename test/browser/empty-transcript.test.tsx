/** What stands in a transcript before anything was said, where it is higher than the transcript. */
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import '../../src/styles.css';
import { Transcript } from '../../src/components/transcript/transcript.tsx';
import type { UIMessage } from '../../src/core.ts';

const greeting: UIMessage = {
  id: '1',
  role: 'assistant',
  parts: [{ type: 'text', text: 'Line.\n'.repeat(100), status: 'done' }],
  status: 'done',
  createdAt: new Date(0),
};

const page = (messages: UIMessage[]) => (
  <div style={{ blockSize: 200 }}>
    <Transcript messages={messages} empty={<div style={{ blockSize: 600 }}>Welcome</div>} />
  </div>
);

/** Sizes are observed after the layout, and what follows from them comes with the frame after it. */
async function scrolled(): Promise<number> {
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return screen.getByRole('region').scrollTop;
}

test('is read from its beginning; the first message leads to the end', async () => {
  const { rerender } = render(page([]));
  expect(await scrolled()).toBe(0);
  expect(screen.queryByRole('button')).toBeNull();
  rerender(page([greeting]));
  const top = await scrolled();
  const { scrollHeight, clientHeight } = screen.getByRole('region');
  expect(top).toBeGreaterThan(0);
  expect(top).toBeCloseTo(scrollHeight - clientHeight, 0);
});
