// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { StrictMode, useSyncExternalStore } from 'react';
import { flushSync } from 'react-dom';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { ClientToolDialogs } from '../../../src/components/client-tools/client-tool-dialogs.tsx';
import { withMethods } from '../../support/create-waiting-tool.ts';
import { createTestTool, type TestToolOptions } from '../create-test-tool.ts';

const url = 'https://accounts.example.com/connect?app=notes';
const button = (name: string) => screen.getByRole('button', { name });
const pageTool = (args: object = {}, options: TestToolOptions = {}) =>
  createTestTool({ args: { mode: 'url', message: 'Sign in to Notes.', url, ...args }, ...options });
/** Returns the description that assistive technology reads with a control. */
const described = (element: Element) =>
  element
    .getAttribute('aria-describedby')
    ?.split(' ')
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ');

const open = vi.fn();
beforeEach(() => {
  open.mockReset();
  vi.spyOn(window, 'open').mockImplementation(open);
});

test('a page question shows the whole URL as text, with its host apart, and no link', () => {
  render(<ClientToolDialogs tools={[pageTool()]} />, { wrapper: StrictMode });
  expect(document.querySelector('.hr-page-address')?.textContent).toBe(url);
  expect(screen.getByText('accounts.example.com').tagName).toBe('STRONG');
  expect(screen.queryByRole('link')).toBeNull();
  expect(document.querySelector('a, iframe, link[rel], img, [href], [src]')).toBeNull();
  expect(document.activeElement).toBe(button('Open page'));
  expect(described(button('Open page'))).toContain(url);
  expect(open).not.toHaveBeenCalled();
});

test('a page question opens the page in a new tab, and answers on Done', async () => {
  const user = userEvent.setup();
  const tool = pageTool();
  render(<ClientToolDialogs tools={[tool]} />, { wrapper: StrictMode });
  await user.keyboard('{Enter}');
  expect(open.mock.calls).toEqual([[url, '_blank', 'noopener,noreferrer']]);
  expect(tool.submit).not.toHaveBeenCalled();
  expect(document.activeElement).toBe(button('Done'));
  expect(screen.getByRole('status').textContent).toContain('The page is open in a new tab.');

  await user.click(button('Open again'));
  expect(open).toHaveBeenCalledTimes(2);

  await user.click(button('Done'));
  expect(tool.submit.mock.calls).toEqual([[null]]);
  expect(tool.cancel).not.toHaveBeenCalled();
  expect(screen.queryByRole('dialog')).toBeNull();
});

describe('a page question without consent', () => {
  test.each([
    ['Decline', 'decline'],
    ['Cancel', 'cancel'],
    ['{Escape}', 'cancel'],
  ] as const)('before opening, %s is a %s', async (way, outcome) => {
    const user = userEvent.setup();
    const tool = pageTool();
    render(<ClientToolDialogs tools={[tool]} />);
    if (way === '{Escape}') await user.keyboard(way);
    else await user.click(button(way));
    expect(tool[outcome]).toHaveBeenCalledTimes(1);
    expect(tool.submit).not.toHaveBeenCalled();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('Escape after opening asks first, because the person may have done what the page wants', async () => {
    const user = userEvent.setup();
    const tool = pageTool();
    render(<ClientToolDialogs tools={[tool]} />);
    await user.click(button('Open page'));
    await user.keyboard('{Escape}');
    expect(tool.cancel).not.toHaveBeenCalled();
    await user.click(button('Close without answering'));
    expect(tool.cancel.mock.calls).toEqual([[]]);
  });

  test('cancels after opening with the Cancel button beside Done', async () => {
    const user = userEvent.setup();
    const tool = pageTool();
    render(<ClientToolDialogs tools={[tool]} />);
    await user.click(button('Open page'));
    await user.click(screen.getByText('Cancel'));
    expect(tool.cancel.mock.calls).toEqual([[]]);
    expect(tool.submit).not.toHaveBeenCalled();
  });
});

test('the second click of a double click on "Open page" does not answer', () => {
  const tool = pageTool();
  render(<ClientToolDialogs tools={[tool]} />);
  fireEvent.click(button('Open page'), { detail: 1 });
  fireEvent.click(button('Done'), { detail: 2 });
  expect(tool.submit).not.toHaveBeenCalled();
  fireEvent.click(button('Done'), { detail: 1 });
  expect(tool.submit).toHaveBeenCalledTimes(1);
});

test('the focus moves to Done once after opening', async () => {
  const user = userEvent.setup();
  const tools = [pageTool()];
  const { rerender } = render(<ClientToolDialogs tools={tools} />);
  await user.click(button('Open page'));
  button('Open again').focus();
  rerender(<ClientToolDialogs tools={[...tools, createTestTool({ toolCallId: 'call-2' })]} />);
  await user.keyboard('{Enter}');
  expect(open).toHaveBeenCalledTimes(2);
  rerender(<ClientToolDialogs tools={tools} />);
  expect(document.activeElement).toBe(button('Open again'));
});

test('the focus moves to Done also if the app renders between the press and the opened page', async () => {
  const user = userEvent.setup();
  const listeners = new Set<() => void>();
  let saved = 0;
  const tool = pageTool();
  const tools = [
    withMethods(tool, {
      saveInput(input: unknown) {
        tool.saveInput?.(input);
        saved += 1;
        // An app that shows what was saved may render at once.
        flushSync(() => {
          for (const listener of listeners) listener();
        });
      },
    }),
  ];
  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  function App() {
    useSyncExternalStore(subscribe, () => saved);
    return <ClientToolDialogs tools={[...tools]} mode="inline" />;
  }
  render(<App />);
  button('Open page').focus();
  await user.keyboard('{Enter}');
  expect(saved).toBe(1);
  expect(document.activeElement).toBe(button('Done'));
});

test('a call with a deadline is answered when the page opens', async () => {
  const user = userEvent.setup();
  const tool = pageTool({}, { expiresAt: new Date(Date.now() + 60_000) });
  render(<ClientToolDialogs tools={[tool]} />);
  await user.click(button('Open page'));
  expect(open).toHaveBeenCalledTimes(1);
  expect(tool.submit.mock.calls).toEqual([[null]]);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the page of an expired call does not open', async () => {
  const user = userEvent.setup();
  const expiresAt = new Date(Date.now() + 60_000);
  const tool = pageTool({}, { expiresAt, refusals: [{ settled: false, reason: 'expired' }] });
  render(<ClientToolDialogs tools={[tool]} />);
  await user.click(button('Open page'));
  expect(open).not.toHaveBeenCalled();
  expect(screen.getByText(/no longer waits/, { selector: '.hr-notice' })).toBeTruthy();
});

test('an opened page is remembered after the dialog closes, and an ended call stays visible', async () => {
  const user = userEvent.setup();
  const tool = pageTool();
  const first = render(<ClientToolDialogs tools={[tool]} />);
  await user.click(button('Open page'));
  first.unmount();

  const { rerender } = render(<ClientToolDialogs tools={[tool]} mode="inline" />);
  expect(button('Done')).toBeTruthy();
  expect(open).toHaveBeenCalledTimes(1);
  await user.click(button('Open again'));
  rerender(<ClientToolDialogs tools={[]} mode="inline" />);
  expect(screen.getByText(/no longer waits/, { selector: '.hr-notice' })).toBeTruthy();
  await user.click(button('Close'));
  expect(tool.submit).not.toHaveBeenCalled();
});

describe('an unusual URL', () => {
  test.each([
    ['https://xn--pple-43d.example/', /letters outside a to z/],
    ['https://bank.example@evil.test/', /contains a user name or password/],
    ['https://example.com:8443/', /a port number/],
  ])('shows a warning for %s that describes the buttons, and starts on Decline', (odd, text) => {
    render(<ClientToolDialogs tools={[pageTool({ url: odd })]} />);
    expect(screen.getByRole('dialog').dataset.severity).toBe('caution');
    expect(document.activeElement).toBe(button('Decline'));
    expect(described(button('Decline'))).toMatch(text);
    expect(described(button('Open page'))).toMatch(text);
  });

  test.each(['javascript:alert(1)', 'http://example.com/', 'data:text/html,hi', 7])(
    'cannot be opened when it is %s, only declined or cancelled',
    async (blocked) => {
      const user = userEvent.setup();
      const tool = pageTool({ url: blocked });
      render(<ClientToolDialogs tools={[tool]} />);
      expect(screen.queryByRole('button', { name: 'Open page' })).toBeNull();
      expect(document.activeElement).toBe(button('Decline'));
      expect(described(button('Decline'))).toMatch(/(cannot|can) be opened/);
      await user.keyboard('{Enter}');
      expect(tool.decline).toHaveBeenCalledTimes(1);
      expect(open).not.toHaveBeenCalled();
    },
  );

  test('does not lower the severity that the app declared', () => {
    const tool = pageTool({ url: 'https://example.com:81/' }, { definition: { severity: 'destructive' } });
    render(<ClientToolDialogs tools={[tool]} />);
    expect(screen.getByRole('alertdialog').dataset.severity).toBe('destructive');
  });
});

test('no URL in the message or the arguments becomes a link', () => {
  const more = { message: 'See https://evil.test', elicitationId: 'e-1', help: 'https://evil.test/help' };
  render(<ClientToolDialogs tools={[pageTool(more)]} mode="inline" />);
  expect(screen.queryByRole('link')).toBeNull();
});
