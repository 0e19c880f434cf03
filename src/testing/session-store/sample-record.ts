import type { ExecutionRecord, SessionRecord } from '../../server/store/session-store.ts';
import { defineOwn } from '../../shared/json.ts';

/** Returns values that stores of text, of JSON columns and of documents are known to change or to refuse. */
export function createEveryJsonValue(): Readonly<Record<string, unknown>> {
  const values = {
    text: 'é e\u0301 漢 😀 \u0000 \u001f \u2028 \r\n \\u0000 "quoted" \'single\' $1 %s',
    halvesOfEmoji: ['\ud83d', '\ude00', 'a\ud83d!'],
    numbers: [0, 0.1, -1.5e-7, 1e21, Number.MAX_SAFE_INTEGER],
    empty: [{}, [], '', null],
    flags: [true, false],
    '': 'a key without characters',
    'a.b $c \u0000': 'a key with special characters',
    deep: nest(64),
  };
  // An object literal would set the prototype.
  defineOwn(values, '__proto__', { own: true });
  return values;
}

function nest(depth: number): unknown {
  return depth === 0 ? 'bottom' : [nest(depth - 1)];
}

/** Returns a record whose execution waits for the answer to a call. Every field has a value that JSON carries. */
export function createSampleRecord(
  revision: number,
  content: string,
  execution: Partial<ExecutionRecord> = {},
): SessionRecord {
  const input = { USER_MESSAGE: content };
  const call = { toolCallId: 'ask-1', toolName: 'ask', args: { question: content } };
  return {
    revision,
    messages: [
      { role: 'user', trigger: 'user-message', input, content },
      { role: 'assistant', content: 'One moment', toolCalls: [call] },
    ],
    execution: {
      id: 'execution-1',
      messageId: 'message-1',
      trigger: { name: 'user-message', input },
      idempotencyKey: 'key-1',
      state: 'waiting',
      historyStart: 1,
      open: [call],
      ran: [{ toolCallId: 'add-1', toolName: 'add', result: 3 }],
      lastAnswers: [],
      answered: [],
      rounds: 1,
      usage: { inputTokens: 10, outputTokens: 5 },
      partial: null,
      answeredAt: 0,
      requestStart: 1,
      lastSeq: 0,
      ending: { type: 'finish', finishReason: 'client-tool-calls', executionId: 'execution-1' },
      ...execution,
    },
    receivedKeys: ['key-1'],
  };
}
