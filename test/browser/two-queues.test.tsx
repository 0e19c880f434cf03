/** Two chats on one page, each with modal questions of its own. */
import { render, screen, waitFor } from '@testing-library/react';
import { StrictMode } from 'react';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import '../../src/styles.css';
import type { AnyTool } from '../../src/components/any-tool.ts';
import { ClientToolDialogs } from '../../src/components.ts';
import { createTestTool } from '../components/create-test-tool.ts';
import { untilArmed } from '../support/until-armed.ts';

const ask = (action: string) => createTestTool({ toolCallId: action, args: { action } });
const Page = ({ left, right }: { left: readonly AnyTool[]; right: readonly AnyTool[] }) => (
  <StrictMode>
    <button type="button">Outside</button>
    <ClientToolDialogs tools={left} />
    <ClientToolDialogs tools={right} />
  </StrictMode>
);
/** The top dialog for the eye, the dialogs for a screen reader, and the dialog that takes the keys. */
function look() {
  const named = (element: Element | null | undefined) =>
    element?.closest('[role="dialog"]')?.querySelector('h2')?.textContent ?? element?.tagName;
  const panels = [...document.querySelectorAll('[role="dialog"]')];
  const seen = panels.map((panel) => {
    const { x, y, width, height } = panel.getBoundingClientRect();
    return named(document.elementFromPoint(x + width / 2, y + height / 2));
  });
  return {
    seen: [...new Set(seen)],
    exposed: screen.queryAllByRole('heading').map(({ textContent }) => textContent),
    keys: named(document.activeElement),
  };
}
const only = (name: string) => ({ seen: [name], exposed: [name], keys: name });

test('questions of two queues open at once are answered from the top down by keyboard', async () => {
  const [one, two, three, four] = [ask('One'), ask('Two'), ask('Three'), ask('Four')];
  render(<Page left={[one, two]} right={[three, four]} />);
  await waitFor(() => expect(look()).toEqual(only('Three')));
  await untilArmed();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(look()).toEqual(only('Four')));
  await untilArmed();
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(look()).toEqual(only('One')));
  await untilArmed();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(look()).toEqual(only('Two')));
  await untilArmed();
  await userEvent.keyboard('{Enter}');
  await waitFor(() => expect(look().seen).toEqual([]));
  expect([one, two, three].map(({ submit }) => submit.mock.calls.length)).toEqual([1, 1, 1]);
  expect(four.cancel).toHaveBeenCalledTimes(1);
});

test('the next question of the lower queue moves to the top and takes the keys when its first is withdrawn', async () => {
  const [one, two, three] = [ask('One'), ask('Two'), ask('Three')];
  const { rerender } = render(<Page left={[one, two]} right={[three]} />);
  await waitFor(() => expect(look()).toEqual(only('Three')));
  rerender(<Page left={[two]} right={[three]} />);
  await waitFor(() => expect(look()).toEqual(only('Two')));
  await untilArmed();
  await userEvent.click(screen.getByRole('button', { name: 'Confirm' }));
  await waitFor(() => expect(look()).toEqual(only('Three')));
  await userEvent.keyboard('{Tab}{Tab}{Tab}{Tab}{Tab}{Tab}');
  expect(look()).toEqual(only('Three'));
  await untilArmed();
  await userEvent.keyboard('{Escape}');
  expect([two.submit, three.cancel].map((spy) => spy.mock.calls.length)).toEqual([1, 1]);
});

test('the focused one of two dialogs in separate shadow roots is not hidden from screen readers', async () => {
  const hosts = ['One', 'Two'].map((name) => {
    const host = document.body.appendChild(document.createElement('div'));
    const root = host.attachShadow({ mode: 'open' });
    return { host, name, container: root.appendChild(document.createElement('div')) };
  });
  render(
    hosts.map(({ name, container }) => (
      <ClientToolDialogs key={name} tools={[ask(name)]} container={container} />
    )),
  );
  const hidden = () => hosts.map(({ host }) => host.getAttribute('aria-hidden'));
  await waitFor(() => expect(document.activeElement).toBe(hosts[1]?.host));
  await waitFor(() => expect(hidden()).toEqual(['true', null]));
  for (const { host } of hosts) host.remove();
});
