/// <reference types="vite/client" />
/** An on-screen keyboard covers the page. The window keeps its height; the visual viewport shrinks. */
import { render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { z } from 'zod';
import '../../src/styles.css';
import { FormDialog } from '../../src/components/form/form-dialog.tsx';
import { createTestTool } from '../components/create-test-tool.ts';

const HEIGHT = 844;
const real = Object.getOwnPropertyDescriptor(window, 'visualViewport');
let view: EventTarget & { height: number; offsetTop: number; scale: number };

beforeEach(async () => {
  await page.viewport(390, HEIGHT);
  view = Object.assign(new EventTarget(), { height: HEIGHT, offsetTop: 0, scale: 1 });
  Object.defineProperty(window, 'visualViewport', { value: view, configurable: true });
});
afterEach(() => {
  if (real) Object.defineProperty(window, 'visualViewport', real);
});

/** Changes the visual viewport and fires the event of the browser. */
function see(change: Partial<Pick<typeof view, 'height' | 'offsetTop' | 'scale'>>): void {
  const type = change.height === undefined ? 'scroll' : 'resize';
  Object.assign(view, change);
  view.dispatchEvent(new Event(type));
}

/** The top and the bottom of the drawn element. */
async function placeOf(element: Element): Promise<[number, number]> {
  // The animation of a button that waits is cancelled when it is ready.
  await Promise.allSettled(document.getAnimations().map(({ finished }) => finished));
  const { top, bottom } = element.getBoundingClientRect();
  return [top, bottom];
}

async function openForm() {
  const fields = ['name', 'street', 'town', 'note', 'phone', 'email', 'gate', 'floor'];
  const schema = z.object(Object.fromEntries(fields.map((name) => [name, z.string()])));
  render(<FormDialog tool={createTestTool()} schema={schema} title="Address" />);
  await screen.findByRole('dialog', { name: 'Address' });
  const last = await screen.findByRole('textbox', { name: /floor/i });
  last.focus();
  return { last, submit: screen.getByRole('button', { name: 'Send' }) };
}

test('a dialog above an on-screen keyboard keeps the focused field and its buttons visible', async () => {
  const { last, submit } = await openForm();
  see({ height: 500 });
  for (const element of [last, submit]) {
    const [top, bottom] = await placeOf(element);
    expect(bottom).toBeLessThanOrEqual(500);
    expect(document.elementFromPoint(195, (top + bottom) / 2)).toBe(element);
  }
});

test('a dialog keeps the focused field and its buttons visible when the browser has moved the page', async () => {
  const { submit } = await openForm();
  see({ height: 500, offsetTop: 200 });
  see({ offsetTop: 300 });
  const [top] = await placeOf(screen.getByRole('dialog'));
  const [, bottom] = await placeOf(submit);
  expect(top).toBeGreaterThanOrEqual(300);
  expect(bottom).toBeLessThanOrEqual(800);
});

test('a dialog does not move without a keyboard, after the keyboard closes, or on a zoomed page', async () => {
  await openForm();
  const dialog = screen.getByRole('dialog');
  const before = await placeOf(dialog);
  see({ height: 500 });
  expect(await placeOf(dialog)).not.toEqual(before);
  see({ height: HEIGHT });
  expect(await placeOf(dialog)).toEqual(before);
  see({ height: 422, scale: 2 });
  expect(await placeOf(dialog)).toEqual(before);
});
