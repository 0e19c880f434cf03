import { expect, it } from 'vitest';
import { createAgentChat } from '../../../src/core/chat/create-agent-chat.ts';
import type { TransportChat } from '../../../src/core/transport/agent-transport.ts';
import { createScriptedTransport } from '../../../src/testing/scripted-transport.ts';

const earlier = {
  id: 'm-1',
  role: 'user',
  parts: [{ type: 'text', text: 'My name is Ann', status: 'done' }],
  status: 'done',
  createdAt: new Date(0),
} as const;

it('tells the transport the id of the chat, the messages it began with, and those it shows now', async () => {
  const transport = createScriptedTransport();
  const chats: TransportChat[] = [];
  const { run } = transport;
  const chat = createAgentChat({
    id: 'chat-7',
    initialMessages: [earlier],
    transport: Object.assign(transport, {
      run: (...[command, io]: Parameters<typeof run>) => {
        chats.push(io.chat);
        return run(command, io);
      },
    }),
  });

  void chat.sendMessage('What is my name?');
  const request = await transport.request(0);
  request.send({ type: 'start', executionId: 'e-1' }, { type: 'text-delta', id: 't', delta: 'Ann' });
  await new Promise<void>((resolve) => {
    chat.subscribe(() => chat.getState().messages.length === 3 && resolve());
  });

  const [seen] = chats;
  expect(seen?.id).toBe('chat-7');
  expect(seen?.initialMessages).toEqual([earlier]);
  expect(seen?.messages().map(({ role }) => role)).toEqual(['user', 'user', 'assistant']);
  chat.destroy();
});
