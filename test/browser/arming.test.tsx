/// <reference types="vite/client" />
/** Keys and presses that the person meant for the page must not answer the dialog that has just appeared over it. */
import { act, render, screen, waitFor } from '@testing-library/react';
import type { ReactElement } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { cdp, userEvent } from 'vitest/browser';
import '../../src/styles.css';
import type { AnyTool } from '../../src/components/any-tool.ts';
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
    show: (question: ReactElement) => rerender(page(question)),
    async open() {
      rerender(page(dialog));
      const panel = await waitFor(() => screen.queryByRole('dialog') ?? screen.getByRole('alertdialog'));
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
/** The middle of an element in the window around the frame of the test. */
async function moveTo(element: Element): Promise<{ x: number; y: number }> {
  // The animation of a button that waits is cancelled when it is ready.
  await Promise.allSettled(
    element
      .closest('.hr-overlay')
      ?.getAnimations({ subtree: true })
      .map(({ finished }) => finished) ?? [],
  );
  const { x, y, width, height } = element.getBoundingClientRect();
  const frame = window.frameElement?.getBoundingClientRect();
  const scale = frame ? frame.width / window.innerWidth : 1;
  return {
    x: (frame?.x ?? 0) + (x + width / 2) * scale,
    y: (frame?.y ?? 0) + (y + height / 2) * scale,
  };
}
const sendMouse = (type: 'mousePressed' | 'mouseReleased', at: { x: number; y: number }) =>
  cdp().send('Input.dispatchMouseEvent', { type, ...at, button: 'left', clickCount: 1 });
/** A press that does not wait until the button says that it is ready. */
async function press(element: Element) {
  const at = await moveTo(element);
  await sendMouse('mousePressed', at);
  await sendMouse('mouseReleased', at);
}
async function tap(element: Element) {
  const at = await moveTo(element);
  await cdp().send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] });
  await cdp().send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
}
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

test('the first Tab moves from the dialog to its first control, and starts no new half second', async () => {
  const tool = createTestTool();
  const { open, wait } = setup(<ConfirmationDialog tool={tool} />, places['a frame']);
  await open();
  await wait(500);
  await userEvent.keyboard('{Tab}');
  expect(focused()).toBe(button('Confirm'));
  await userEvent.keyboard('{Enter}');
  expect(tool.submit.mock.calls).toEqual([[{ confirmed: true }]]);
});

test('keys in the first half second of a dialog answer nothing and do not make it longer', async () => {
  const tool = createTestTool();
  const { open, wait } = setup(<ConfirmationDialog tool={tool} />);
  await open();
  for (const key of ['{Enter}', ' ', 'w', '{Enter}']) {
    await wait(120);
    await userEvent.keyboard(key);
  }
  expect(tool.submit).not.toHaveBeenCalled();
  await wait(20);
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
    expect(tool.submit).not.toHaveBeenCalled();
    expect(tool.cancel).not.toHaveBeenCalled();
    await wait(1);
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
  'of presses on %s every 400 ms the first does nothing and the second counts',
  async (name) => {
    const tool = createTestTool({ definition: { severity: 'destructive' } });
    const { open, wait } = setup(<ConfirmationDialog tool={tool} />);
    await open();
    const answers = () =>
      [tool.submit, tool.decline, tool.cancel].flatMap(({ mock }): readonly unknown[] => mock.calls);
    await wait(400);
    await press(button(name));
    expect(answers()).toHaveLength(0);
    await wait(400);
    await press(button(name));
    expect(answers()).toHaveLength(1);
  },
);

test('a press that begins in the first half second does nothing when it ends later', async () => {
  const tool = createTestTool();
  const { open, wait } = setup(<ConfirmationDialog tool={tool} />);
  await open();
  const at = await moveTo(button('Confirm'));
  await sendMouse('mousePressed', at);
  await wait(500);
  await sendMouse('mouseReleased', at);
  expect(tool.submit).not.toHaveBeenCalled();
  await press(button('Confirm'));
  expect(tool.submit).toHaveBeenCalledOnce();
});

test('a Space that is pressed before the dialog is armed does nothing when it is released later', async () => {
  const tool = createTestTool();
  const { open, wait } = setup(<ConfirmationDialog tool={tool} />);
  await open();
  await userEvent.keyboard('[Space>]');
  await wait(500);
  await userEvent.keyboard('[/Space]');
  expect(tool.submit).not.toHaveBeenCalled();
  await userEvent.keyboard('[Space]');
  expect(tool.submit).toHaveBeenCalledOnce();
});

test('an Enter that is held down answers one question and not the next', async () => {
  const [first, second] = [createTestTool(), createTestTool({ toolCallId: 'call-2' })];
  const { open, wait } = setup(<ClientToolDialogs tools={[first, second]} />);
  await open();
  await wait(500);
  await sendEnter('keyDown');
  expect(first.submit).toHaveBeenCalledOnce();
  await wait(500);
  for (let repeats = 0; repeats < 5; repeats++) await sendEnter('keyDown', true);
  await sendEnter('keyUp');
  expect(second.submit).not.toHaveBeenCalled();
  await userEvent.keyboard('{Enter}');
  expect(second.submit).toHaveBeenCalledOnce();
});

test('buttons that answer say that they are not ready in the first half second, and others do not', async () => {
  const { open, wait } = setup(<ConfirmationDialog tool={createTestTool()} />);
  const panel = await open();
  const names = () =>
    [...panel.querySelectorAll('[aria-description="Ready in a moment"][aria-disabled="true"]')].map(
      (element) => element.ariaLabel ?? element.textContent,
    );
  expect(names()).toEqual(['Cancel', 'Decline', 'Confirm']);
  expect(panel.dataset.arming).toBe('arming');
  await wait(500);
  expect(names()).toEqual([]);
  expect(panel.dataset.arming).toBe('armed');
});

test('three quick ticks are three, also in the first half second', async () => {
  const options = ['Tea', 'Coffee', 'Water'];
  const tool = createTestTool({ args: { options, multiple: true } });
  const { open, wait } = setup(<ChoiceDialog tool={tool} />);
  await open();
  for (const name of options) {
    await press(screen.getByRole('checkbox', { name }));
    await wait(100);
  }
  const picked = screen.getAllByRole<HTMLInputElement>('checkbox').map(({ checked }) => checked);
  expect(picked).toEqual([true, true, true]);
});

test('a field of an open form takes Enter right after fast typing', async () => {
  const tool = createTestTool({ args: { fields: [{ name: 'city', label: 'City' }] } });
  const { open, wait } = setup(<ClientToolDialogs tools={[tool]} />);
  await open();
  await userEvent.keyboard('Ro');
  await wait(500);
  await userEvent.keyboard('me{Enter}');
  await waitFor(() => expect(tool.submit.mock.calls).toEqual([[{ city: 'Rome' }]]));
});

test('autofill that submits the form in its first half second answers nothing and keeps the values', async () => {
  const tool = createTestTool({ args: { fields: [{ name: 'city', label: 'City' }] } });
  const { open, wait } = setup(<ClientToolDialogs tools={[tool]} />);
  await open();
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'City' });
  await wait(300);
  // A password manager writes the value and submits, without a key.
  act(() => {
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, 'Rome');
    field.dispatchEvent(new Event('input', { bubbles: true }));
    field.form?.requestSubmit();
  });
  await wait(100);
  expect(tool.submit).not.toHaveBeenCalled();
  expect(field.value).toBe('Rome');
  await wait(100);
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(tool.submit.mock.calls).toEqual([[{ city: 'Rome' }]]));
});

test('a typed word starts a half second when it matches, so that Enter after it does not confirm', async () => {
  const tool = createTestTool({ definition: { severity: 'destructive', confirmWord: 'delete' } });
  const { open, wait } = setup(<ConfirmationDialog tool={tool} />);
  await open();
  await wait(500);
  screen.getByRole('textbox').focus();
  await userEvent.keyboard('delete{Enter}');
  await wait(499);
  await userEvent.keyboard('{Enter}');
  expect(tool.submit).not.toHaveBeenCalled();
  await wait(1);
  await userEvent.keyboard('{Enter}');
  expect(tool.submit).toHaveBeenCalledOnce();
});

test('a question whose arguments change under the pointer starts a half second', async () => {
  const submit = vi.fn<AnyTool['submit']>();
  const asking = (amount: number): AnyTool => ({ ...createTestTool({ args: { amount } }), submit });
  const { open, wait, show } = setup(<ConfirmationDialog tool={asking(45)} />);
  await open();
  await wait(500);
  show(<ConfirmationDialog tool={asking(4500)} />);
  await press(button('Confirm'));
  expect(submit).not.toHaveBeenCalled();
  await wait(500);
  await press(button('Confirm'));
  expect(submit).toHaveBeenCalledOnce();
});

test('taps in the first half second answer nothing, and one after it answers', async () => {
  const tool = createTestTool();
  const { open, wait } = setup(<ConfirmationDialog tool={tool} />);
  await open();
  await wait(300);
  await tap(button('Confirm'));
  expect(tool.submit).not.toHaveBeenCalled();
  await wait(200);
  await tap(button('Confirm'));
  await waitFor(() => expect(tool.submit).toHaveBeenCalledOnce());
});

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

test('each dialog of a queue has a first half second of its own', async () => {
  const [first, second] = [createTestTool(), createTestTool({ toolCallId: 'call-2' })];
  const { open, wait } = setup(<ClientToolDialogs tools={[first, second]} />);
  await open();
  await wait(500);
  await press(button('Confirm'));
  await press(button('Confirm'));
  await wait(499);
  await press(button('Confirm'));
  expect(first.submit).toHaveBeenCalledOnce();
  expect(second.submit).not.toHaveBeenCalled();
  await wait(1);
  await press(button('Confirm'));
  expect(second.submit).toHaveBeenCalledOnce();
});

test('a press by a script is meant for the dialog, so it counts at once', async () => {
  const tool = createTestTool();
  const { open } = setup(<ConfirmationDialog tool={tool} />);
  await open();
  act(() => button('Confirm').click());
  expect(tool.submit).toHaveBeenCalledOnce();
});
