/** Only a real browser shows what a page opened for a server learns about the page that opened it. */
import { render } from '@testing-library/react';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import '../../src/styles.css';
import { ClientToolDialogs } from '../../src/components/client-tools/client-tool-dialogs.tsx';
import { createTestTool } from '../components/create-test-tool.ts';
import { untilArmed } from '../support/until-armed.ts';

test("a server's page opens only on request, in a tab without access to this one", async () => {
  const channel = new BroadcastChannel('opened-page');
  const messages: unknown[] = [];
  const opened = new Promise<void>((resolve) => {
    channel.onmessage = ({ data }) => {
      messages.push(data);
      resolve();
    };
  });
  const url = new URL('./opened-page.html', import.meta.url);
  const tool = createTestTool({ args: { mode: 'url', message: 'Sign in.', url: url.href } });
  const screen = render(<ClientToolDialogs tools={[tool]} />);
  const open = screen.getByRole('button', { name: 'Open page' });
  expect(messages).toEqual([]);
  await untilArmed();
  await userEvent.click(open);
  await opened;
  channel.close();
  expect(messages).toEqual([{ opener: null, referrer: '' }]);
  expect(tool.submit).not.toHaveBeenCalled();
  await userEvent.click(screen.getByRole('button', { name: 'Done' }));
  expect(tool.submit.mock.calls).toEqual([[null]]);
});
