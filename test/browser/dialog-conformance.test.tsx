/// <reference types="vite/client" />
/** What only a real browser shows of the dialogs: Tab, scrolling, layout and shadow roots. */
import { render, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { afterEach, describe, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import '../../src/styles.css';
import { ClientToolDialogs } from '../../src/components/client-tools/client-tool-dialogs.tsx';
import { readActiveElement } from '../../src/components/parts/focus-in-shadow.ts';
import { conformanceCases, toolOf } from '../components/conformance-cases.tsx';

const added: Element[] = [];
afterEach(() => {
  for (const element of added.splice(0)) element.remove();
});

/** A tall page with a button; and, where asked for, a shadow root that holds the app. */
function createPage(shadow: boolean) {
  const page = document.body.appendChild(document.createElement('div'));
  added.push(page);
  page.innerHTML = '<button id="outside">Outside</button><div style="height: 4000px"></div>';
  if (!shadow) return { host: page.appendChild(document.createElement('div')), container: undefined };
  const root = page.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
  root.innerHTML = '<button id="trigger">Order</button><div id="app"></div><div id="portal"></div>';
  const find = (id: string) => root.getElementById(id) as HTMLElement;
  return { host: find('app'), container: find('portal') };
}

const describeFocus = () => readActiveElement()?.outerHTML ?? 'nothing';

describe.each(conformanceCases)('$name dialog', (kase) => {
  describe.each([
    { place: 'the page', shadow: false },
    { place: 'a shadow root', shadow: true },
  ])('in $place', ({ shadow }) => {
    test('Tab goes round inside, both ways, and Escape ends it', async () => {
      const { host, container } = createPage(shadow);
      const tool = toolOf(kase);
      render(<ClientToolDialogs tools={[tool]} container={container} />, {
        container: host,
        wrapper: StrictMode,
      });
      const dialog = (container ?? document.body).querySelector('[role="dialog"]') as HTMLElement;
      await waitFor(() => expect(dialog.contains(readActiveElement())).toBe(true));
      const first = readActiveElement();
      for (const key of ['{Tab}', '{Shift>}{Tab}{/Shift}']) {
        const seen = new Set<Element | null>();
        for (let presses = 0; presses < 12; presses++) {
          await userEvent.keyboard(key);
          expect(dialog.contains(readActiveElement()), describeFocus()).toBe(true);
          seen.add(readActiveElement());
        }
        expect(seen.size).toBeGreaterThan(2);
        expect(seen).toContain(first);
      }
      await userEvent.keyboard('{Escape}');
      expect(tool.cancel.mock.calls).toEqual([[]]);
      // The focus is given back in a timer of no length after the dialog went; the next test must not meet it.
      await waitFor(() => expect(dialog.isConnected).toBe(false));
      await new Promise((resolve) => setTimeout(resolve));
    });
  });
});

test('the focus goes back into the shadow root it came from', async () => {
  const { host, container } = createPage(true);
  const trigger = (host.getRootNode() as ShadowRoot).getElementById('trigger') as HTMLElement;
  trigger.focus();
  const [kase] = conformanceCases;
  if (kase === undefined) throw new Error('no case');
  const tool = toolOf(kase);
  render(<ClientToolDialogs tools={[tool]} container={container} />, { container: host });
  await waitFor(() => expect(readActiveElement()?.textContent).toBe('Confirm'));
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(readActiveElement()).toBe(trigger));
});

test('the page behind neither scrolls nor moves', async () => {
  const { host } = createPage(false);
  const outside = document.getElementById('outside') as HTMLElement;
  const before = outside.getBoundingClientRect();
  const [kase] = conformanceCases;
  if (kase === undefined) throw new Error('no case');
  const tool = toolOf(kase);
  render(<ClientToolDialogs tools={[tool]} />, { container: host });
  await waitFor(() => expect(getComputedStyle(document.body).overflow).toBe('hidden'));
  expect(outside.getBoundingClientRect()).toEqual(before);
  expect(getComputedStyle(document.body).pointerEvents).toBe('none');
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(getComputedStyle(document.body).overflow).not.toBe('hidden'));
  expect(outside.getBoundingClientRect()).toEqual(before);
});
