/** The scroll position of a reader while the conversation continues. */
import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import '../../src/styles.css';
import { Transcript } from '../../src/components/transcript/transcript.tsx';
import type { UIMessage } from '../../src/core.ts';

const said = (id: string, role: UIMessage['role']): UIMessage => ({
  id,
  role,
  parts: [{ type: 'text', text: 'Line.\n'.repeat(60), status: 'done' }],
  status: 'done',
  createdAt: new Date(0),
});

const page = (...messages: UIMessage[]) => (
  <div style={{ blockSize: 200 }}>
    <Transcript messages={messages} />
  </div>
);

/** The browser observes sizes after layout, and the effects come in the frame after that. */
async function pass() {
  await new Promise(requestAnimationFrame);
  await new Promise(requestAnimationFrame);
}

test('a new answer does not move the text of a reader above, and a sent message scrolls to the end', async () => {
  const [question, answer, more, next] = [
    said('1', 'user'),
    said('2', 'assistant'),
    said('3', 'assistant'),
    said('4', 'user'),
  ];
  const { rerender } = render(page(question, answer));
  await pass();
  const view = screen.getByRole('region', { name: 'Conversation' });
  view.scrollTop = 100;
  await pass();
  rerender(page(question, answer, more));
  await pass();
  expect(view.scrollTop).toBe(100);
  rerender(page(question, answer, more, next));
  await pass();
  expect(view.scrollHeight - view.scrollTop - view.clientHeight).toBeLessThan(1.5);
});

test('a finished answer keeps the height that it had while streaming, so the reader stays at its end', async () => {
  const { rerender } = render(page(said('1', 'user'), { ...said('2', 'assistant'), status: 'streaming' }));
  await pass();
  const view = screen.getByRole('region', { name: 'Conversation' });
  const before = view.scrollHeight;
  rerender(page(said('1', 'user'), said('2', 'assistant')));
  expect(view.scrollHeight).toBe(before);
  await pass();
  expect(view.scrollHeight - view.scrollTop - view.clientHeight).toBeLessThan(1.5);
});
