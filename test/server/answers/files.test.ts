/** The files of a result: the other pages of a conversation get them with the acknowledgement, and not first with the next snapshot. */
import { expect, it } from 'vitest';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import { createListAgent, hello, requestIn, run, stop, text } from '../support.ts';

const files = [{ id: 'f', mediaType: 'text/csv', url: 'https://files.example/a.csv', filename: 'a.csv' }];

it.each([
  ['with its files', { files }, files],
  ['without files', {}, undefined],
])('an acknowledged result is told to another page %s', async (_, more, told) => {
  const toolCalls = [{ toolCallId: 'call-1', toolName: 'export', args: {} }];
  const agent = createListAgent([{ type: 'tool-request', toolCalls }], [...text('Done'), stop]);
  const session = createAgentSession({ id: 's', agent, store: createMemorySessionStore() });
  const asked = await run(session, hello);
  const { executionId } = requestIn(asked);
  const toolResults = [
    { toolCallId: 'call-1', toolName: 'export', outcome: 'submitted', result: 'made', ...more },
  ];
  await run(session, { type: 'continue', executionId, toolResults } as never);
  const events = await run(session, { type: 'open', executionId, cursor: asked.at(-1)?.cursor });
  const acknowledged = events.find(({ type }) => type === 'tool-result-acknowledged');
  expect(acknowledged).toMatchObject({ outcome: 'submitted', result: 'made' });
  expect((acknowledged as { files?: unknown }).files).toEqual(told);
});
