/// <reference types="vite/client" />
/** Behaviour of the dialogs that needs a real browser: Tab, scrolling, layout and shadow roots. */
import * as Dialog from '@radix-ui/react-dialog';
import { render, screen, waitFor } from '@testing-library/react';
import { StrictMode, useEffect, useMemo, useState } from 'react';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import '../../src/styles.css';
import type { AnyTool } from '../../src/components/any-tool.ts';
import { ClientToolDialogs } from '../../src/components/client-tools/client-tool-dialogs.tsx';
import { FormDialog } from '../../src/components/form/form-dialog.tsx';
import { readActiveElement } from '../../src/components/hooks/focus-in-shadow.ts';
import { type ConformanceCase, conformanceCases, toolOf } from '../components/conformance-cases.tsx';
import { createTestTool } from '../components/create-test-tool.ts';
import { untilArmed } from '../support/until-armed.ts';

const added: Element[] = [];
afterEach(() => {
  for (const element of added.splice(0)) element.remove();
});

/** A tall page with a button, and optionally a shadow root that contains the app. */
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

const reasonsOf = (cancel: ReturnType<typeof toolOf>['cancel']) =>
  cancel.mock.calls.map(([reason]) => reason);
/** Radio buttons are one stop of Tab. Chromium enters a group without a choice at either end, so any of them stands for the group. */
const readTabStop = () => readActiveElement()?.closest('[role="radiogroup"]') ?? readActiveElement();
const describeFocus = () => readActiveElement()?.outerHTML ?? 'nothing';

describe.each(conformanceCases)('$name dialog', (kase) => {
  describe.each([
    { place: 'the page', shadow: false },
    { place: 'a shadow root', shadow: true },
  ])('in $place', ({ shadow }) => {
    test('a dialog cycles Tab inside in both directions and closes on Escape', async () => {
      const { host, container } = createPage(shadow);
      const tool = toolOf(kase);
      render(<ClientToolDialogs tools={[tool]} container={container} />, {
        container: host,
        wrapper: StrictMode,
      });
      const dialog = (container ?? document.body).querySelector('[role="dialog"]') as HTMLElement;
      await waitFor(() => expect(dialog.contains(readActiveElement())).toBe(true));
      const first = readTabStop();
      for (const key of ['{Tab}', '{Shift>}{Tab}{/Shift}']) {
        const seen = new Set<Element | null>();
        for (let presses = 0; presses < 12; presses++) {
          await userEvent.keyboard(key);
          expect(dialog.contains(readActiveElement()), describeFocus()).toBe(true);
          seen.add(readTabStop());
        }
        expect(seen.size).toBeGreaterThan(2);
        expect(seen).toContain(first);
      }
      await untilArmed(container);
      await userEvent.keyboard('{Escape}');
      expect(reasonsOf(tool.cancel)).toEqual([undefined]);
    });
  });
});

describe.each(conformanceCases)('$name card', (kase) => {
  test('a card in a shadow root is reached and answered by keyboard and keeps the focus', async () => {
    const { host } = createPage(true);
    const trigger = (host.getRootNode() as ShadowRoot).getElementById('trigger') as HTMLElement;
    const tool = toolOf(kase);
    render(<kase.Card tool={tool} />, { container: host, wrapper: StrictMode });
    const card = host.querySelector('section') as HTMLElement;
    trigger.focus();
    await userEvent.keyboard('{Tab}');
    expect(card.contains(readActiveElement()), describeFocus()).toBe(true);
    const isNo = () => readActiveElement()?.matches('.hr-answer:not([type="submit"])') === true;
    for (let tabs = 0; !isNo() && tabs < 20; tabs += 1) await userEvent.keyboard('{Tab}');
    expect(isNo(), describeFocus()).toBe(true);
    await userEvent.keyboard('{Enter}');
    expect(tool.decline).toHaveBeenCalledOnce();
    expect(readActiveElement()).toBe(card);
  });
});

test('a closing dialog returns the focus into the shadow root that it came from', async () => {
  const { host, container } = createPage(true);
  const trigger = (host.getRootNode() as ShadowRoot).getElementById('trigger') as HTMLElement;
  trigger.focus();
  const [kase] = conformanceCases;
  if (kase === undefined) throw new Error('no case');
  const tool = toolOf(kase);
  render(<ClientToolDialogs tools={[tool]} container={container} />, { container: host });
  await waitFor(() => expect(readActiveElement()?.textContent).toBe('Confirm'));
  await untilArmed(container);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(readActiveElement()).toBe(trigger));
});

describe.each(conformanceCases)('behind a $name dialog', (kase) => {
  test('a page behind a modal dialog neither scrolls nor moves nor takes a click', async () => {
    const { host } = createPage(false);
    const outside = document.getElementById('outside') as HTMLElement;
    const pressed = vi.fn();
    outside.addEventListener('click', pressed);
    outside.style.marginInline = 'auto';
    outside.style.display = 'block';
    // Without a scroll bar that takes room, nothing can move.
    expect(window.innerWidth - document.documentElement.clientWidth).toBeGreaterThan(0);
    const before = outside.getBoundingClientRect();
    const tool = toolOf(kase);
    render(<ClientToolDialogs tools={[tool]} />, { container: host });
    await waitFor(() => expect(getComputedStyle(document.body).overflow).toBe('hidden'));
    expect(outside.getBoundingClientRect()).toEqual(before);
    await userEvent.click(outside, { force: true });
    expect(pressed).not.toHaveBeenCalled();
    expect(tool.cancel).not.toHaveBeenCalled();
    await untilArmed();
    await userEvent.keyboard('{Escape}');
    expect(reasonsOf(tool.cancel)).toEqual([undefined]);
    await waitFor(() => expect(getComputedStyle(document.body).overflow).not.toBe('hidden'));
    expect(outside.getBoundingClientRect()).toEqual(before);
  });
});

describe.each(conformanceCases)('a $name dialog on top of a dialog of the app', (kase) => {
  const app = {
    'made with Radix': (tool: AnyTool) => (
      <Dialog.Root open modal>
        <Dialog.Portal>
          <Dialog.Content aria-describedby={undefined} onEscapeKeyDown={(event) => event.preventDefault()}>
            <Dialog.Title>Assistant</Dialog.Title>
            <button type="button">Settings</button>
            <ClientToolDialogs tools={[tool]} />
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
    ),
    'of the browser itself': (tool: AnyTool) => <NativeDialog tool={tool} />,
    'that is a question too': (tool: AnyTool) => <SecondQuestion kase={kase} tool={tool} />,
  };
  test.each(Object.keys(app) as (keyof typeof app)[])(
    'a kit dialog above an app dialog works when it is rendered %s',
    async (kind) => {
      const tool = toolOf(kase);
      const { rerender } = render(<p />, { container: createPage(false).host });
      rerender(app[kind](tool));
      const ours = await screen.findByRole('dialog', { name: 'Place order' });
      await waitFor(() => expect(ours.contains(readActiveElement()), describeFocus()).toBe(true));
      for (let presses = 0; presses < 12; presses++) {
        await userEvent.keyboard('{Tab}');
        expect(ours.contains(readActiveElement()), describeFocus()).toBe(true);
      }
      await untilArmed();
      await userEvent.keyboard('{Escape}');
      expect(reasonsOf(tool.cancel)).toEqual([undefined]);
      await waitFor(() => expect(ours.isConnected).toBe(false));
      // The dialog below is still open and takes the keys again.
      const below = screen.getByRole('dialog');
      await waitFor(() => expect(below.contains(readActiveElement()), describeFocus()).toBe(true));
    },
  );
});

function SecondQuestion({ kase, tool }: { kase: ConformanceCase; tool: AnyTool }) {
  const [asked, setAsked] = useState(false);
  useEffect(() => setAsked(true), []);
  const below = useMemo(() => createTestTool({ args: { fields: [{ name: 'settings' }] } }), []);
  return (
    <>
      <FormDialog tool={below} />
      {asked && <kase.Dialog tool={tool} />}
    </>
  );
}

/** A modal dialog lies above every portal into the body, so questions have to be rendered into it. */
function NativeDialog({ tool }: { tool: AnyTool }) {
  const [dialog, setDialog] = useState<HTMLDialogElement | null>(null);
  useEffect(() => dialog?.showModal(), [dialog]);
  return (
    <dialog ref={setDialog} aria-label="Assistant" onCancel={(event) => event.preventDefault()}>
      <button type="button">Settings</button>
      {dialog !== null && <ClientToolDialogs tools={[tool]} container={dialog} />}
    </dialog>
  );
}
