/** Content that an empty transcript shows, when it is higher than the transcript. */
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

/** The browser observes sizes after layout, and the effects come in the frame after that. */
async function scrolled(): Promise<number> {
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
  return screen.getByRole('region').scrollTop;
}

test('an empty transcript shows the start of its content, and the first message scrolls to the end', async () => {
  const { rerender } = render(page([]));
  expect(await scrolled()).toBe(0);
  expect(screen.queryByRole('button')).toBeNull();
  rerender(page([greeting]));
  const top = await scrolled();
  const { scrollHeight, clientHeight } = screen.getByRole('region');
  expect(top).toBeGreaterThan(0);
  expect(top).toBeCloseTo(scrollHeight - clientHeight, 0);
});
