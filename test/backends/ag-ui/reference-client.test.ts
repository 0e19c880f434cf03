import { HttpAgent } from '@ag-ui/client';
import { afterEach, describe, expect, it } from 'vitest';
import { createAgUiTransport } from '../../../src/backends/ag-ui/create-ag-ui-transport.ts';
import { createAgentChat } from '../../../src/core.ts';
import { toNodeHandler } from '../../../src/server.ts';
import { type Listening, listen } from '../../integration/listen.ts';
import { type Agent, call, createAgentRoute, text } from './agent-route.ts';

let server: Listening | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

/** The run puts into its thread all that a thread can hold. */
const agent: Agent = () => [
  { type: 'REASONING_START', messageId: 'span' },
  { type: 'REASONING_MESSAGE_START', messageId: 'why', role: 'reasoning' },
  { type: 'REASONING_MESSAGE_CONTENT', messageId: 'why', delta: 'Hm.' },
  { type: 'REASONING_MESSAGE_END', messageId: 'why' },
  { type: 'REASONING_END', messageId: 'span' },
  { type: 'REASONING_ENCRYPTED_VALUE', subtype: 'message', entityId: 'why', encryptedValue: 'sealed' },
  ...text('m1', 'Let me look.'),
  { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'lookup', parentMessageId: 'm1' },
  { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{"what":"price"}' },
  { type: 'TOOL_CALL_END', toolCallId: 'c1' },
  ...call('c2', 'stock'),
  { type: 'TOOL_CALL_RESULT', messageId: 'r1', toolCallId: 'c1', content: '3' },
  { type: 'TOOL_CALL_RESULT', messageId: 'r2', toolCallId: 'c2', content: 'many' },
  ...text('m2', 'It costs 3.'),
];

describe('the thread of a run', () => {
  it('the thread is the one that the reference client has of the same run', async () => {
    const route = createAgentRoute(agent);
    server = await listen(toNodeHandler((request) => route.handle(request)));
    const url = `http://127.0.0.1:${server.port}/agent`;
    const user = { id: 'u1', role: 'user' as const, content: 'Hi' };
    const reference = new HttpAgent({ url, initialMessages: [user] });
    await reference.runAgent();

    const chat = createAgentChat({ transport: createAgUiTransport({ url }) });
    await chat.sendMessage('Hi');
    await chat.sendMessage('Thanks');
    const thread = route.inputs.at(-1)?.messages ?? [];
    expect(thread.slice(1, -1)).toEqual(JSON.parse(JSON.stringify(reference.messages.slice(1))));
  });
});
