import { describe, expect, test } from 'vitest';
import type { ToolAnswer } from '../../../src/core/protocol/commands.ts';
import { encodeNativeCommand } from '../../../src/core/protocol/native-encode.ts';

const respond = (...answers: ToolAnswer[]) =>
  encodeNativeCommand({ type: 'respond', executionId: 'e', answers, serverToolResults: [], cursor: '7' });
const answer = (fields: Partial<ToolAnswer>): ToolAnswer => ({
  toolCallId: 'c',
  toolName: 't',
  outcome: 'submitted',
  echo: {},
  ...fields,
});

describe('encodeNativeCommand', () => {
  test.each([
    [{ type: 'trigger', triggerName: 'go' } as const, { type: 'trigger', triggerName: 'go' }],
    [
      { type: 'trigger', triggerName: 'go', input: { A: 1 } } as const,
      { type: 'trigger', triggerName: 'go', input: { A: 1 } },
    ],
    [
      { type: 'resume', executionId: 'e', cursor: '3' } as const,
      { type: 'resume', executionId: 'e', cursor: '3' },
    ],
    [{ type: 'stop' } as const, { type: 'stop' }],
    [{ type: 'stop', executionId: 'e' } as const, { type: 'stop', executionId: 'e' }],
    [{ type: 'stop', executionId: 'e', cursor: '1' } as const, { type: 'stop', executionId: 'e' }],
  ])('encodes %j', (command, payload) => {
    expect(encodeNativeCommand(command)).toStrictEqual(payload);
  });
});

describe('the answers of a respond command', () => {
  test('encodes server results first, then the answers in their order, with the fields that the call had', () => {
    const payload = encodeNativeCommand({
      type: 'respond',
      executionId: 'e',
      serverToolResults: [{ toolCallId: 's', result: 1 }],
      answers: [
        answer({
          toolCallId: 'a',
          result: { ok: true },
          echo: { outputVariable: 'V', blockIndex: 0, thread: 'x' },
        }),
        answer({ toolCallId: 'b', outcome: 'cancelled', error: 'User cancelled' }),
        answer({
          toolCallId: 'd',
          outcome: 'declined',
          result: { outcome: 'declined', reason: 'Too dear' },
          reason: 'Too dear',
        }),
      ],
    });
    expect(payload).toStrictEqual({
      type: 'continue',
      executionId: 'e',
      toolResults: [
        { toolCallId: 's', result: 1 },
        {
          outputVariable: 'V',
          blockIndex: 0,
          thread: 'x',
          toolCallId: 'a',
          toolName: 't',
          outcome: 'submitted',
          result: { ok: true },
        },
        { toolCallId: 'b', toolName: 't', outcome: 'cancelled', error: 'User cancelled' },
        {
          toolCallId: 'd',
          toolName: 't',
          outcome: 'declined',
          result: { outcome: 'declined', reason: 'Too dear' },
          reason: 'Too dear',
        },
      ],
    });
  });

  test.each([0, false, '', null])('encodes the result %j', (result) => {
    expect(respond(answer({ result }))).toMatchObject({ toolResults: [{ result }] });
  });

  test('encodes an undefined result as null', () => {
    expect(respond(answer({ result: undefined }))).toMatchObject({ toolResults: [{ result: null }] });
  });

  test('does not let fields of the call replace or contradict the answer', () => {
    const echo = {
      toolCallId: 'forged',
      toolName: 'forged',
      result: 'forged',
      error: 'forged',
      outcome: 'forged',
    };
    expect(
      respond(answer({ result: 1, echo }), answer({ outcome: 'failed', error: 'no', echo })),
    ).toStrictEqual({
      type: 'continue',
      executionId: 'e',
      toolResults: [
        { toolCallId: 'c', toolName: 't', outcome: 'submitted', result: 1 },
        { toolCallId: 'c', toolName: 't', outcome: 'failed', error: 'no' },
      ],
    });
  });
});
