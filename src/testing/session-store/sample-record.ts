import type { PendingToolCall } from '../../core/protocol/events.ts';
import type { CallRecord } from '../../server/store/call-record.ts';
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

/** The changes of a sample record. */
export interface SampleChange extends Partial<Omit<ExecutionRecord, 'open'>> {
  /** The calls that wait. Default: one of the tool `ask`. */
  readonly open?: readonly Omit<PendingToolCall, 'mayAnswer' | 'executedBy'>[];
  /** The ids of those that have an answer. */
  readonly given?: readonly string[];
  /** The result of the server tool in the same batch. Default 3. */
  readonly result?: unknown;
}

/** Returns a record whose execution waits for the answer to a call. Every field has a value that JSON carries. */
export function createSampleRecord(
  revision: number,
  content: string,
  { open, given = [], result = 3, ...execution }: SampleChange = {},
): SessionRecord {
  const input = { USER_MESSAGE: content };
  const asked = open ?? [{ toolCallId: 'ask-1', toolName: 'ask', args: { question: content } }];
  const { id: executionId = 'execution-1' } = execution;
  const place = { executionId, turnId: executionId };
  const calls = asked.map((call): CallRecord => {
    const base = { ...call, ...place, executedBy: 'client' } as const;
    return given.includes(call.toolCallId)
      ? { ...base, stage: 'answered', answer: { outcome: 'submitted', result: 1, at: 1_000 } }
      : { ...base, stage: 'asked' };
  });
  const added: CallRecord = {
    ...{ toolCallId: 'add-1', toolName: 'add', args: {}, ...place },
    ...{ executedBy: 'server', stage: 'ended', end: { result } },
  };
  const ids = calls.map(({ toolCallId }) => toolCallId);
  return {
    version: 2,
    revision,
    messages: [
      { role: 'user', trigger: 'user-message', input, content },
      { role: 'assistant', content: 'One moment', calls: [...ids, 'add-1'] },
    ],
    execution: {
      id: 'execution-1',
      messageId: 'message-1',
      trigger: { name: 'user-message', input },
      idempotencyKey: 'key-1',
      state: 'waiting',
      historyStart: 1,
      open: ids,
      ran: ['add-1'],
      lastAnswers: [],
      rounds: 1,
      usage: { inputTokens: 10, outputTokens: 5 },
      partial: null,
      answeredSeq: 0,
      requestStart: 1,
      lastSeq: 0,
      ending: { type: 'finish', finishReason: 'client-tool-calls', executionId: 'execution-1' },
      ...execution,
    },
    calls: Object.fromEntries([...calls, added].map((call) => [call.toolCallId, call])),
    receivedKeys: ['key-1'],
  };
}
