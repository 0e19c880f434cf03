/// <reference types="vite/client" />
import { render, screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
import { cdp, userEvent } from 'vitest/browser';
import '../../src/styles.css';
import { SchemaForm } from '../../src/components.ts';

test('the wheel over a focused number field changes neither the number nor the focus', async () => {
  const schema = { type: 'object', properties: { amount: { type: 'integer', default: 5 } } } as const;
  render(<SchemaForm schema={schema} onSubmit={vi.fn()} />);
  const field = screen.getByRole<HTMLInputElement>('spinbutton', { name: 'Amount' });
  await userEvent.click(field);
  // Chromium steps the number only on a page that listens to the wheel and may prevent it.
  const turned = new Promise((resolve) =>
    field.addEventListener('wheel', resolve, { once: true, passive: false }),
  );
  const frame = window.frameElement?.getBoundingClientRect();
  const { x, y, width, height } = field.getBoundingClientRect();
  await cdp().send('Input.dispatchMouseEvent', {
    type: 'mouseWheel',
    x: (frame?.x ?? 0) + x + width / 2,
    y: (frame?.y ?? 0) + y + height / 2,
    deltaX: 0,
    deltaY: -120,
  });
  await turned;
  expect(field.value).toBe('5');
  expect(document.activeElement).toBe(field);
  await userEvent.keyboard('{End}0');
  expect(field.value).toBe('50');
});
