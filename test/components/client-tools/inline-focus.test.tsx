// @vitest-environment jsdom
import { act, render, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { StrictMode } from 'react';
import { describe, expect, test } from 'vitest';
import type { AnyTool } from '../../../src/components/any-tool.ts';
import { ClientToolDialogs } from '../../../src/components/client-tools/client-tool-dialogs.tsx';
import { Transcript } from '../../../src/components/transcript/transcript.tsx';
import { createTestTool } from '../create-test-tool.ts';

describe('the focus after an inline card was answered', () => {
  const cards = ['First', 'Second', 'Third'].map((action) => ({ toolCallId: action, args: { action } }));
  const answer = async (name: string) => {
    const card = screen.getByRole('region', { name });
    await userEvent.click(within(card).getByRole('button', { name: 'Confirm' }));
  };
  const focused = () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement;

  test('the focus goes to the next inline card, after the last to the one before, then to an ancestor', async () => {
    render(
      <section aria-label="Conversation">
        <ClientToolDialogs mode="inline" tools={cards.map(createTestTool)} />
      </section>,
      { wrapper: StrictMode },
    );
    await answer('Second');
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'Third' }));
    await answer('Third');
    expect(document.activeElement).toBe(screen.getByRole('region', { name: 'First' }));
    await answer('First');
    expect(focused()).toBe('Conversation');
  });

  test('the focus goes to the transcript around the last inline card', async () => {
    const [first] = cards;
    render(
      <Transcript messages={[]}>
        <ClientToolDialogs mode="inline" tools={[createTestTool(first)]} />
      </Transcript>,
    );
    await answer('First');
    expect(focused()).toBe('Conversation');
    expect(document.activeElement?.getAttribute('tabindex')).toBe('0');
  });

  test("the focus stays when an app's own component answers from elsewhere", async () => {
    let late = () => {};
    const Later = ({ tool }: { tool: AnyTool }) => {
      late = () => void tool.submit(1);
      return <p>Wait</p>;
    };
    render(
      <>
        <input aria-label="Message" />
        <ClientToolDialogs mode="inline" tools={[createTestTool({ definition: { ui: Later } })]} />
      </>,
    );
    screen.getByRole('textbox').focus();
    act(() => late());
    expect(screen.queryByText('Wait')).toBeNull();
    expect(focused()).toBe('Message');
  });
});

test('the focus goes back to the composer that it came from after the last inline card', async () => {
  const tool = createTestTool();
  render(
    <Transcript messages={[]}>
      <input aria-label="Message" />
      <ClientToolDialogs mode="inline" tools={[tool]} />
    </Transcript>,
  );
  screen.getByRole('textbox').focus();
  await userEvent.click(screen.getByRole('button', { name: 'Decline' }));
  expect(document.activeElement).toBe(screen.getByRole('textbox'));
});
