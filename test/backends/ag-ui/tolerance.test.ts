/** What AG-UI forbids or leaves open, and servers do all the same. */
import { describe, expect, it } from 'vitest';
import { createAgUiTransport } from '../../../src/backends/ag-ui/create-ag-ui-transport.ts';
import { type AgentChat, type AgentChatOptions, createAgentChat } from '../../../src/core.ts';
import { called, createRawAgent, ended, endedWith, gave, type RawEvent, said, started } from './raw-agent.ts';

function open(runs: readonly (readonly RawEvent[])[], options: Partial<AgentChatOptions> = {}) {
  const agent = createRawAgent(...runs);
  const notices: string[] = [];
  const unknown: unknown[] = [];
  const chat = createAgentChat({
    transport: createAgUiTransport({ url: '/agent', fetch: agent.fetch, state: { count: 1 } }),
    onNotice: ({ code }) => notices.push(code),
    onUnknownEvent: (event) => unknown.push(event),
    ...options,
  });
  return { chat, inputs: agent.inputs, notices, unknown };
}

const partsOf = (chat: AgentChat) => chat.getState().messages.at(-1)?.parts ?? [];
const textOf = (chat: AgentChat) => partsOf(chat).flatMap((part) => (part.type === 'text' ? part.text : []));
const ok = [started, ...said('ok', 'Well.'), ended];

describe('a run of AG-UI', () => {
  it.each([
    ['nothing', {}, { state: {}, forwardedProps: {} }],
    ['null', { state: null, forwardedProps: () => undefined as never }, { state: {}, forwardedProps: {} }],
    ['values', { state: 0, forwardedProps: { a: 1 } }, { state: 0, forwardedProps: { a: 1 } }],
  ])(
    'of an app that gives %s has a state and forwardedProps, which servers of Python want',
    async (...given) => {
      const [, options, posted] = given;
      const agent = createRawAgent(ok);
      const transport = createAgUiTransport({ url: '/agent', fetch: agent.fetch, ...options });
      await createAgentChat({ transport }).sendMessage('Hi');
      expect(agent.inputs[0]).toMatchObject(posted);
    },
  );

  it('a run without its start is opened by its first event', async () => {
    const { chat } = open([[...said('m', 'Hello.'), ended]]);
    await chat.sendMessage('Hi');
    expect(textOf(chat)).toEqual(['Hello.']);
    expect(chat.getState().status).toBe('idle');
  });

  it('a text that is open at the end of the run is closed', async () => {
    const { chat, notices } = open([[started, ...said('m', 'Hello.').slice(0, 2), ended]]);
    await chat.sendMessage('Hi');
    expect(partsOf(chat)).toMatchObject([{ type: 'text', text: 'Hello.', status: 'done' }]);
    expect(notices).toEqual(['unclosed_message']);
  });

  it('a chunk with a new id ends the message before it', async () => {
    const chunk = (messageId: string, delta: string) => ({ type: 'TEXT_MESSAGE_CHUNK', messageId, delta });
    const { chat, notices } = open([[started, chunk('m1', 'One.'), chunk('m2', 'Two.'), ended]]);
    await chat.sendMessage('Hi');
    expect(textOf(chat)).toEqual(['One.', 'Two.']);
    expect(notices).toEqual([]);
  });

  it('a run that goes on behind its end is read to its last end, and its usage is summed', async () => {
    const usage = [{ model: 'a', inputTokens: 1, outputTokens: 2 }];
    const { chat } = open([
      [
        started,
        ...called('c1', 'lookup'),
        { ...ended, usage },
        gave('c1', '{"price":3}'),
        ...said('m', 'It costs 3.'),
        { ...ended, usage: [...usage, { model: 'b', outputTokens: 3, cachedInputTokens: 4 }] },
      ],
    ]);
    await chat.sendMessage('Hi');
    expect(partsOf(chat)).toMatchObject([{ result: { price: 3 } }, { text: 'It costs 3.' }]);
    expect(chat.getState().usage).toEqual({ inputTokens: 2, outputTokens: 7, cachedInputTokens: 4 });
  });

  it('an error behind the end of a run is the end of the turn', async () => {
    const { chat } = open([[started, ...said('m', 'Hello.'), ended, { type: 'RUN_ERROR', message: 'Late' }]]);
    await chat.sendMessage('Hi');
    expect(chat.getState().error?.message).toBe('Late');
  });

  it('a cancelled run ends its turn, and leaves no call open', async () => {
    const locate = () => 'here';
    const { chat, inputs } = open(
      [[started, ...called('c1', 'locate'), endedWith({ type: 'cancelled' })], ok],
      {
        clientTools: { locate },
      },
    );
    await chat.sendMessage('Hi');
    expect(chat.getState().status).toBe('idle');
    expect(inputs).toHaveLength(1);
    await chat.sendMessage('Again');
    expect(inputs[1]?.messages).toMatchObject([
      {},
      { toolCalls: [{ id: 'c1' }] },
      { role: 'tool', toolCallId: 'c1', error: expect.any(String) },
      { role: 'user' },
    ]);
  });

  it('several runs in one response are one turn', async () => {
    const { chat, inputs } = open([
      [started, ...said('m1', 'One.'), ended, { ...started, runId: 'r2' }, ...said('m2', 'Two.'), ended],
      ok,
    ]);
    await chat.sendMessage('Hi');
    expect(textOf(chat)).toEqual(['One.', 'Two.']);
    await chat.sendMessage('Again');
    expect(inputs[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant', 'user']);
  });

  it('an outcome of an unknown type ends the run with a notice', async () => {
    const { chat, notices } = open([[started, ...said('m', 'Hello.'), endedWith({ type: 'paused' })]]);
    await chat.sendMessage('Hi');
    expect(chat.getState().status).toBe('idle');
    expect(notices).toEqual(['unknown_outcome']);
  });

  it('a call of a tool that the page did not name is left to the agent, with a notice', async () => {
    const { chat, inputs, notices } = open([[started, ...called('c1', 'lookup'), ended]]);
    await chat.sendMessage('Hi');
    expect(chat.getState().status).toBe('idle');
    expect(inputs).toHaveLength(1);
    expect(notices).toEqual(['unanswered_call']);
  });

  it('null in optional keys is taken as absent', async () => {
    const { chat } = open([
      [
        { ...started, parentRunId: null, rawEvent: null },
        { type: 'TOOL_CALL_START', toolCallId: 'c1', toolCallName: 'lookup', parentMessageId: null },
        { type: 'TOOL_CALL_END', toolCallId: 'c1' },
        gave('c1', 'yes'),
        { ...ended, outcome: null, result: null },
      ],
      ok,
    ]);
    await chat.sendMessage('Hi');
    expect(partsOf(chat)).toMatchObject([{ args: {}, result: 'yes' }]);
  });

  it('events that the engine has no word for go to onUnknownEvent, and the run goes on', async () => {
    const custom = { type: 'CUSTOM', name: 'ping', value: 1 };
    const raw = { type: 'RAW', event: { a: 1 } };
    const { chat, unknown } = open([
      [started, custom, raw, { type: 'ACTIVITY_IN_2' }, ...said('m', 'Hello.'), ended],
    ]);
    await chat.sendMessage('Hi');
    expect(unknown).toEqual([custom, raw, { type: 'ACTIVITY_IN_2' }]);
    expect(textOf(chat)).toEqual(['Hello.']);
  });
});

describe('the state of a thread', () => {
  it.each([
    [
      'fails in its second step',
      [
        { op: 'replace', path: '/count', value: 2 },
        { op: 'remove', path: '/none' },
      ],
    ],
    ['goes through __proto__', [{ op: 'add', path: '/__proto__/polluted', value: 1 }]],
    ['is no list', { op: 'replace' }],
  ])('a patch that %s changes nothing', async (_, delta) => {
    const { chat, inputs } = open([
      [started, { type: 'STATE_DELTA', delta }, ...said('m', 'Hello.'), ended],
      ok,
    ]);
    await chat.sendMessage('Hi');
    await chat.sendMessage('Again');
    expect(inputs[1]?.state).toEqual({ count: 1 });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('the messages of a thread', () => {
  const threadOf = async (...events: readonly RawEvent[]) => {
    const { chat, inputs } = open([[started, ...events, ended], ok]);
    await chat.sendMessage('Hi');
    await chat.sendMessage('Again');
    return { messages: inputs[1]?.messages.slice(1, -1) ?? [], chat };
  };

  it('a result under the id of another message gets an id of its own', async () => {
    const { messages } = await threadOf(...called('c1', 'lookup'), gave('c1', '3', 'm-c1'));
    expect(messages).toMatchObject([
      { id: 'm-c1', toolCalls: [{ id: 'c1' }] },
      { role: 'tool', content: '3' },
    ]);
    expect(new Set(messages.map(({ id }) => id)).size).toBe(2);
  });

  it('the calls of one message stay in that message, with their results behind it', async () => {
    const one = called('c1', 'lookup').map((event) => ({ ...event, parentMessageId: 'm' }));
    const two = called('c2', 'stock').map((event) => ({ ...event, parentMessageId: 'm' }));
    const { messages } = await threadOf(
      ...said('m', 'Hm.'),
      ...one,
      ...two,
      gave('c1', '1'),
      gave('c2', '2'),
    );
    expect(messages).toMatchObject([
      { id: 'm', content: 'Hm.', toolCalls: [{ id: 'c1' }, { id: 'c2' }] },
      { role: 'tool', toolCallId: 'c1' },
      { role: 'tool', toolCallId: 'c2' },
    ]);
  });

  it.each([
    ['in a message of its own', (turn: number) => `m${turn}`],
    ['without a message', () => undefined],
  ])('a call id that comes again in a later turn, %s, is another call', async (_, toMessageId) => {
    const asks = (turn: number): RawEvent[] => [
      started,
      ...called('c1', 'locate').map((event) => ({ ...event, parentMessageId: toMessageId(turn) })),
      ended,
    ];
    let runs = 0;
    const { chat, inputs } = open([asks(1), ok, asks(2), ok], { clientTools: { locate: () => ++runs } });
    await chat.sendMessage('Hi');
    await chat.sendMessage('Again');
    expect(runs).toBe(2);
    expect(inputs).toHaveLength(4);
    const thread = inputs[3]?.messages ?? [];
    expect(thread).toMatchObject([
      { role: 'user' },
      { role: 'assistant', toolCalls: [{ id: 'c1' }] },
      { role: 'tool', toolCallId: 'c1', content: '1' },
      { role: 'assistant', content: 'Well.' },
      { role: 'user' },
      { role: 'assistant', toolCalls: [{ id: 'c1' }] },
      { role: 'tool', toolCallId: 'c1', content: '2' },
    ]);
    expect(new Set(thread.map(({ id }) => id)).size).toBe(thread.length);
  });

  it('a call whose result came before it is not run', async () => {
    let runs = 0;
    const { chat, inputs } = open([[started, gave('c1', '3'), ...called('c1', 'locate'), ended]], {
      clientTools: { locate: () => ++runs },
    });
    await chat.sendMessage('Hi');
    expect({ runs, inputs: inputs.length, status: chat.getState().status }).toEqual({
      runs: 0,
      inputs: 1,
      status: 'idle',
    });
  });

  it('a call id that comes again is closed in each turn that leaves it open', async () => {
    const asks = (messageId: string) => [
      started,
      ...called('c1', 'lookup').map((event) => ({ ...event, parentMessageId: messageId })),
    ];
    const { chat, inputs } = open([[...asks('m1'), gave('c1', '3'), ended], [...asks('m2'), ended], ok]);
    await chat.sendMessage('Hi');
    await chat.sendMessage('Again');
    await chat.sendMessage('Thanks');
    expect(inputs[2]?.messages.filter(({ role }) => role === 'tool')).toMatchObject([
      { toolCallId: 'c1', content: '3' },
      { toolCallId: 'c1', error: expect.any(String) },
    ]);
  });

  it('results stand behind their call, wherever they arrived', async () => {
    const calls = [...called('c1', 'lookup'), ...called('c2', 'lookup')];
    const { messages } = await threadOf(...calls, ...said('m', 'Hm.'), gave('c2', '2'), gave('c1', '1'));
    expect(messages.map(({ id }) => id)).toEqual(['m-c1', 'r-c1', 'm-c2', 'r-c2', 'm']);
  });

  it('reasoning that a snapshot lacks is kept, and replaced by a snapshot that has reasoning', async () => {
    const reasoning = [
      { type: 'REASONING_MESSAGE_START', messageId: 'why', role: 'reasoning' },
      { type: 'REASONING_MESSAGE_CONTENT', messageId: 'why', delta: 'Hm.' },
      { type: 'REASONING_MESSAGE_END', messageId: 'why' },
    ];
    const user = { id: 'u', role: 'user', content: 'Hi' };
    const before = { id: 'a', role: 'assistant', content: 'Welcome.' };
    const answer = { id: 'm', role: 'assistant', content: 'Hello.' };
    const snapshot = (...messages: object[]) => ({ type: 'MESSAGES_SNAPSHOT', messages });
    const kept = await threadOf(...reasoning, ...said('m', 'Hello.'), snapshot(before, user, answer));
    expect(kept.messages.map(({ id }) => id)).toEqual(['u', 'why', 'm']);
    const replaced = await threadOf(
      ...reasoning,
      ...said('m', 'Hello.'),
      snapshot(user, { id: 'w2', role: 'reasoning', content: 'So.' }, answer),
    );
    expect(replaced.messages.map(({ id }) => id)).toEqual(['w2', 'm']);
  });

  it('the input that a run repeats adds only what is unknown', async () => {
    const { messages } = await threadOf(
      {
        ...started,
        input: {
          threadId: 't',
          runId: 'r',
          messages: [{ id: 'note', role: 'system', content: 'Be brief.' }],
        },
      },
      ...said('m', 'Hello.'),
    );
    expect(messages.map(({ id }) => id)).toEqual(['note', 'm']);
  });

  it('metadata, the name and the subagent of a message go back with it', async () => {
    const { messages } = await threadOf(
      { type: 'SUBAGENT_STARTED', subagentRunId: 's', name: 'Researcher' },
      {
        type: 'TEXT_MESSAGE_START',
        messageId: 'm',
        role: 'assistant',
        subagentRunId: 's',
        name: 'Ada',
        metadata: { a: 1 },
      },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Found.', subagentRunId: 's' },
      { type: 'TEXT_MESSAGE_END', messageId: 'm', subagentRunId: 's' },
      { type: 'SUBAGENT_FINISHED', subagentRunId: 's' },
    );
    expect(messages).toMatchObject([{ id: 'm', subagentRunId: 's', name: 'Ada', metadata: { a: 1 } }]);
  });

  it('chunks of two subagents are told apart', async () => {
    const chunk = (subagentRunId: string, delta: string, messageId?: string) => ({
      type: 'TEXT_MESSAGE_CHUNK',
      subagentRunId,
      delta,
      ...(messageId && { messageId }),
    });
    const { messages } = await threadOf(
      chunk('a', 'One', 'm1'),
      chunk('b', 'Two', 'm2'),
      chunk('a', ' more'),
      chunk('b', ' less'),
    );
    expect(messages).toMatchObject([
      { id: 'm1', content: 'One more' },
      { id: 'm2', content: 'Two less' },
    ]);
  });
});
