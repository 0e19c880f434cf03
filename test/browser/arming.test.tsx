/// <reference types="vite/client" />
/** Keys and presses that the person meant for the page must not answer the dialog that has just appeared over it. */
import { act, render, screen, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, expect, test } from 'vitest';
import { cdp, userEvent } from 'vitest/browser';
import '../../src/styles.css';
import { ClockContext } from '../../src/components/hooks/use-arming.ts';
import { ChoiceDialog, ClientToolDialogs, ConfirmationDialog } from '../../src/components.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { createTestTool } from '../components/create-test-tool.ts';

/** Elements that take text. Keys in most of them never reach the page. `focus` puts the caret into the element. */
const places: Readonly<Record<string, (host: HTMLElement) => { focus(): void }>> = {
  'a text area': (host) => host.appendChild(document.createElement('textarea')),
  'an editable region': (host) => {
    const editor = host.appendChild(document.createElement('div'));
    editor.contentEditable = 'true';
    return editor;
  },
  'a frame': (host) => {
    const frame = host.appendChild(document.createElement('iframe'));
    const inner = frame.contentDocument?.body.appendChild(frame.contentDocument.createElement('textarea'));
    return inner as HTMLElement;
  },
  'a closed shadow root': (host) => {
    const root = host.appendChild(document.createElement('div')).attachShadow({ mode: 'closed' });
    return root.appendChild(document.createElement('textarea'));
  },
  'an EditContext editor': (host) => {
    const canvas = host.appendChild(document.createElement('canvas'));
    canvas.tabIndex = 0;
    Object.assign(canvas, { editContext: new (window as unknown as EditContexts).EditContext() });
    return canvas;
  },
};
interface EditContexts {
  readonly EditContext: new () => object;
}

const added: Element[] = [];
afterEach(() => {
  for (const element of added.splice(0)) element.remove();
});

/** A page whose dialog opens while the focus is in one of the places. */
function setup(dialog: ReactElement, addPlace?: (host: HTMLElement) => { focus(): void }) {
  const clock = createManualClock();
  const host = document.body.appendChild(document.createElement('main'));
  added.push(host);
  const page = (question: ReactElement | undefined) => (
    <ClockContext.Provider value={clock}>{question}</ClockContext.Provider>
  );
  const { rerender } = render(page(undefined));
  addPlace?.(host).focus();
  const wait = (ms: number) => act(() => clock.advance(ms));
  return {
    wait,
    async open() {
      rerender(page(dialog));
      const panel = await screen.findByRole('dialog');
      await waitFor(() => expect(panel.contains(document.activeElement)).toBe(true));
      return panel;
    },
  };
}

/** @param autoRepeat the browser repeats a key that is held down */
const sendEnter = (type: 'keyDown' | 'keyUp', autoRepeat = false) =>
  cdp().send('Input.dispatchKeyEvent', {
    type,
    autoRepeat,
    key: 'Enter',
    code: 'Enter',
    windowsVirtualKeyCode: 13,
    ...(type === 'keyDown' && { text: '\r' }),
  });
const focused = () => document.activeElement;
const button = (name: string) => screen.getByRole('button', { name });

test.each(Object.keys(places))(
  'no typed key answers a dialog that appears while the focus is in %s, however long the person goes on typing',
  async (place) => {
    const tool = createTestTool();
    const { open, wait } = setup(<ConfirmationDialog tool={tool} />, places[place]);
    const panel = await open();
    for (const key of 'to do 1') {
      await userEvent.keyboard(key);
      await wait(2_000);
    }
    await userEvent.keyboard('{Enter}');
    expect(tool.submit).not.toHaveBeenCalled();
    expect(tool.decline).not.toHaveBeenCalled();
    expect(focused()).toBe(panel);
  },
);

test('the first Tab moves from the dialog to its first control, which accepts keys after half a second without one', async () => {
  const tool = createTestTool();
  const { open, wait } = setup(<ConfirmationDialog tool={tool} />, places['a frame']);
  await open();
  await wait(500);
  await userEvent.keyboard('{Tab}');
  expect(focused()).toBe(button('Confirm'));
  await wait(499);
  await userEvent.keyboard('{Enter}');
  await wait(499);
  await userEvent.keyboard(' ');
  await wait(499);
  await userEvent.keyboard('w');
  expect(tool.submit).not.toHaveBeenCalled();
  await wait(500);
  await userEvent.keyboard('{Enter}');
  expect(tool.submit.mock.calls).toEqual([[{ confirmed: true }]]);
});

test('digits pick nothing while a dialog is arming', async () => {
  const tool = createTestTool({ args: { options: ['Tea', 'Coffee'] } });
  const { open, wait } = setup(<ChoiceDialog tool={tool} />);
  await open();
  await userEvent.keyboard('2');
  expect(screen.getByRole('radio', { name: 'Coffee' })).toHaveProperty('checked', false);
  await wait(500);
  await userEvent.keyboard('2');
  expect(screen.getByRole('radio', { name: 'Coffee' })).toHaveProperty('checked', true);
});

test.each(['{Enter}', ' ', '{Escape}'])(
  'the key %s does nothing in the first half second of a dialog, whatever had the focus',
  async (key) => {
    const tool = createTestTool();
    const { open, wait } = setup(<ConfirmationDialog tool={tool} />);
    await open();
    await wait(499);
    await userEvent.keyboard(key);
    await wait(499);
    await userEvent.keyboard(key);
    expect(tool.submit).not.toHaveBeenCalled();
    expect(tool.cancel).not.toHaveBeenCalled();
    await wait(500);
    await userEvent.keyboard(key);
    expect(tool.submit.mock.calls.length + tool.cancel.mock.calls.length).toBe(1);
  },
);

test('a key that was down before the dialog appeared never answers it', async () => {
  const tool = createTestTool();
  const { open, wait } = setup(<ConfirmationDialog tool={tool} />);
  await sendEnter('keyDown');
  await open();
  await wait(500);
  await sendEnter('keyDown', true);
  await sendEnter('keyUp');
  expect(tool.submit).not.toHaveBeenCalled();
  await userEvent.keyboard('{Enter}');
  expect(tool.submit.mock.calls).toEqual([[{ confirmed: true }]]);
});

test.each(['Confirm', 'Decline', 'Cancel'])(
  'a press on %s in the first half second of a dialog does nothing, and starts the half second again',
  async (name) => {
    const tool = createTestTool({ definition: { severity: 'destructive' } });
    const { open, wait } = setup(<ConfirmationDialog tool={tool} />);
    await open();
    const answers = () =>
      [tool.submit, tool.decline, tool.cancel].flatMap(({ mock }): readonly unknown[] => mock.calls);
    await wait(52);
    await userEvent.click(button(name));
    await wait(499);
    await userEvent.click(button(name));
    expect(answers()).toHaveLength(0);
    await wait(500);
    await userEvent.click(button(name));
    expect(answers()).toHaveLength(1);
  },
);

test('a press after the first half second counts also if the focus was in a text field', async () => {
  const tool = createTestTool();
  const { open, wait } = setup(<ConfirmationDialog tool={tool} />, places['a text area']);
  await open();
  await wait(500);
  await userEvent.click(button('Decline'), { timeout: 10_000 });
  expect(tool.decline).toHaveBeenCalledOnce();
});

test('a press on the label of an option counts also if the focus was in a text field', async () => {
  const tool = createTestTool({ args: { options: ['Tea', 'Coffee'] } });
  const { open, wait } = setup(<ChoiceDialog tool={tool} />, places['a text area']);
  await open();
  await wait(500);
  await userEvent.click(screen.getByText('Coffee'), { timeout: 10_000 });
  expect(screen.getByRole('radio', { name: 'Coffee' })).toHaveProperty('checked', true);
});

test('presses count one after the other if the focus was in a text field: the focus that a press moves starts no half second', async () => {
  const options = ['Tea', 'Coffee', 'Water'];
  const tool = createTestTool({ args: { options, multiple: true } });
  const { open, wait } = setup(<ChoiceDialog tool={tool} />, places['a text area']);
  await open();
  await wait(500);
  for (const name of options) {
    await userEvent.click(screen.getByRole('checkbox', { name }), { timeout: 10_000 });
    await wait(250);
  }
  const picked = screen.getAllByRole<HTMLInputElement>('checkbox').map(({ checked }) => checked);
  expect(picked).toEqual([true, true, true]);
});

test('a key counts right after an accepted press if the focus was in a text field', async () => {
  const tool = createTestTool({ args: { options: ['Tea', 'Coffee'] } });
  const { open, wait } = setup(<ChoiceDialog tool={tool} />, places['a text area']);
  await open();
  await wait(500);
  await userEvent.click(screen.getByText('Tea'), { timeout: 10_000 });
  await userEvent.keyboard('2');
  expect(screen.getByRole('radio', { name: 'Coffee' })).toHaveProperty('checked', true);
});

test('a press on an option in the first half second of a dialog picks nothing', async () => {
  const tool = createTestTool({ args: { options: ['Tea', 'Coffee'] } });
  const { open, wait } = setup(<ChoiceDialog tool={tool} />);
  await open();
  await userEvent.click(screen.getByText('Coffee'));
  expect(screen.getByRole('radio', { name: 'Coffee' })).toHaveProperty('checked', false);
  await wait(500);
  await userEvent.click(screen.getByText('Coffee'));
  expect(screen.getByRole('radio', { name: 'Coffee' })).toHaveProperty('checked', true);
});

test('each dialog of a queue has a first half second of its own', async () => {
  const [first, second] = [createTestTool(), createTestTool({ toolCallId: 'call-2' })];
  const { open, wait } = setup(<ClientToolDialogs tools={[first, second]} />);
  await open();
  await wait(500);
  await userEvent.dblClick(button('Confirm'));
  await wait(499);
  await userEvent.click(button('Confirm'));
  expect(first.submit).toHaveBeenCalledOnce();
  expect(second.submit).not.toHaveBeenCalled();
  await wait(500);
  await userEvent.click(button('Confirm'));
  expect(second.submit).toHaveBeenCalledOnce();
});

test('a press by a script is meant for the dialog, so it counts at once', async () => {
  const tool = createTestTool();
  const { open } = setup(<ConfirmationDialog tool={tool} />);
  await open();
  act(() => button('Confirm').click());
  expect(tool.submit).toHaveBeenCalledOnce();
});
