// @vitest-environment jsdom
/** A page on Mantyx: only its transport differs from that of other backends. */
import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, onTestFinished } from 'vitest';
import { localTools } from '../../../src/backends/mantyx/local-tools/local-tools.ts';
import type { AgentTransport } from '../../../src/core.ts';
import { AgentChatProvider, useAgentChat, usePendingClientTools } from '../../../src/index.ts';
import { startMantyxPlatform } from '../../support/mantyx-platform.ts';
import { bodiesOf, connectMantyx } from './open-mantyx.ts';

const clientTools = { confirm: 'interactive', now: () => 'noon' } as const;

function Page({ transport }: { transport: AgentTransport }) {
  const chat = useAgentChat({ transport, clientTools });
  return (
    <AgentChatProvider chat={chat}>
      <button type="button" onClick={() => void chat.sendMessage('A lamp, please')}>
        Order
      </button>
      {chat.messages.map(({ id, parts }) => (
        <p key={id}>{parts.map((part) => ('text' in part ? part.text : `[${part.type}]`)).join('')}</p>
      ))}
      <output>{chat.status}</output>
      <Question />
    </AgentChatProvider>
  );
}

function Question() {
  const [tool] = usePendingClientTools('confirm');
  if (tool === undefined) return null;
  return (
    <button type="button" onClick={() => tool.submit({ confirmed: true })}>
      {String(tool.args.action)}
    </button>
  );
}

it('a page on Mantyx answers a question and an automatic tool once, and the same message continues', async () => {
  const platform = await startMantyxPlatform({
    script: function* ({ answers }) {
      yield 'One moment. ';
      yield { calls: [{ call: 'confirm', args: { action: 'Order a lamp?' } }, { call: 'now' }] };
      yield `Ordered at ${answers.get('tu_2')?.result}: ${answers.get('tu_1')?.result}`;
    },
  });
  onTestFinished(platform.close);
  const transport = connectMantyx(platform, { tools: localTools(clientTools) });
  const { unmount } = render(<Page transport={transport} />);
  onTestFinished(unmount);
  const user = userEvent.setup();
  await user.click(screen.getByRole('button', { name: 'Order' }));
  const question = await screen.findByRole('button', { name: 'Order a lamp?' });
  expect(screen.getByRole('status').textContent).toBe('awaiting-input');
  await user.dblClick(question);
  const answer = await screen.findByText(/Ordered at noon/);
  expect(answer.textContent).toBe('One moment. [tool-call][tool-call]Ordered at noon: {"confirmed":true}');
  expect(bodiesOf(platform, 'results')).toHaveLength(2);
});
