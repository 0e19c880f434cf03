import { expect, test } from 'vitest';
import type { PendingToolCall } from '../../../src/core/protocol/events.ts';
import { toQuestion } from '../../../src/core/transport/to-question.ts';

const call: PendingToolCall = {
  ...{ toolCallId: 'c', toolName: 'mail', args: { to: 'Bob', message: 'Hello' } },
  question: { ui: 'form', description: 'Send it?' },
};

test('a question in the middle of a call brings its own text, which no argument replaces', () => {
  expect(toQuestion(call)).toMatchObject({ message: 'Send it?', description: 'Send it?' });
});

test('an approval brings the description of its tool, which the app may replace', () => {
  const approval = toQuestion({ ...call, executedBy: 'server' });
  expect(approval).toMatchObject({ description: 'Send it?' });
  expect(approval).not.toHaveProperty('message');
});
