/** Each kind of event creates or changes a certain part (the Octavus wire protocol 2.0, section 6). */
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import { createConversation } from '../../../src/core/state/conversation.ts';
import type { ToolCallPart, UIMessagePart } from '../../../src/core/state/message.ts';
import { reduceConversation } from '../../../src/core/state/reduce-conversation.ts';
import { createMessageSelector } from '../../../src/core/store/select-messages.ts';

const at = new Date(Date.UTC(2026, 0, 1));
const command = { type: 'trigger', triggerName: 'go' } as const;
const begun = reduceConversation(createConversation([]), {
  type: 'turn-started',
  messageId: 'id-1',
  at,
  command,
});

const stateAfter = (events: readonly AgentEvent[], state = begun) =>
  events.reduce((before, event) => reduceConversation(before, { type: 'event', event }), state);
const partsAfter = (...events: AgentEvent[]): readonly UIMessagePart[] =>
  createMessageSelector()(stateAfter(events))[0]?.parts ?? [];
const argsAfter = (...pieces: string[]) =>
  (
    partsAfter(
      { type: 'tool-input-start', toolCallId: 'c', toolName: 'x' },
      ...pieces.map(
        (inputTextDelta): AgentEvent => ({ type: 'tool-input-delta', toolCallId: 'c', inputTextDelta }),
      ),
    )[0] as ToolCallPart
  ).args;

describe('arguments while they arrive', () => {
  it.each([
    ['nothing yet', [], {}],
    ['an open object', ['{'], {}],
    ['a half-written key', ['{"ci'], {}],
    ['a half-written value', ['{"ci', 'ty":"Par'], { city: 'Par' }],
    ['nested', ['{"a":{"b":[1,', '2'], { a: { b: [1, 2] } }],
    ['a cut escape', ['{"a":"x\\u00'], { a: 'x' }],
    ['the whole', ['{"a":', '1}'], { a: 1 }],
    ['text that is no JSON', ['Sure! {"a":1}'], {}],
    ['an array', ['[1,2]'], { value: [1, 2] }],
    ['null', ['null'], {}],
  ])('arguments are parsed while they arrive: %s', (_, pieces, args) => {
    expect(argsAfter(...pieces)).toEqual(args);
  });

  it('a streamed key named __proto__ is an own key', () => {
    const args = argsAfter('{"__proto__":{"admin":true}}');
    expect(Object.keys(args)).toEqual(['__proto__']);
    expect((args as { admin?: unknown }).admin).toBeUndefined();
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  it('final arguments replace the streamed ones, and later deltas change nothing', () => {
    expect(
      partsAfter(
        { type: 'tool-input-start', toolCallId: 'c', toolName: 'x', title: 'Look up' },
        { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{"a":1' },
        { type: 'tool-input-end', toolCallId: 'c' },
        { type: 'tool-input-available', toolCallId: 'c', toolName: 'x', input: { a: 2 } },
        { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '9}' },
      ),
    ).toEqual([
      {
        type: 'tool-call',
        toolCallId: 'c',
        toolName: 'x',
        displayName: 'Look up',
        args: { a: 2 },
        status: 'running',
      },
    ]);
  });

  it('a retried continuation parses its arguments from the start', () => {
    const select = createMessageSelector();
    const delivered = reduceConversation(stateAfter([{ type: 'start', executionId: 'r' }]), {
      type: 'calls-delivered',
      keys: [],
    });
    const input = (inputTextDelta: string): AgentEvent[] => [
      { type: 'tool-input-start', toolCallId: 'c', toolName: 'x' },
      { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta },
    ];
    const cut = stateAfter(input('{"a":1'), delivered);
    select(cut);
    const failed = reduceConversation(cut, { type: 'turn-ended', ending: 'failed' });
    const retried = reduceConversation(failed, { type: 'turn-retried', fresh: undefined });
    select(retried);
    const again = stateAfter(input('{"b":22222'), retried);
    expect(select(again)[0]?.parts[0]).toMatchObject({ args: { b: 22222 } });
    expect(select(again)[0]?.parts[0]).not.toHaveProperty('args.a');
  });
});

describe('a request that the server restarted', () => {
  it('begins anew where the latest answers of the page found the message', () => {
    const before = stateAfter([
      { type: 'start', executionId: 'r', messageId: 'm' },
      { type: 'text-delta', id: '1', delta: 'One.' },
    ]);
    const delivered = reduceConversation(before, { type: 'calls-delivered', keys: [] });
    const cut = stateAfter([{ type: 'start' }, { type: 'text-delta', id: '2', delta: 'Tw' }], delivered);
    const again = stateAfter(
      [
        { type: 'start', restarted: true },
        { type: 'text-delta', id: '2', delta: 'Two.' },
      ],
      cut,
    );
    expect(createMessageSelector()(again)[0]?.parts).toMatchObject([{ text: 'One.' }, { text: 'Two.' }]);
  });

  it('opens no message again after the turn is over', () => {
    const over = reduceConversation(begun, { type: 'turn-ended', ending: 'finished' });
    const state = stateAfter([{ type: 'start', restarted: true }], over);
    expect(state.streamingMessage).toBeNull();
  });
});

describe('text and reasoning', () => {
  it('interleaved texts stay separate, also when text and reasoning share an id', () => {
    expect(
      partsAfter(
        { type: 'text-start', id: '1' },
        { type: 'reasoning-start', id: '1' },
        { type: 'text-start', id: '2' },
        { type: 'text-delta', id: '1', delta: 'a' },
        { type: 'reasoning-delta', id: '1', delta: 'r' },
        { type: 'text-delta', id: '2', delta: 'x' },
        { type: 'text-end', id: '1' },
        { type: 'text-delta', id: '2', delta: 'y' },
      ),
    ).toEqual([
      { type: 'text', text: 'a', status: 'done' },
      { type: 'reasoning', text: 'r', status: 'streaming' },
      { type: 'text', text: 'xy', status: 'streaming' },
    ]);
  });

  it('a text with a reused id starts a new part', () => {
    expect(
      partsAfter(
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'a' },
        { type: 'text-end', id: '1' },
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'b' },
      ),
    ).toMatchObject([{ text: 'a' }, { text: 'b' }]);
  });

  it('a text-end with the whole text replaces the deltas, and a repeated text-start changes nothing', () => {
    expect(
      partsAfter(
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'Helo' },
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: ' wrld' },
        { type: 'text-end', id: '1', text: 'Hello world' },
        { type: 'text-end', id: 'unknown', text: 'never begun' },
      ),
    ).toEqual([{ type: 'text', text: 'Hello world', status: 'done' }]);
  });

  it('a repeated reasoning-start before the end continues the same part', () => {
    expect(
      partsAfter(
        { type: 'reasoning-start', id: '1' },
        { type: 'reasoning-delta', id: '1', delta: 'Hm' },
        { type: 'reasoning-start', id: '1' },
        { type: 'reasoning-delta', id: '1', delta: 'm.' },
        { type: 'reasoning-end', id: '1' },
      ),
    ).toEqual([{ type: 'reasoning', text: 'Hmm.', status: 'done' }]);
  });

  it('a delta without a start event is shown', () => {
    expect(partsAfter({ type: 'text-delta', id: '1', delta: 'a' })).toMatchObject([{ text: 'a' }]);
  });
});

describe('structured output', () => {
  const object = (...deltas: string[]): AgentEvent[] => [
    { type: 'text-start', id: '1', responseType: 'Order' },
    ...deltas.map((delta): AgentEvent => ({ type: 'text-delta', id: '1', delta })),
  ];

  it('structured output shows the arrived part, then the whole', () => {
    expect(partsAfter(...object('{"size":"L","n":1'))).toEqual([
      { type: 'object', id: '1', typeName: 'Order', partial: { size: 'L', n: 1 }, status: 'streaming' },
    ]);
    expect(partsAfter(...object('{"size":"L"}'), { type: 'text-end', id: '1' })).toEqual([
      {
        type: 'object',
        id: '1',
        typeName: 'Order',
        partial: { size: 'L' },
        object: { size: 'L' },
        status: 'done',
      },
    ]);
  });

  it('structured output that does not parse at its end is an error and retains its partial value', () => {
    expect(partsAfter(...object('{"size":"L"'), { type: 'text-end', id: '1' })).toEqual([
      {
        type: 'object',
        id: '1',
        typeName: 'Order',
        partial: { size: 'L' },
        status: 'error',
        error: 'Failed to parse response as JSON',
      },
    ]);
  });
});

describe('blocks', () => {
  const block = (
    blockId: string,
    fields: Partial<Extract<AgentEvent, { type: 'block-start' }>> = {},
  ): AgentEvent => ({
    type: 'block-start',
    blockId,
    blockName: blockId,
    blockType: 'next-message',
    display: 'name',
    ...fields,
  });
  const say = (id: string): AgentEvent[] => [
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: id },
  ];
  const threads = (parts: readonly UIMessagePart[]) =>
    parts.map((part) => [part.type === 'text' ? part.text : part.type, part.thread]);

  it('a part in nested blocks belongs to the innermost open block, and after that to the outer one', () => {
    const parts = partsAfter(
      block('outer', { thread: 'a' }),
      ...say('1'),
      block('inner', { thread: 'b' }),
      ...say('2'),
      { type: 'block-end', blockId: 'inner' },
      ...say('3'),
      { type: 'block-end', blockId: 'outer' },
      ...say('4'),
    );
    expect(threads(parts)).toEqual([
      ['1', 'a'],
      ['2', 'b'],
      ['3', 'a'],
      ['4', undefined],
    ]);
  });

  it('ending the first of two parallel blocks leaves the second one open', () => {
    const parts = partsAfter(
      block('first', { thread: 'a' }),
      block('second', { thread: 'b' }),
      { type: 'block-end', blockId: 'first' },
      ...say('1'),
      { type: 'block-end', blockId: 'second' },
      ...say('2'),
    );
    expect(threads(parts)).toEqual([
      ['1', 'b'],
      ['2', undefined],
    ]);
  });

  it('the end of an unknown block ends no other block', () => {
    const parts = partsAfter(
      block('b', { thread: 'a' }),
      { type: 'block-end', blockId: 'gone' },
      ...say('1'),
    );
    expect(threads(parts)).toEqual([['1', 'a']]);
  });

  it('the thread main is left out of a part', () => {
    expect(partsAfter(block('b', { thread: 'main' }), ...say('1'))[0]).not.toHaveProperty('thread');
  });

  it('text of a block that does not write to the chat is hidden, unless it has a thread of its own', () => {
    expect(partsAfter(block('b', { outputToChat: false }), ...say('1'))).toEqual([]);
    expect(threads(partsAfter(block('b', { outputToChat: false, thread: 'side' }), ...say('1')))).toEqual([
      ['1', 'side'],
    ]);
  });

  it('hidden text without a start event stays hidden', () => {
    expect(
      partsAfter(block('b', { outputToChat: false }), { type: 'text-delta', id: '1', delta: 'secret' }),
    ).toEqual([]);
  });

  it('text that reuses the id of hidden text is shown after the end of its block', () => {
    expect(
      partsAfter(
        block('b', { outputToChat: false }),
        ...say('1'),
        { type: 'text-end', id: '1' },
        { type: 'block-end', blockId: 'b' },
        ...say('1'),
      ),
    ).toMatchObject([{ text: '1' }]);
  });

  it('an operation part has its description as name, and is done at its end', () => {
    const opened = block('op', { blockType: 'generate-image', description: 'Drawing a cat' });
    const part = {
      type: 'operation',
      operationId: 'op',
      name: 'Drawing a cat',
      operationType: 'generate-image',
    };
    expect(partsAfter(opened)).toEqual([{ ...part, status: 'running' }]);
    expect(partsAfter(opened, { type: 'block-end', blockId: 'op' })).toEqual([{ ...part, status: 'done' }]);
    expect(partsAfter(block('op', { blockType: 'set-resource' }))).toMatchObject([{ name: 'op' }]);
    expect(partsAfter(block('op', { blockType: 'set-resource', display: 'hidden' }))).toEqual([]);
    expect(partsAfter(block('op'))).toEqual([]);
  });
});

describe('the end of a turn', () => {
  const ended = (ending: 'finished' | 'stopped' | 'failed' | 'interrupted', ...events: AgentEvent[]) =>
    reduceConversation(stateAfter(events), { type: 'turn-ended', ending }).messages[0];

  it('the end of a turn leaves finished parts as they are', () => {
    const events: AgentEvent[] = [
      { type: 'text-start', id: 'o', responseType: 'Order' },
      { type: 'text-delta', id: 'o', delta: '{"size":"L"}' },
      { type: 'text-end', id: 'o' },
      { type: 'block-start', blockId: 'b', blockName: 'Save', blockType: 'set-resource', display: 'name' },
      { type: 'block-end', blockId: 'b' },
      { type: 'tool-input-available', toolCallId: 'c', toolName: 'x', input: {} },
      { type: 'tool-output-available', toolCallId: 'c', output: 1 },
    ];
    expect(ended('stopped', ...events)?.parts).toEqual(partsAfter(...events));
  });

  it('the end of a turn retains the arrived part of streamed arguments, and complete arguments whole', () => {
    const message = ended(
      'failed',
      { type: 'tool-input-start', toolCallId: 'c', toolName: 'x' },
      { type: 'tool-input-delta', toolCallId: 'c', inputTextDelta: '{"city":"Par' },
      { type: 'tool-input-available', toolCallId: 'd', toolName: 'x', input: { city: 'Rome' } },
    );
    expect(message?.parts).toMatchObject([
      { args: { city: 'Par' }, status: 'cancelled' },
      { args: { city: 'Rome' }, status: 'cancelled' },
    ]);
  });

  it.each([
    ['stopped', { ending: 'stopped' }],
    ['finished', {}],
    ['failed', {}],
    ['interrupted', {}],
  ] as const)(
    'a message of a turn with the ending %s records that ending only when a person stopped it',
    (ending, more) => {
      const message = ended(
        ending,
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', delta: 'Hi' },
      );
      expect(message).toEqual({
        id: 'id-1',
        role: 'assistant',
        parts: [{ type: 'text', text: 'Hi', status: 'done' }],
        status: 'done',
        createdAt: at,
        ...more,
      });
    },
  );
});

it('a call that the provider executes is shown as such, from its arguments to its result', () => {
  const call = { toolCallId: 'c', toolName: 'search', input: {}, providerExecuted: true };
  const shown: AgentEvent = { type: 'tool-input-available', ...call };
  const output: AgentEvent = { type: 'tool-output-available', toolCallId: 'c', output: [] };
  expect(partsAfter(shown)).toMatchObject([{ status: 'running', executedBy: 'provider' }]);
  expect(partsAfter(shown, output)).toMatchObject([{ status: 'done', executedBy: 'provider' }]);
});

describe('tools of the server', () => {
  const shown: AgentEvent = { type: 'tool-input-available', toolCallId: 'c', toolName: 'x', input: {} };

  it.each([
    [
      { type: 'tool-output-available', toolCallId: 'c', output: null },
      { status: 'done', result: null, executedBy: 'server' },
    ],
    [
      { type: 'tool-output-error', toolCallId: 'c', error: 'No' },
      { status: 'error', error: 'No', executedBy: 'server' },
    ],
  ] as const)('the event %j sets the part of the call', (output, part) => {
    expect(partsAfter(shown, output)).toMatchObject([part]);
    // The first output stays. Later outputs are ignored.
    expect(partsAfter(shown, output, { type: 'tool-output-available', toolCallId: 'c', output: 9 })).toEqual(
      partsAfter(shown, output),
    );
  });

  it('a tool output for an unknown call makes no part', () => {
    expect(partsAfter({ type: 'tool-output-available', toolCallId: 'c', output: 1 })).toEqual([]);
  });
});

describe('sources and files', () => {
  it('sources and files become parts with their own fields only', () => {
    expect(
      partsAfter(
        { type: 'source', sourceType: 'url', id: 's', url: 'https://a.example', cursor: 'p1' },
        {
          type: 'source',
          sourceType: 'document',
          id: 'd',
          mediaType: 'text/plain',
          title: 'T',
          filename: 'f',
        },
        {
          type: 'file-available',
          id: 'f',
          mediaType: 'image/png',
          url: 'https://b.example',
          size: 3,
          cursor: 'p2',
        },
      ),
    ).toEqual([
      { type: 'source', sourceType: 'url', id: 's', url: 'https://a.example' },
      { type: 'source', sourceType: 'document', id: 'd', mediaType: 'text/plain', title: 'T', filename: 'f' },
      { type: 'file', id: 'f', mediaType: 'image/png', url: 'https://b.example', size: 3 },
    ]);
  });
});

describe('notices and usage', () => {
  it('the last 100 notices are retained', () => {
    const notices = Array.from(
      { length: 103 },
      (_, index): AgentEvent => ({
        type: 'notice',
        code: String(index),
        text: 'x',
      }),
    );
    const kept = stateAfter(notices).notices;
    expect(kept).toHaveLength(100);
    expect(kept[0]).toEqual({ code: '3', text: 'x' });
  });

  it('a later usage replaces an earlier one, and a new turn starts without', () => {
    const spent = stateAfter([
      { type: 'usage', usage: { inputTokens: 1 } },
      { type: 'usage', usage: { outputTokens: 2 } },
    ]);
    expect(spent.usage).toEqual({ outputTokens: 2 });
    expect(
      reduceConversation(spent, { type: 'turn-started', messageId: 'id-2', at, command }).usage,
    ).toBeUndefined();
  });
});

describe('events of backends that change what they have sent', () => {
  const running: AgentEvent = { type: 'tool-input-available', toolCallId: 'c', toolName: 'x', input: {} };
  const output = (fields: object): AgentEvent => ({
    type: 'tool-output-available',
    toolCallId: 'c',
    output: 2,
    ...fields,
  });

  it('an object takes the place of the one with its id and type name', () => {
    const weather = (id: string, object: unknown): AgentEvent => ({
      type: 'object-available',
      id,
      typeName: 'weather',
      object,
    });
    expect(
      partsAfter(weather('a', 'loading'), weather('b', 'rain'), running, weather('a', 'sunny')),
    ).toMatchObject([
      { type: 'object', id: 'a', object: 'sunny', status: 'done' },
      { type: 'object', id: 'b', object: 'rain' },
      { type: 'tool-call' },
    ]);
  });

  it('a preliminary output is shown while the call runs, and the next output replaces it', () => {
    expect(partsAfter(running, output({ output: 1, preliminary: true }))).toMatchObject([
      { status: 'running', result: 1 },
    ]);
    expect(partsAfter(running, output({ output: 1, preliminary: true }), output({}))).toMatchObject([
      { status: 'done', result: 2 },
    ]);
    const failed: AgentEvent = { type: 'tool-output-error', toolCallId: 'c', error: 'Broken' };
    const [part] = partsAfter(running, output({ preliminary: true }), failed);
    expect(part).toMatchObject({ status: 'error', error: 'Broken' });
    expect(part).not.toHaveProperty('result');
  });

  it('a call that a policy did not allow is declined, with the reason', () => {
    const [part] = partsAfter(running, output({ outcome: 'declined', reason: 'limit' }));
    expect(part).toMatchObject({ status: 'done', outcome: 'declined', reason: 'limit' });
    expect(part).not.toHaveProperty('result');
  });

  it('the metadata of the message replaces what it had', () => {
    const named = (metadata: object): AgentEvent => ({ type: 'message-metadata', metadata });
    const state = stateAfter([named({ a: 1 }), named({ b: 2 }), running]);
    expect(createMessageSelector()(state)[0]?.metadata).toEqual({ b: 2 });
    const over = reduceConversation(state, { type: 'turn-ended', ending: 'finished' });
    expect(over.messages[0]?.metadata).toEqual({ b: 2 });
  });
});
