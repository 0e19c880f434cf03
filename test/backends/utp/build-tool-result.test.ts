import { describe, expect, test } from 'vitest';
import {
  buildToolResult,
  type ToolEnding,
  toCallbackPayload,
} from '../../../src/backends/utp/build-tool-result.ts';
import type { UtpToolCall } from '../../../src/backends/utp/call.ts';
import { normalizeError, toFailedResult } from '../../../src/backends/utp/normalize-error.ts';
import { UtpToolError } from '../../../src/backends/utp/tool-error.ts';

const call: UtpToolCall = {
  projectId: 'p1',
  channelId: 'public',
  toolCallId: 'call1',
  agentId: 'agent1',
  agentTurnId: 'turn1',
  turnEpoch: 7,
  recursionDepth: 3,
  toolName: 'confirm',
  args: {},
  afterExecution: 'suspend',
  lineage: { step_id: 'step1', trace_id: 'trace1', parent_step_id: null },
};

const fields = { cardId: 'card1', createdAt: new Date(0), authorId: 'tool.hitl' };

function contentOf(ending: ToolEnding, ofCall: UtpToolCall = call): Record<string, unknown> {
  return buildToolResult(ofCall, ending, fields).content as Record<string, unknown>;
}

function cyclic(): Record<string, unknown> {
  const value: Record<string, unknown> = {};
  value.self = value;
  return value;
}

test('a result card repeats the lineage of the call, and names the call, the tool and the author', () => {
  expect(buildToolResult(call, { status: 'success', result: 5 }, fields)).toEqual({
    card_id: 'card1',
    project_id: 'p1',
    type: 'tool.result',
    content: { status: 'success', after_execution: 'suspend', result: 5, error: null },
    created_at: '1970-01-01T00:00:00.000Z',
    author_id: 'tool.hitl',
    metadata: {
      agent_turn_id: 'turn1',
      tool_call_id: 'call1',
      role: 'tool',
      function_name: 'confirm',
      step_id: 'step1',
      trace_id: 'trace1',
      parent_step_id: null,
    },
    tool_call_id: 'call1',
  });
});

test('the payload of the report has the three fields of a callback and no others', () => {
  const card = buildToolResult(call, { status: 'success', result: { secret: 1 } }, fields);
  expect(toCallbackPayload(card)).toEqual({
    after_execution: 'suspend',
    status: 'success',
    tool_result_card_id: 'card1',
  });
  expect(toCallbackPayload({ ...card, content: 'text' })).toBeUndefined();
});

describe('the status of a result', () => {
  test.each(['success', 'failed', 'canceled', 'timeout', 'partial'])('may be %s', (status) => {
    expect(contentOf({ status })).toMatchObject({ status });
  });

  test('becomes failed, with invalid_status, if it is another word', () => {
    expect(contentOf({ status: 'cancelled' })).toMatchObject({
      status: 'failed',
      error: { code: 'invalid_status', source: 'tool' },
    });
  });

  test('becomes failed if success comes with an error', () => {
    expect(contentOf({ status: 'success', result: 1, error: new Error('no') })).toMatchObject({
      status: 'failed',
      result: 1,
      error: { code: 'internal_error', message: 'no' },
    });
  });
});

describe('the error of a result', () => {
  test('is null for a success', () => {
    expect(contentOf({ status: 'success' })).toMatchObject({ error: null, result: null });
  });

  test('comes from error_code and error_message of the result if there is no other', () => {
    const result = { error_code: 'conflict', error_message: 'taken' };
    expect(contentOf({ status: 'partial', result })).toMatchObject({
      status: 'partial',
      result,
      error: { code: 'conflict', message: 'taken', source: 'tool' },
    });
  });

  test('is unknown_error if nothing describes the failure', () => {
    expect(contentOf({ status: 'timeout' })).toMatchObject({
      status: 'timeout',
      error: { code: 'unknown_error', message: 'unknown error' },
    });
  });

  test('is error_not_serializable if JSON cannot carry it', () => {
    const error = new UtpToolError('conflict', 'taken', { detail: cyclic() });
    expect(contentOf({ status: 'canceled', error })).toMatchObject({
      status: 'failed',
      error: { code: 'error_not_serializable' },
    });
  });
});

describe('a result that JSON cannot carry', () => {
  test.each([
    ['a cycle', cyclic()],
    ['a bigint', { n: 5n }],
    ['a function', () => {}],
    ['NaN', { n: Number.NaN }],
  ])('fails the call, for example %s', (_, result) => {
    expect(contentOf({ status: 'success', result })).toMatchObject({
      status: 'failed',
      result: null,
      error: { code: 'result_not_serializable' },
    });
  });

  test('keeps the error that there was as a detail', () => {
    const ending = { status: 'failed', result: cyclic(), error: new UtpToolError('conflict', 'taken') };
    expect(contentOf(ending)).toMatchObject({
      error: { code: 'result_not_serializable', detail: { original_error: { code: 'conflict' } } },
    });
  });
});

describe('what the agent does afterwards', () => {
  const terminate = { __cg_control: { after_execution: 'terminate' } };

  test.each([
    ['the command', { status: 'success' }, 'terminate', 'terminate'],
    ['the tool before the command', { status: 'success', afterExecution: 'suspend' }, 'terminate', 'suspend'],
    ['the result before the command', { status: 'success', result: terminate }, 'suspend', 'terminate'],
    [
      'the result before the tool',
      { status: 'success', result: terminate, afterExecution: 'suspend' },
      'suspend',
      'terminate',
    ],
    [
      'the command if the result has another word',
      { status: 'success', result: { __cg_control: { after_execution: 'later' } } },
      'terminate',
      'terminate',
    ],
  ] as const)('is decided by %s', (_, ending, afterExecution, effective) => {
    const card = buildToolResult({ ...call, afterExecution }, ending, fields);
    expect(card.content).toMatchObject({ after_execution: effective });
    expect(toCallbackPayload(card)).toMatchObject({ after_execution: effective });
  });

  test('is suspend, and the call fails, if the tool wishes for another word', () => {
    expect(contentOf({ status: 'success', result: terminate, afterExecution: 'later' })).toMatchObject({
      status: 'failed',
      after_execution: 'suspend',
      error: { code: 'invalid_after_execution' },
    });
  });

  test('stays in the result under its own name', () => {
    expect(contentOf({ status: 'success', result: terminate })).toMatchObject({ result: terminate });
  });
});

describe('an error object', () => {
  test.each([
    ['bad_request', 400],
    ['auth_failed', 403],
    ['not_found', 404],
    ['conflict', 409],
    ['internal_error', 500],
    ['upstream_unavailable', 503],
    ['tool_timeout', 504],
  ])('of the code %s has the HTTP status %i', (code, status) => {
    const error = new UtpToolError(code, 'text', { detail: { id: 1 }, retryable: true });
    expect(normalizeError(error)).toEqual({
      code,
      message: 'text',
      source: 'tool',
      detail: { id: 1 },
      retryable: true,
      http_status: status,
    });
  });

  test('is tool_timeout for the error of AbortSignal.timeout', () => {
    expect(normalizeError(new DOMException('too slow', 'TimeoutError'))).toMatchObject({
      code: 'tool_timeout',
      message: 'too slow',
    });
  });

  test.each([
    [new TypeError('x is undefined'), 'x is undefined'],
    ['text', 'text'],
    [undefined, 'unknown error'],
  ])('is internal_error for the thrown value %s', (thrown, message) => {
    expect(normalizeError(thrown)).toMatchObject({ code: 'internal_error', message });
  });

  test.each(['constructor', 'toString', '__proto__'])('has no HTTP status for the code %s', (code) => {
    const { error } = contentOf({ status: 'failed', error: new UtpToolError(code, 'No.') });
    expect(error).toEqual({ code, message: 'No.', source: 'tool' });
  });

  test('keeps its fields if it is one already', () => {
    const error = { code: 'mine', message: 'text', source: 'worker', extra: 1 };
    expect(normalizeError(error)).toEqual(error);
  });

  test('is repeated in the result of the call', () => {
    const error = normalizeError(new UtpToolError('not_found', 'no order', { detail: 7 }));
    expect(toFailedResult(error)).toEqual({
      error_code: 'not_found',
      error_message: 'no order',
      error,
      error_detail: 7,
    });
    expect(contentOf({ status: 'failed', error })).toMatchObject({ result: toFailedResult(error) });
  });
});
