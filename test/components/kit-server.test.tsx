/** Without a DOM: the output of a server in each version of React, with nothing logged. */
import { renderToString } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { ClientToolDialogs, Composer, Transcript } from '../../src/components.ts';
import { AgentChatProvider } from '../../src/react/agent-chat-provider.tsx';
import { scriptedChat } from '../support/scripted-chat.ts';

test('the kit renders on a server without the random id of its chat, which Next.js refuses to prerender', () => {
  const createId = vi.fn(() => 'drawn');
  const { chat } = scriptedChat({ createId });
  const html = renderToString(
    <AgentChatProvider chat={chat}>
      <Transcript />
      <Composer />
      <ClientToolDialogs />
      <ClientToolDialogs mode="inline" />
    </AgentChatProvider>,
  );
  expect(html).toContain('<textarea');
  expect(createId).not.toHaveBeenCalled();
});
