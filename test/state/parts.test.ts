/** Which part each kind of event makes or changes (the Octavus wire protocol 2.0, section 6). */
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/protocol/events.ts';
import { createConversation } from '../../src/state/conversation.ts';
import type { ToolCallPart, UIMessagePart } from '../../src/state/message.ts';
import { reduceConversation } from '../../src/state/reduce-conversation.ts';
import { createMessageSelector } from '../../src/store/select-messages.ts';

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

describe('O-17 arguments while they arrive', () => {
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
  ])('%s', (_, pieces, args) => {
    expect(argsAfter(...pieces)).toEqual(args);
  });

  it('a key named __proto__ is a key, and changes nothing else', () => {
    const args = argsAfter('{"__proto__":{"admin":true}}');
    expect(Object.keys(args)).toEqual(['__proto__']);
    expect((args as { admin?: unknown }).admin).toBeUndefined();
    expect(({} as { admin?: unknown }).admin).toBeUndefined();
  });

  it('final arguments replace what had arrived, and later deltas change nothing', () => {
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

  it('a retried continuation reads its arguments afresh', () => {
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

describe('O-18 text and reasoning', () => {
  it('interleaved streams stay apart, also when text and reasoning share an id', () => {
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

  it('an id used again starts a part of its own', () => {
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

  it('a text said whole at its end replaces what the deltas made, and an announcement repeated changes nothing', () => {
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

  it('reasoning announced again before it ended goes on, as text does', () => {
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

  it('a delta nobody announced is shown all the same', () => {
    expect(partsAfter({ type: 'text-delta', id: '1', delta: 'a' })).toMatchObject([{ text: 'a' }]);
  });
});

describe('structured output', () => {
  const object = (...deltas: string[]): AgentEvent[] => [
    { type: 'text-start', id: '1', responseType: 'Order' },
    ...deltas.map((delta): AgentEvent => ({ type: 'text-delta', id: '1', delta })),
  ];

  it('shows what has arrived, then the whole', () => {
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

  it('that does not parse at its end is an error and keeps its partial value', () => {
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

describe('O-49 blocks', () => {
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

  it('nested: each part belongs to the innermost open block, and after it to the outer one', () => {
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

  it('parallel: ending the first one leaves the second one open', () => {
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

  it('the end of a block nobody saw begin ends no other', () => {
    const parts = partsAfter(
      block('b', { thread: 'a' }),
      { type: 'block-end', blockId: 'gone' },
      ...say('1'),
    );
    expect(threads(parts)).toEqual([['1', 'a']]);
  });

  it('the thread main is left out', () => {
    expect(partsAfter(block('b', { thread: 'main' }), ...say('1'))[0]).not.toHaveProperty('thread');
  });

  it('text of a block that does not write to the chat is hidden, unless it has a thread of its own', () => {
    expect(partsAfter(block('b', { outputToChat: false }), ...say('1'))).toEqual([]);
    expect(threads(partsAfter(block('b', { outputToChat: false, thread: 'side' }), ...say('1')))).toEqual([
      ['1', 'side'],
    ]);
  });

  it('hidden text stays hidden when nobody announced it', () => {
    expect(
      partsAfter(block('b', { outputToChat: false }), { type: 'text-delta', id: '1', delta: 'secret' }),
    ).toEqual([]);
  });

  it('after its end, text of the same id is shown again', () => {
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

  it('an operation is named by its description, and done at its end', () => {
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

  it('leaves what was done as it is', () => {
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

  it('keeps of arguments in the middle what had arrived, and all of those that were complete', () => {
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
  ] as const)('%s: the message says so only when a person stopped it', (ending, more) => {
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
  });
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
  ] as const)('%j', (output, part) => {
    expect(partsAfter(shown, output)).toMatchObject([part]);
    // The first answer stays, whatever comes after it.
    expect(partsAfter(shown, output, { type: 'tool-output-available', toolCallId: 'c', output: 9 })).toEqual(
      partsAfter(shown, output),
    );
  });

  it('an answer to a call nobody saw makes no part', () => {
    expect(partsAfter({ type: 'tool-output-available', toolCallId: 'c', output: 1 })).toEqual([]);
  });
});

describe('sources and files', () => {
  it('become parts with their own fields only', () => {
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
  it('the last 100 notices are kept', () => {
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
