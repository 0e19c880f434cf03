// @vitest-environment jsdom
import { act, fireEvent, render, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { createRecorder, HandrailDevtools } from '../../src/devtools.ts';
import { scriptedChat, settled } from '../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start } from '../support/scripted-events.ts';

async function openDevtools() {
  const stage = scriptedChat({ id: 'shop', clientTools: { ask: 'interactive' } });
  const onKeyDown = vi.fn();
  const page = render(
    // biome-ignore lint/a11y/noStaticElementInteractions: an app with shortcuts
    <div onKeyDown={onKeyDown}>
      <input aria-label="of the app" />
      <HandrailDevtools chat={stage.chat} />
    </div>,
  );
  page.getByLabelText('of the app').focus();
  await act(settled);
  const root = page.container.querySelector('[data-handrail-devtools]')?.shadowRoot;
  const panel = within(root?.querySelector('div') as HTMLElement);
  return { ...stage, page, panel, root, onKeyDown };
}

/** Lets the agent ask, with a secret among the arguments. */
async function ask({ chat, backend }: Awaited<ReturnType<typeof openDevtools>>): Promise<void> {
  await act(async () => {
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(start, request(call('c1', 'ask', { apiKey: 'k-4711', city: 'Rome' })), awaitingAnswers);
    run.end();
    await settled();
  });
}

it('the devtools begin as a button, take no focus, and record from their mount on', async () => {
  const devtools = await openDevtools();
  expect(document.activeElement).toBe(devtools.page.getByLabelText('of the app'));
  expect(devtools.panel.queryByRole('complementary')).toBeNull();
  await ask(devtools);
  fireEvent.click(devtools.panel.getByRole('button', { name: 'handrail devtools' }));
  expect(devtools.panel.getByText('turn-waiting')).toBeTruthy();
  expect(document.activeElement).toBe(devtools.page.getByLabelText('of the app'));
});

it('the devtools show the arguments of a call without its secret', async () => {
  const devtools = await openDevtools();
  await ask(devtools);
  fireEvent.click(devtools.panel.getByRole('button', { name: 'handrail devtools' }));
  fireEvent.click(devtools.panel.getByRole('button', { name: 'Calls' }));
  const calls = devtools.panel.getByRole('region', { name: 'Calls' });
  expect(calls.textContent).toContain('Rome');
  expect(calls.textContent).toContain('announced → waiting');
  expect(calls.textContent).not.toContain('k-4711');
});

it('the devtools say which tab owns the chat, what is open and what is stored', async () => {
  const devtools = await openDevtools();
  await ask(devtools);
  fireEvent.click(devtools.panel.getByRole('button', { name: 'handrail devtools' }));
  fireEvent.click(devtools.panel.getByRole('button', { name: 'Page' }));
  const page = devtools.panel.getByRole('region', { name: 'Page' }).textContent;
  expect(page).toMatch(/Chatshop.*awaiting-input.*Open requestsnone.*this page alone.*nothing was saved yet/);
});

it('keys that are typed into the devtools do not reach the shortcuts of the app', async () => {
  const { panel, onKeyDown } = await openDevtools();
  const onDocumentKey = vi.fn();
  document.addEventListener('keydown', onDocumentKey);
  fireEvent.click(panel.getByRole('button', { name: 'handrail devtools' }));
  fireEvent.keyDown(panel.getByRole('searchbox'), { key: 'x', bubbles: true, composed: true });
  document.removeEventListener('keydown', onDocumentKey);
  expect(onKeyDown).not.toHaveBeenCalled();
  expect(onDocumentKey).not.toHaveBeenCalled();
});

it('a recording that was downloaded is loaded and shown, and a foreign file is refused with words', async () => {
  const other = scriptedChat({ id: 'of-a-user' });
  const recorder = createRecorder(other.chat);
  void other.chat.sendMessage('Hi');
  await other.backend.request(0);
  await settled();
  const { panel } = await openDevtools();
  fireEvent.click(panel.getByRole('button', { name: 'handrail devtools' }));
  const input = panel.getByLabelText('Recording');
  const choose = (text: string) =>
    fireEvent.change(input, { target: { files: [{ text: async () => text }] } });

  choose('hello');
  await waitFor(() => expect(panel.getByRole('alert').textContent).toMatch(/no recording of handrail/));
  choose(JSON.stringify(recorder.getRecording()));
  fireEvent.click(panel.getByRole('button', { name: 'Page' }));
  await waitFor(() => expect(panel.getByRole('region', { name: 'Page' }).textContent).toContain('of-a-user'));
  expect(panel.queryByRole('alert')).toBeNull();
  fireEvent.click(panel.getByRole('button', { name: 'Back to this page' }));
  expect(panel.getByRole('region', { name: 'Page' }).textContent).toContain('shop');
});

it('closing the panel gives the focus to the button that opens it', async () => {
  const { panel, root } = await openDevtools();
  fireEvent.click(panel.getByRole('button', { name: 'handrail devtools' }));
  fireEvent.click(panel.getByRole('button', { name: 'Close' }));
  expect(root?.activeElement?.textContent).toBe('handrail devtools');
});
