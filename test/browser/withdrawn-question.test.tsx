/** The focus when a question is withdrawn: answered elsewhere, expired, stopped. */
import { render, screen, waitFor, within } from '@testing-library/react';
import { StrictMode } from 'react';
import { describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import '../../src/styles.css';
import { ClientToolDialogs, Transcript } from '../../src/components.ts';
import { createTestTool } from '../components/create-test-tool.ts';

const cards = ['First', 'Second', 'Third'].map((action) =>
  createTestTool({ toolCallId: action, args: { action } }),
);
const Page = ({ shown }: { shown: readonly number[] }) => (
  <StrictMode>
    <Transcript messages={[]}>
      <ClientToolDialogs mode="inline" tools={cards.filter((_, index) => shown.includes(index))} />
    </Transcript>
    <textarea aria-label="Message" />
  </StrictMode>
);
const card = (name: string) => screen.getByRole('region', { name });
const focusConfirm = (name: string) => within(card(name)).getByRole('button', { name: 'Confirm' }).focus();

test('a withdrawn inline card with the focus passes it to the next card, the one before, then the transcript', () => {
  const { rerender } = render(<Page shown={[0, 1, 2]} />);
  focusConfirm('Second');
  rerender(<Page shown={[0, 2]} />);
  expect(document.activeElement).toBe(card('Third'));
  rerender(<Page shown={[0]} />);
  expect(document.activeElement).toBe(card('First'));
  rerender(<Page shown={[]} />);
  expect(document.activeElement).toBe(card('Conversation'));
});

test('inline cards withdrawn together pass the focus to the transcript', () => {
  const { rerender } = render(<Page shown={[0, 1]} />);
  focusConfirm('First');
  rerender(<Page shown={[]} />);
  expect(document.activeElement).toBe(card('Conversation'));
});

test('a withdrawn inline card without the focus does not move the focus', () => {
  const { rerender } = render(<Page shown={[0, 1]} />);
  screen.getByRole('textbox', { name: 'Message' }).focus();
  rerender(<Page shown={[1]} />);
  expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Message' }));
  (document.activeElement as HTMLElement).blur();
  rerender(<Page shown={[]} />);
  expect(document.activeElement).toBe(document.body);
});

describe('the notice about a withdrawn question', () => {
  const Modal = ({ tools }: { tools: typeof cards }) => (
    <StrictMode>
      <main aria-label="Chat">
        <textarea aria-label="Message" />
        <ClientToolDialogs tools={tools} />
      </main>
    </StrictMode>
  );
  const showNotice = async () => {
    const { rerender } = render(<Modal tools={cards.slice(0, 1)} />);
    await screen.findByRole('dialog');
    rerender(<Modal tools={[]} />);
    await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null));
    return screen.findByRole('button', { name: 'Close' });
  };

  test('the notice about a withdrawn question, dismissed by a click, leaves the focus in the field with text', async () => {
    const close = await showNotice();
    const message = screen.getByRole('textbox', { name: 'Message' });
    await userEvent.click(message);
    await userEvent.click(close);
    expect(close.isConnected).toBe(false);
    expect(document.activeElement).toBe(message);
  });

  test('the notice about a withdrawn question, dismissed by keyboard, leaves the focus near its place', async () => {
    const close = await showNotice();
    close.focus();
    await userEvent.keyboard('{Enter}');
    expect(close.isConnected).toBe(false);
    expect(document.activeElement).toBe(screen.getByRole('main', { name: 'Chat' }));
  });
});
