import { expect, test } from 'vitest';
import { toInitialMessages } from '../../../src/core/state/initial-messages.ts';
import { type UIMessage, uiMessageSchema } from '../../../src/core/state/message.ts';

/** A message of a stored Octavus 6.4 session. */
const messageOf = (...parts: object[]): UIMessage[] => [
  { id: 'm', role: 'assistant', status: 'done', createdAt: new Date(0), parts } as unknown as UIMessage,
];

const worker = {
  ...{ type: 'worker', workerId: 'w-1', workerSlug: 'research', description: 'Researches' },
  input: { topic: 'cats' },
  parts: [
    { type: 'text', text: 'I look it up.', status: 'done' },
    { type: 'tool-call', toolCallId: 't', toolName: 'search', args: {}, status: 'done', thread: 'inner' },
  ],
  ...{ output: { found: 3 }, status: 'done' },
};

test('a worker of a stored message is the call and the thread that it is in a stream', () => {
  const before = { type: 'text', text: 'One moment.', status: 'done' } as const;
  const [message] = toInitialMessages(messageOf(before, worker));
  expect(message?.parts).toEqual([
    before,
    {
      ...{ type: 'tool-call', toolCallId: 'w-1', toolName: 'research', displayName: 'Researches' },
      ...{ args: { topic: 'cats' }, result: { found: 3 }, status: 'done' },
    },
    { type: 'text', text: 'I look it up.', status: 'done', thread: 'w-1' },
    { type: 'tool-call', toolCallId: 't', toolName: 'search', args: {}, status: 'done', thread: 'w-1' },
  ]);
  expect(uiMessageSchema.safeParse(message).success).toBe(true);
});

test.each([
  ['running', 'cancelled', {}],
  ['cancelled', 'cancelled', {}],
  ['error', 'error', { error: 'no source' }],
])('a worker without input that is %s is a call that is %s', (status, shown, more) => {
  const { input: _, output: __, description: ___, ...rest } = worker;
  const [message] = toInitialMessages(messageOf({ ...rest, status, ...more, parts: [] }));
  expect(message?.parts).toEqual([
    { type: 'tool-call', toolCallId: 'w-1', toolName: 'research', args: {}, status: shown, ...more },
  ]);
});

test('a part of another kind that this version does not know stays as it is', () => {
  const [message] = toInitialMessages(messageOf({ type: 'step-start' }));
  expect(message?.parts).toEqual([{ type: 'step-start' }]);
});
