/// <reference types="vite/client" />
/** Forced colours remove backgrounds and shadows. Everything that they showed must stay visible. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { cdp } from 'vitest/browser';
import '../../src/styles.css';
import { ChoiceCard, Composer, Transcript } from '../../src/components.ts';
import type { UIMessage } from '../../src/core.ts';
import { createTestTool } from '../components/create-test-tool.ts';

const emulate = (...features: readonly { name: string; value: string }[]) =>
  cdp().send('Emulation.setEmulatedMedia', { features: [...features] });

beforeEach(() =>
  emulate({ name: 'forced-colors', value: 'active' }, { name: 'prefers-reduced-motion', value: 'reduce' }),
);
afterEach(async () => {
  cleanup();
  await emulate();
});

/** The computed value of a system colour. */
function systemColor(name: string): string {
  const { container } = render(<i style={{ color: name, forcedColorAdjust: 'none' }} />);
  return getComputedStyle(container.firstElementChild as Element).color;
}

const message = (role: 'user' | 'assistant', text: string): UIMessage => ({
  id: role,
  role,
  status: role === 'user' ? 'done' : 'streaming',
  createdAt: new Date(0),
  parts: [{ type: 'text', text, status: role === 'user' ? 'done' : 'streaming' }],
});

test.each([
  ['the agent at work', [message('user', 'Hello')], '.hr-thinking', '::before'],
  ['a streaming answer', [message('assistant', 'Hello')], '.hr-text', '::after'],
] as const)('the mark of %s is visible in forced colours', (_, messages, selector, pseudo) => {
  const { container } = render(<Transcript messages={messages} status="streaming" />);
  const { borderTopWidth, borderTopColor } = getComputedStyle(
    container.querySelector(selector) as Element,
    pseudo,
  );
  expect(Number.parseFloat(borderTopWidth)).toBeGreaterThan(2);
  expect(borderTopColor).not.toBe(systemColor('Canvas'));
});

test('a message that can be sent looks different from an empty one in forced colours', () => {
  const send = (draft: string) => {
    render(<Composer onSend={() => {}} />);
    fireEvent.change(screen.getByRole('textbox'), { target: { value: draft } });
    const { color, backgroundColor } = getComputedStyle(screen.getByRole('button', { name: 'Send' }));
    cleanup();
    return [color, backgroundColor];
  };
  expect(send('')).toEqual([systemColor('GrayText'), systemColor('Canvas')]);
  expect(send('Hello')).toEqual([systemColor('HighlightText'), systemColor('Highlight')]);
});

test('the rows of a long list have no border each in forced colours', () => {
  const options = Array.from({ length: 40 }, (_, index) => `Zone ${index}`);
  render(<ChoiceCard tool={createTestTool({ args: { options } })} />);
  const row = screen.getByRole('radio', { name: 'Zone 3' }).closest('.hr-option') as Element;
  expect(getComputedStyle(row).borderTopColor).toBe(systemColor('Canvas'));
});
