import { describe, expect, it } from 'vitest';
import { parseOnce, parseSessionRequest, takeParsed } from '../../src/server/parse-session-request.ts';
import { TOOL_OUTCOMES } from '../../src/shared/tool-outcome.ts';
import { calls, createListAgent, createSession, hello, run, stop } from './support.ts';

describe('a payload', () => {
  it.each([
    [null],
    ['trigger'],
    [[]],
    [{}],
    [{ type: 'dance' }],
    [{ type: 'trigger' }],
    [{ type: 'trigger', triggerName: '' }],
    [{ type: 'trigger', triggerName: 'x', input: [] }],
    [{ type: 'continue', executionId: 'x' }],
    [{ type: 'continue', toolResults: [] }],
    [{ type: 'continue', executionId: 'x', toolResults: [null] }],
    [{ type: 'continue', executionId: 'x', toolResults: [{ toolCallId: 'a', error: 5 }] }],
    [{ type: 'continue', executionId: 'x', toolResults: [{ toolCallId: 'a', outcome: 'sumbitted' }] }],
    [{ type: 'continue', executionId: 'x', toolResults: [{ toolCallId: 'a' }, { toolCallId: 'a' }] }],
    [{ type: 'resume', executionId: 'x' }],
    [{ type: 'resume', executionId: '', cursor: '1' }],
    [{ type: 'resume', executionId: 'x', cursor: ['1'] }],
    [{ type: 'resume', executionId: 'x', cursor: '-1' }],
    [{ type: 'resume', executionId: 'x', cursor: 1.5 }],
    [{ type: 'stop', executionId: 7 }],
  ])('a session refuses a payload like %j', async (payload) => {
    const agent = createListAgent([stop]);
    expect(await run(createSession(agent), payload)).toEqual([
      {
        type: 'error',
        errorType: 'validation_error',
        code: 'invalid_request',
        source: 'platform',
        retryable: false,
        message: expect.any(String),
      },
    ]);
    expect(agent.contexts).toEqual([]);
  });

  it.each([
    [null, "The request must be a JSON object such as { type: 'trigger', triggerName }, got null."],
    [{ type: ['x'] }, "type must be 'trigger', 'continue', 'resume', 'open' or 'stop', got an array."],
    [
      { type: 'x'.repeat(200) },
      `type must be 'trigger', 'continue', 'resume', 'open' or 'stop', got '${'x'.repeat(80)}'.`,
    ],
    [
      { type: 'trigger', triggerName: 5 },
      'triggerName must be a non-empty string, got a value of type number.',
    ],
  ])('the refusal of a payload like %j names the problem', async (payload, message) => {
    expect(await run(createSession(createListAgent([stop])), payload)).toMatchObject([{ message }]);
  });

  it.each([
    { type: 'trigger', triggerName: 'go' },
    { type: 'trigger', triggerName: 'go', input: null },
  ])('null means no input, as in %j', async (payload) => {
    const agent = createListAgent([stop]);
    await run(createSession(agent), payload);
    expect(agent.contexts[0]?.trigger).toEqual({ name: 'go', input: {} });
  });

  it('null means no error in an answer, and no execution in a stop', async () => {
    const agent = createListAgent(calls('ask'), [stop]);
    const session = createSession(agent);
    const { executionId } = (await run(session, hello))[0] as { executionId: string };
    const toolResults = [{ toolCallId: 'ask-id', result: 1, error: null }];
    expect((await run(session, { type: 'continue', executionId, toolResults })).at(-1)).toMatchObject({
      type: 'finish',
    });
    expect(await run(session, { type: 'stop', executionId: null })).toEqual([]);
  });

  it('a session refuses a payload that is too deep for recursive readers', async () => {
    const session = createSession(createListAgent(calls('ask'), [stop]));
    const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    expect(await run(session, { ...hello, input: { deep: deep(100_000) } })).toEqual([
      expect.objectContaining({ code: 'invalid_request', message: expect.stringContaining('1000 levels') }),
    ]);
    const { executionId } = (await run(session, hello))[0] as { executionId: string };
    const answer = (result: unknown) =>
      run(session, { type: 'continue', executionId, toolResults: [{ toolCallId: 'ask-id', result }] });
    expect(await answer(deep(100_000))).toEqual([expect.objectContaining({ code: 'invalid_request' })]);
    // The continue was refused, so the call still waits for an answer.
    expect((await answer(deep(500))).at(-1)).toMatchObject({ finishReason: 'stop' });
  });
});

it('a session takes what the route has parsed of a body, and does not walk through the body again', () => {
  const body = { ...hello };
  const request = parseOnce(body);
  expect(takeParsed(body)).toBe(request);
  expect(takeParsed({ ...body })).not.toBe(request);
});

it('a body that a route has parsed cannot be changed, because the change would be ignored', () => {
  const body: Record<string, unknown> = { ...hello };
  parseOnce(body);
  expect(() => {
    body.input = {};
  }).toThrow(TypeError);
});

describe('a tool result', () => {
  const parse = (result: object) =>
    parseSessionRequest({
      type: 'continue',
      executionId: 'e',
      toolResults: [{ toolCallId: 'a' }, { toolCallId: 'b', ...result }],
    });
  const read = (result: object) => {
    const request = parse(result);
    return request.type === 'continue' ? request.toolResults[1] : request;
  };

  it.each(TOOL_OUTCOMES)('a tool result keeps the outcome %s and what the person said', (outcome) => {
    expect(read({ outcome, reason: 'Too late' })).toEqual({
      toolCallId: 'b',
      result: null,
      outcome,
      reason: 'Too late',
    });
  });

  it.each([['done'], [''], [7], [{}], [['submitted']]])('the outcome %j is refused', (outcome) => {
    expect(parse({ outcome, result: 1 })).toMatchObject({ type: 'error', code: 'invalid_request' });
  });

  it('the refusal of an outcome names it, its place and the words there are', () => {
    expect(parse({ outcome: 'done' })).toMatchObject({
      message:
        "toolResults[1].outcome must be one of submitted, declined, cancelled, timed-out, aborted, expired, superseded, failed, got 'done'.",
    });
  });

  it('a tool result without an outcome has none, and a reason that is no text is left out', () => {
    expect(read({ result: 1, outcome: null, reason: 5 })).toEqual({ toolCallId: 'b', result: 1 });
  });

  it.each([[''], [null]])('the error %j of a tool result counts as none', (error) => {
    expect(read({ result: 1, error, outcome: 'submitted' })).toEqual({
      toolCallId: 'b',
      result: 1,
      outcome: 'submitted',
    });
  });
});

describe('a request of another protocol', () => {
  it.each([
    ['the AI SDK', { id: 'c', messages: [], trigger: 'submit-message' }, '{ id, messages, trigger }'],
    ['AG-UI', { threadId: 't', runId: 'r', messages: [] }, '{ threadId, runId, messages }'],
  ])('of %s is refused with its name, its fields and the fix', (protocol, body, fields) => {
    const refused = parseSessionRequest(body) as { readonly message: string };
    expect(refused.message).toContain(`The request ${fields} looks like one of ${protocol}.`);
    expect(refused.message).toContain('Use createHttpTransport on the page');
  });

  it('of this protocol with a mistyped type is not taken for one of another', () => {
    const refused = parseSessionRequest({ type: 'triger', messages: [] }) as { readonly message: string };
    expect(refused.message).not.toContain('looks like');
  });
});
