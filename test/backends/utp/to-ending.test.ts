import { expect, test } from 'vitest';
import { buildToolResult } from '../../../src/backends/utp/build-tool-result.ts';
import type { UtpToolCall } from '../../../src/backends/utp/call.ts';
import { toEnding, type UtpAnswer } from '../../../src/backends/utp/to-ending.ts';

function contentOf(answer: UtpAnswer): unknown {
  const ending = toEnding(answer);
  if (ending === undefined) return undefined;
  const call: UtpToolCall = {
    ...{ projectId: 'p', channelId: 'public', toolCallId: 'c', agentId: 'a', agentTurnId: 't', turnEpoch: 1 },
    ...{ recursionDepth: 0, toolName: 'confirm', args: {}, lineage: {} },
    afterExecution: 'suspend',
  };
  return buildToolResult(call, ending, { cardId: 'r', createdAt: new Date(0), authorId: 'tool.x' }).content;
}

test.each<[UtpAnswer, object]>([
  [
    { outcome: 'submitted', result: { ok: true } },
    { status: 'success', result: { ok: true }, error: null },
  ],
  [{ outcome: 'submitted' }, { status: 'success', result: null, error: null }],
  [
    { outcome: 'declined', reason: 'too dear', result: { confirmed: false } },
    { status: 'success', result: { confirmed: false, outcome: 'declined', reason: 'too dear' }, error: null },
  ],
  [{ outcome: 'declined' }, { status: 'success', result: { outcome: 'declined' }, error: null }],
  [
    { outcome: 'cancelled' },
    { status: 'canceled', error: { code: 'user_cancelled', message: 'User cancelled' } },
  ],
  [
    { outcome: 'failed', reason: 'no camera' },
    { status: 'failed', error: { code: 'internal_error', message: 'no camera' } },
  ],
  [
    { outcome: 'failed', error: { code: 'not_found', message: 'no file' } },
    { status: 'failed', error: { code: 'not_found', message: 'no file' } },
  ],
  [{ outcome: 'timed-out' }, { status: 'timeout', error: { code: 'tool_timeout' } }],
  [{ outcome: 'superseded' }, { status: 'canceled', error: { code: 'superseded' } }],
  [{ outcome: 'aborted' }, { status: 'canceled', error: { code: 'aborted' } }],
])('the answer %o becomes a result', (answer, content) => {
  expect(contentOf(answer)).toMatchObject({ after_execution: 'suspend', ...content });
});

test('an expired answer sends nothing, because the agent has a result already', () => {
  expect(contentOf({ outcome: 'expired' })).toBeUndefined();
});

test('an answer may end the turn of the agent', () => {
  expect(contentOf({ outcome: 'submitted', afterExecution: 'terminate' })).toMatchObject({
    after_execution: 'terminate',
  });
});

test('a word that is no outcome is refused with the list of outcomes', () => {
  expect(() => toEnding({ outcome: 'done' as 'submitted' })).toThrow('submitted, declined, cancelled');
});
