/// <reference types="vite/client" />
/** A dialog waits while somebody types into the page, and no character is lost. */
import { act, render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { cdp, userEvent } from 'vitest/browser';
import '../../src/styles.css';
import type { AnyTool } from '../../src/components/any-tool.ts';
import { ClockContext } from '../../src/components/hooks/use-arming.ts';
import { ClientToolDialogs, type ClientToolDialogsProps, useHeldQuestion } from '../../src/components.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { createTestTool } from '../components/create-test-tool.ts';

interface Place {
  focus(): void;
  readonly text: () => string | null;
}

const fieldIn = (parent: ParentNode & Node, owner: Document = document): Place => {
  const field = parent.appendChild(owner.createElement('textarea'));
  return { focus: () => field.focus(), text: () => field.value };
};
const frameIn = (host: HTMLElement) => {
  const frame = host.appendChild(document.createElement('iframe'));
  return frame.contentDocument as Document;
};
const places: Readonly<Record<string, (host: HTMLElement) => Place>> = {
  'a text area': (host) => fieldIn(host),
  'a field of a shadow root': (host) =>
    fieldIn(host.appendChild(document.createElement('div')).attachShadow({ mode: 'open' })),
  'a field of a frame': (host) => {
    const inner = frameIn(host);
    return fieldIn(inner.body, inner);
  },
  'an editable region': (host) => {
    const editor = host.appendChild(document.createElement('div'));
    editor.contentEditable = 'true';
    return { focus: () => editor.focus(), text: () => editor.textContent };
  },
  'the editable body of a frame': (host) => {
    const { body } = frameIn(host);
    body.contentEditable = 'true';
    return { focus: () => body.focus(), text: () => body.textContent };
  },
};

const added: Element[] = [];
afterEach(() => {
  for (const element of added.splice(0)) element.remove();
});

function Bar() {
  const held = useHeldQuestion();
  return (
    <output aria-label="Bar">
      {held && `${held.reason}: ${held.title}`}
      {held && (
        <button type="button" onClick={held.open}>
          Show it
        </button>
      )}
    </output>
  );
}

function setup(
  addPlace: ((host: HTMLElement) => Place) | undefined,
  props: Partial<ClientToolDialogsProps> = {},
  hasBar = true,
) {
  const clock = createManualClock();
  const host = document.body.appendChild(document.createElement('main'));
  added.push(host);
  const place = addPlace?.(host);
  const page = (tools: readonly AnyTool[]) => (
    <ClockContext.Provider value={clock}>
      {hasBar && <Bar />}
      <ClientToolDialogs {...props} tools={tools} />
    </ClockContext.Provider>
  );
  const { rerender } = render(page([]));
  place?.focus();
  return {
    place: place as Place,
    ask: (...tools: AnyTool[]) => act(() => rerender(page(tools))),
    wait: (ms: number) => act(() => clock.advance(ms)),
  };
}

const dialog = () => screen.queryByRole('dialog');
const bar = () => document.querySelector('output')?.firstChild?.textContent ?? '';
const focusIsInDialog = () => waitFor(() => expect(dialog()?.contains(document.activeElement)).toBe(true));

test.each(Object.keys(places))('a dialog waits for a pause while the person types in %s', async (name) => {
  const tool = createTestTool();
  const { place, ask, wait } = setup(places[name]);
  await userEvent.keyboard('two ');
  await ask(tool);
  expect(dialog()).toBeNull();
  expect(bar()).toBe('typing: Place order');
  for (const key of 'flat white') {
    await wait(900);
    await userEvent.keyboard(key);
    if (key === ' ') expect(dialog()).toBeNull();
  }
  // Ten characters with 900 ms between them take nine seconds.
  expect(place.text()).toBe('two flat white');
  expect(tool.submit).not.toHaveBeenCalled();
  await wait(999);
  expect(dialog()).toBeNull();
  await wait(1);
  await focusIsInDialog();
  expect(bar()).toBe('');
});

test('a dialog opens after ten seconds of typing, and the characters still reach the field until a pause', async () => {
  const tool = createTestTool();
  const { place, ask, wait } = setup(places['a text area']);
  await userEvent.keyboard('-');
  await ask(tool);
  for (let seconds = 0; seconds < 10; seconds++) {
    expect(dialog()).toBeNull();
    await wait(500);
    await userEvent.keyboard('a');
    await wait(500);
    await userEvent.keyboard('b');
  }
  expect(dialog()).not.toBeNull();
  await wait(600);
  await userEvent.keyboard('c {Enter}');
  await userEvent.keyboard('{Escape}');
  expect(place.text()).toBe(`-${'ab'.repeat(10)}c \n`);
  expect(tool.submit).not.toHaveBeenCalled();
  expect(tool.cancel).not.toHaveBeenCalled();
  await wait(1_000);
  // The panel has the focus, because the person may go on to type.
  await waitFor(() => expect(document.activeElement).toBe(dialog()));
  await userEvent.keyboard('{Enter} ');
  expect(tool.submit).not.toHaveBeenCalled();
});

test('a dialog waits while an input method composes, however long no key is pressed', async () => {
  const { place, ask, wait } = setup(places['a text area']);
  await cdp().send('Input.imeSetComposition', { text: 'こ', selectionStart: 1, selectionEnd: 1 });
  await ask(createTestTool());
  await wait(5_000);
  expect(dialog()).toBeNull();
  await cdp().send('Input.imeSetComposition', { text: '', selectionStart: 0, selectionEnd: 0 });
  await cdp().send('Input.insertText', { text: 'こ' });
  await waitFor(() => expect(place.text()).toBe('こ'));
  await wait(1_000);
  await focusIsInDialog();
  expect(place.text()).toBe('こ');
});

test('a dialog opens at once when nobody types', async () => {
  const { ask } = setup(places['a text area']);
  await ask(createTestTool());
  expect(dialog()).not.toBeNull();
});

test('a person who does not want to wait opens the dialog from the bar', async () => {
  const { ask, wait } = setup(places['a text area']);
  await userEvent.keyboard('a');
  await ask(createTestTool());
  await userEvent.click(screen.getByRole('button', { name: 'Show it' }));
  await focusIsInDialog();
  // The press says that the person has left the field, so the focus is at the answer.
  expect(document.activeElement?.textContent).toBe('Confirm');
  await wait(500);
});

test('without a bar of the page a pill says that the agent asks, and a live region reads it out', async () => {
  const { ask, wait } = setup(places['a text area'], {}, false);
  await userEvent.keyboard('a');
  await ask(createTestTool());
  expect(screen.getByRole('status').textContent).toContain('The agent asks: Place order');
  expect(screen.getByRole('button', { name: 'Open' })).toBeTruthy();
  await wait(1_000);
  await focusIsInDialog();
  expect(screen.queryByRole('button', { name: 'Open' })).toBeNull();
});

test('cards stand in the flow, so they do not wait', async () => {
  const { ask } = setup(places['a text area'], { mode: 'inline' });
  await userEvent.keyboard('a');
  await ask(createTestTool());
  expect(screen.getByRole('button', { name: 'Confirm' })).toBeTruthy();
  expect(bar()).toBe('');
});

test.each(['a field of a frame', 'a field of a shadow root', 'the editable body of a frame'])(
  'the focus comes back after an answer into %s, and the person types on',
  async (name) => {
    const { place, ask, wait } = setup(places[name]);
    await userEvent.keyboard('two ');
    await ask(createTestTool());
    await wait(1_000);
    await focusIsInDialog();
    await wait(500);
    await userEvent.keyboard('{Tab}{Enter}');
    await userEvent.keyboard('whites');
    expect(place.text()).toBe('two whites');
  },
);

test('a second dialog after a mouse press on the first focuses its answer, though the focus had come back to the field', async () => {
  const { place, ask, wait } = setup(places['a text area']);
  const [first, second] = [createTestTool(), createTestTool({ toolCallId: 'call-2' })];
  await userEvent.keyboard('two');
  await wait(1_000);
  await ask(first);
  await wait(500);
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  await ask();
  expect(document.activeElement?.localName).toBe('textarea');
  await ask(second);
  await waitFor(() => expect(document.activeElement?.textContent).toBe('Confirm'));
  expect(place.text()).toBe('two');
});

test('a question that is put off is answered by nobody, and comes back with what was typed', async () => {
  const tool = createTestTool({ args: { title: 'Where to?', fields: [{ name: 'city', label: 'City' }] } });
  const { ask, wait } = setup(undefined, { dismiss: 'later' });
  await ask(tool);
  await wait(500);
  await userEvent.keyboard('Rom{Escape}');
  await waitFor(() => expect(dialog()).toBeNull());
  expect(tool.cancel).not.toHaveBeenCalled();
  expect(bar()).toBe('later: Where to?');
  await userEvent.click(screen.getByRole('button', { name: 'Show it' }));
  await focusIsInDialog();
  expect(bar()).toBe('');
  await wait(500);
  const field = screen.getByRole<HTMLInputElement>('textbox', { name: 'City' });
  expect(field.value).toBe('Rom');
  field.focus();
  await userEvent.keyboard('{End}e{Enter}');
  await waitFor(() => expect(tool.submit.mock.calls).toEqual([[{ city: 'Rome' }]]));
});

test('several questions are put off one after the other, and the pill offers the oldest', async () => {
  const question = (name: string) =>
    createTestTool({ toolCallId: name, args: { title: `Question ${name}` } });
  const [first, second] = [question('A'), question('B')];
  const { ask, wait } = setup(undefined, { dismiss: 'later' }, false);
  await ask(first, second);
  for (const name of ['Question A', 'Question B']) {
    await screen.findByRole('dialog', { name });
    await wait(500);
    await userEvent.click(screen.getByRole('button', { name: 'Answer later' }));
  }
  await waitFor(() => expect(dialog()).toBeNull());
  expect(screen.getByText('Question A waits for you', { selector: 'p' })).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Open' }));
  await screen.findByRole('dialog', { name: 'Question A' });
  await wait(500);
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  await ask(second);
  await waitFor(() => expect(screen.getByText('Question B waits for you', { selector: 'p' })).toBeTruthy());
});

test('an early Escape puts nothing off', async () => {
  const { ask, wait } = setup(undefined, { dismiss: 'later' });
  await ask(createTestTool());
  await wait(499);
  await userEvent.keyboard('{Escape}');
  expect(dialog()).not.toBeNull();
  await wait(1);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(dialog()).toBeNull());
  expect(bar()).toBe('later: Place order');
});
