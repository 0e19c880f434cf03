// @vitest-environment jsdom
/** Dialogs that open in one commit: an app that maps its open calls to dialogs, or a page with several chats. */
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { Fragment, StrictMode } from 'react';
import { expect, test } from 'vitest';
import { ClientToolDialogs, ConfirmationDialog, FormDialog } from '../../src/components.ts';
import { createTestTool } from './create-test-tool.ts';

const question = (name: string) => createTestTool({ toolCallId: name, args: { action: name } });
const reachable = () => screen.queryAllByRole('heading').map(({ textContent }) => textContent);

test.each([Fragment, StrictMode])(
  'the last of several dialogs opened at once can be reached, then the one below, in %o',
  async (Mode) => {
    const user = userEvent.setup();
    const tools = ['Oat', 'Rye', 'Soy'].map(question);
    render(
      <Mode>
        {tools.map((tool) => (
          <ConfirmationDialog key={tool.toolCallId} tool={tool} />
        ))}
      </Mode>,
    );
    for (const name of ['Soy', 'Rye', 'Oat']) {
      expect(reachable()).toEqual([name]);
      await user.keyboard('{Enter}');
    }
    expect(reachable()).toEqual([]);
    expect(tools.map(({ submit }) => submit.mock.calls.length)).toEqual([1, 1, 1]);
  },
);

test('a form above a queue of questions can be reached', async () => {
  const user = userEvent.setup();
  const form = createTestTool({ args: { title: 'Address', fields: [{ name: 'city' }] } });
  render(
    <>
      <ClientToolDialogs tools={[question('Oat'), question('Rye')]} />
      <FormDialog tool={form} />
    </>,
  );
  expect(reachable()).toEqual(['Address']);
  await user.keyboard('{Escape}');
  expect(reachable()).toEqual(['Oat']);
});
