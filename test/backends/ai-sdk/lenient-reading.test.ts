/** Servers send more than the reference client accepts. The cases are those of the table "What a lenient client must tolerate". */
import { describe, expect, it } from 'vitest';
import { createAiSdkTransport } from '../../../src/backends/ai-sdk/create-ai-sdk-transport.ts';
import { type AgentChatOptions, createAgentChat } from '../../../src/core.ts';
import { settled } from '../../support/scripted-chat.ts';

type Chunk = { readonly type: string; readonly [key: string]: unknown };

const DONE = { type: '[DONE]' };
const hello: Chunk[] = [
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'Hello.' },
  { type: 'text-end', id: 't' },
];
const ask: Chunk = { type: 'tool-input-available', toolCallId: 'c', toolName: 'locate', input: {} };

function toResponse(chunks: readonly Chunk[]): Response {
  const frames = chunks.map((chunk) => `data: ${chunk === DONE ? '[DONE]' : JSON.stringify(chunk)}\n\n`);
  return new Response(frames.join(''), { headers: { 'content-type': 'text/event-stream' } });
}

/** Sends a message to a server that answers its requests with these responses, and waits until the chat rests. */
async function converse(
  responses: readonly (Response | readonly Chunk[])[],
  options: Partial<AgentChatOptions> = {},
) {
  const bodies: {
    readonly messages: readonly { readonly role: string; readonly parts: readonly Chunk[] }[];
  }[] = [];
  const notices: string[] = [];
  const send: typeof fetch = async (_, init) => {
    bodies.push(JSON.parse(String(init?.body)));
    const response = responses[bodies.length - 1] ?? [];
    return response instanceof Response ? response : toResponse(response);
  };
  const chat = createAgentChat({
    transport: createAiSdkTransport({ fetch: send }),
    onNotice: ({ code }) => notices.push(code),
    ...options,
  });
  await chat.sendMessage('Hi');
  await settled();
  const { messages, status, error } = chat.getState();
  const parts = messages.at(-1)?.role === 'assistant' ? (messages.at(-1)?.parts ?? []) : [];
  const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  return { chat, bodies, notices, parts, text, status, code: error?.code, messages };
}

describe('the end of a response', () => {
  it.each([
    ['[DONE] without finish', [...hello, DONE], { status: 'idle', text: 'Hello.' }],
    ['finish without [DONE]', [...hello, { type: 'finish' }], { status: 'idle', text: 'Hello.' }],
    ['neither finish nor [DONE]', hello, { status: 'error', code: 'stream_interrupted', text: 'Hello.' }],
    [
      'an error chunk after text',
      [...hello, { type: 'error', errorText: 'Full' }],
      { code: 'backend_error', text: 'Hello.' },
    ],
    [
      'finishReason error',
      [...hello, { type: 'finish', finishReason: 'error' }],
      { code: 'finish_error', text: 'Hello.' },
    ],
    [
      'an abort chunk',
      [...hello, { type: 'abort', reason: 'budget' }],
      { status: 'idle', notices: ['cancelled'] },
    ],
    ['chunks after finish', [{ type: 'finish' }, ...hello, DONE], { status: 'idle', text: 'Hello.' }],
  ])('a response that ends with %s is read as what it is', async (_, chunks, expected) => {
    expect(await converse([chunks])).toMatchObject(expected);
  });

  it('a replay brings every event of a chunk and of the end, also where one chunk makes several', async () => {
    const chunks = [
      ...[...hello, { type: 'data-weather', data: 'sunny' }, { type: 'data-price', id: 'p', data: 3 }],
      { ...ask, type: 'tool-input-error', toolCallId: 'd', errorText: 'Broken' },
      ...[ask, { type: 'finish', messageMetadata: { usage: { inputTokens: 3 } } }, DONE],
    ];
    let runs = 0;
    const responses = [toResponse(chunks.slice(0, 2)), toResponse(chunks), toResponse([DONE])];
    const chat = createAgentChat({
      transport: createAiSdkTransport({
        fetch: async () => responses.shift() ?? new Response(null, { status: 204 }),
        resume: true,
        reconnect: { initialDelayMs: 0, maxDelayMs: 0 },
      }),
      clientTools: { locate: () => ++runs },
    });
    await chat.sendMessage('Hi');
    expect(runs).toBe(1);
    expect(chat.getState().messages[1]?.parts).toMatchObject([
      { text: 'Hello.' },
      { type: 'object', typeName: 'weather', object: 'sunny' },
      { type: 'object', typeName: 'price', object: 3 },
      { toolCallId: 'd', status: 'error', error: 'Broken' },
      { toolCallId: 'c', status: 'done', result: 1 },
    ]);
    expect(chat.getState().usage).toEqual({ inputTokens: 3 });
  });

  it.each([
    ['complete', [...hello.slice(0, 2), DONE]],
    ['cut', hello.slice(0, 2)],
  ])('a text that is open when a response is %s is done', async (_, chunks) => {
    expect((await converse([chunks])).parts).toEqual([{ type: 'text', text: 'Hello.', status: 'done' }]);
  });

  it.each([['text/plain'], ['application/octet-stream'], [undefined]])(
    'an event stream that is declared as %s is read as what it is',
    async (type) => {
      const { body } = toResponse([...hello, DONE]);
      const response = new Response(body, type === undefined ? {} : { headers: { 'content-type': type } });
      expect(await converse([response])).toMatchObject({ status: 'idle', text: 'Hello.' });
    },
  );

  it.each([
    [
      'an empty body',
      new Response('', { headers: { 'content-type': 'text/event-stream' } }),
      'stream_interrupted',
    ],
    [
      'a page',
      new Response('<html></html>', { headers: { 'content-type': 'text/html' } }),
      'invalid_response',
    ],
  ])('%s is an error', async (_, response, code) => {
    expect(await converse([response])).toMatchObject({ status: 'error', code });
  });
});

describe('chunks that are unusual', () => {
  it.each([
    ['extra keys', [{ type: 'start', extra: 1 }, ...hello.map((chunk) => ({ ...chunk, extra: {} })), DONE]],
    [
      'null in optional keys',
      [
        { type: 'start', messageId: null },
        ...hello.map((chunk) => ({ ...chunk, providerMetadata: null })),
        DONE,
      ],
    ],
    ['a delta of a text that was not opened', [{ type: 'text-delta', id: 'x', delta: 'Hello.' }, DONE]],
    ['text before start', [...hello, { type: 'start', messageId: 'm' }, DONE]],
    ['two starts', [{ type: 'start', messageId: 'm' }, { type: 'start', messageId: 'n' }, ...hello, DONE]],
  ])('%s leaves one message with its text', async (_, chunks) => {
    const { text, status, messages } = await converse([chunks]);
    expect({ text, status, count: messages.length }).toEqual({ text: 'Hello.', status: 'idle', count: 2 });
  });

  it.each([
    ['an output', { type: 'tool-output-available', toolCallId: 'x', output: 1 }],
    ['a refusal', { type: 'tool-output-denied', toolCallId: 'x' }],
    ['an approval', { type: 'tool-approval-response', approvalId: 'x', approved: true }],
  ])('%s of an unknown call goes to onUnknownEvent, and the answer goes on', async (_, stray) => {
    const unknown: unknown[] = [];
    const onUnknownEvent = (event: unknown) => unknown.push(event);
    const notices: string[] = [];
    const onNotice = ({ code }: { code: string }) => notices.push(code);
    const { text, status, parts } = await converse([[stray, ...hello, DONE]], { onUnknownEvent, onNotice });
    expect({ text, status, count: parts.length }).toEqual({ text: 'Hello.', status: 'idle', count: 1 });
    expect(notices).toEqual(['unknown_call']);
    expect(unknown).toEqual([stray]);
  });

  it('a piece of a text that was not opened is a notice', async () => {
    const notices: string[] = [];
    const onNotice = ({ code }: { code: string }) => notices.push(code);
    const pieces = ['Hel', 'lo.'].map((delta) => ({ type: 'text-delta', id: 'x', delta }));
    const { text } = await converse([[...pieces, DONE]], { onNotice });
    expect({ text, notices }).toEqual({ text: 'Hello.', notices: ['unopened_text'] });
  });

  it('a message gets the id of a start that comes behind its text', async () => {
    const { messages } = await converse([[...hello, { type: 'start', messageId: 'm' }, DONE]]);
    expect(messages.map(({ id }) => id)).toEqual([expect.any(String), 'm']);
  });

  it.each(['{"__proto__":{"admin":true}}', '{"constructor":{"prototype":{"admin":true}}}'])(
    'the keys of %s are plain data',
    async (json) => {
      const input = JSON.parse(json);
      const { parts } = await converse([[{ ...ask, input, providerExecuted: true }, DONE]]);
      expect(parts).toMatchObject([{ type: 'tool-call', executedBy: 'provider' }]);
      expect(JSON.stringify(parts)).toContain(json);
      expect(({} as { admin?: boolean }).admin).toBeUndefined();
    },
  );

  it('a step that is reset leaves its texts and its data neither on the page nor in the history', async () => {
    const said = (id: string, delta: string): Chunk[] => [
      { type: 'text-start', id },
      { type: 'text-delta', id, delta },
      { type: 'text-end', id },
    ];
    const weather = { type: 'data-weather', id: 'w', data: 'sunny' };
    const { chat, text, parts, bodies } = await converse([
      [
        ...[{ type: 'start-step' }, ...said('z', 'First. '), { type: 'finish-step' }],
        ...[{ type: 'start-step' }, ...said('a', 'Ended. '), ...said('b', 'Half').slice(0, 2), weather],
        ...[{ type: 'reset-step' }, ...said('a', 'Again. '), ...said('b', 'Last.'), { type: 'finish-step' }],
        DONE,
      ],
      [...hello, DONE],
    ]);
    expect(text).toBe('First. Again. Last.');
    expect(parts.some(({ type }) => type === 'object')).toBe(false);
    await chat.sendMessage('Thanks');
    expect(bodies[1]?.messages[1]?.parts.flatMap(({ text: kept = [] }) => kept)).toEqual([
      'First. ',
      'Again. ',
      'Last.',
    ]);
  });

  it('a text that begins under the id of an ended one is another text', async () => {
    const { parts } = await converse([[...hello, ...hello, DONE]]);
    expect(parts).toMatchObject([
      { text: 'Hello.', status: 'done' },
      { text: 'Hello.', status: 'done' },
    ]);
  });

  it('files and documents are parts', async () => {
    const { parts } = await converse([
      [
        { type: 'file', url: 'https://example.com/a.png', mediaType: 'image/png' },
        { type: 'source-document', sourceId: 's', mediaType: 'application/pdf', title: 'Terms' },
        DONE,
      ],
    ]);
    expect(parts).toMatchObject([
      { type: 'file', url: 'https://example.com/a.png', mediaType: 'image/png' },
      { type: 'source', sourceType: 'document', id: 's', title: 'Terms' },
    ]);
  });

  it.each<Chunk>([
    { type: 'custom', kind: 'acme.thing' },
    { type: 'reasoning-file', url: 'https://example.com/a.png', mediaType: 'image/png' },
    { type: 'steering-message', id: 's', parts: [{ type: 'text', text: 'Hurry.' }] },
  ])('a chunk $type is a notice, and goes back with the history', async (chunk) => {
    const { chat, notices, text, bodies } = await converse([
      [chunk, ...hello, DONE],
      [...hello, DONE],
    ]);
    expect({ notices, text }).toEqual({ notices: [chunk.type], text: 'Hello.' });
    await chat.sendMessage('Again');
    expect(bodies[1]?.messages[1]?.parts[0]).toEqual(chunk);
  });

  it('token counts in the metadata of a message are its usage, and other metadata is none', async () => {
    const metadata = (messageMetadata: object) => ({ type: 'message-metadata', messageMetadata });
    const counted = metadata({ totalUsage: { inputTokens: 3, totalTokens: 5 } });
    const { chat } = await converse([[...hello, counted, metadata({ model: 'm' }), DONE]]);
    expect(chat.getState().usage).toEqual({ inputTokens: 3, totalTokens: 5 });
  });

  it('plain text as input is an argument called input', async () => {
    const start = { type: 'tool-input-start', toolCallId: 'c', toolName: 'run', inputEncoding: 'text' };
    const available = { type: 'tool-input-available', toolCallId: 'c', toolName: 'run', input: 'ls -l' };
    const output = { type: 'tool-output-available', toolCallId: 'c', output: 'a' };
    const { parts } = await converse([[start, available, output, DONE]]);
    expect(parts).toMatchObject([{ args: { input: 'ls -l' }, result: 'a' }]);
  });
});

describe('calls of the client', () => {
  it('a call that is announced twice runs once', async () => {
    let runs = 0;
    const { bodies, text } = await converse(
      [
        [ask, ask, DONE],
        [...hello, DONE],
      ],
      { clientTools: { locate: () => ++runs } },
    );
    expect({ runs, requests: bodies.length, text }).toEqual({ runs: 1, requests: 2, text: 'Hello.' });
  });

  it('what stands behind a call is shown while its handler waits', async () => {
    let answer = () => {};
    const waits = new Promise<void>((resolve) => {
      answer = resolve;
    });
    const send: typeof fetch = async (_, init) =>
      toResponse(String(init?.body).includes('output-available') ? [DONE] : [ask, ...hello, DONE]);
    const chat = createAgentChat({
      transport: createAiSdkTransport({ fetch: send }),
      clientTools: { locate: () => waits },
    });
    const sent = chat.sendMessage('Hi');
    await settled();
    expect(chat.getState().messages.at(-1)?.parts).toMatchObject([
      { status: 'running' },
      { text: 'Hello.', status: 'done' },
    ]);
    answer();
    await sent;
    expect(chat.getState().status).toBe('idle');
  });

  it('an answer that comes after the next message is refused', async () => {
    const { chat, bodies } = await converse(
      [
        [ask, DONE],
        [...hello, DONE],
      ],
      { clientTools: { locate: 'interactive' } },
    );
    const [late] = chat.getState().pendingCalls;
    await chat.sendMessage('Forget it', { whilePending: 'cancel' });
    expect(late?.submit('here')).toMatchObject({ settled: false, reason: 'already-settled' });
    await settled();
    expect(bodies).toHaveLength(2);
  });

  it('a response that ends with outputs of the server is not sent again', async () => {
    const output = { type: 'tool-output-available', toolCallId: 'c', output: 1 };
    const { bodies, status } = await converse([[{ type: 'start-step' }, ask, output, DONE]], {
      clientTools: { locate: () => 1 },
    });
    expect({ requests: bodies.length, status }).toEqual({ requests: 1, status: 'idle' });
  });

  it('a call id that comes again in a later turn is another call', async () => {
    let runs = 0;
    const { chat, bodies } = await converse(
      [
        [ask, DONE],
        [...hello, DONE],
        [ask, DONE],
        [...hello, DONE],
      ],
      { clientTools: { locate: () => ++runs } },
    );
    await chat.sendMessage('Again');
    expect({ runs, requests: bodies.length }).toEqual({ runs: 2, requests: 4 });
    const outputs = bodies[3]?.messages.flatMap(({ parts }) => parts.flatMap(({ output = [] }) => output));
    expect(outputs).toEqual([1, 2]);
  });

  it('an empty continuation ends the turn, and nothing is sent again', async () => {
    const { bodies, status } = await converse([[ask, DONE], [DONE]], { clientTools: { locate: () => 1 } });
    expect({ requests: bodies.length, status }).toEqual({ requests: 2, status: 'idle' });
  });

  it('a continuation under another id goes on in the same message', async () => {
    const { messages, chat, bodies } = await converse(
      [
        [{ type: 'start', messageId: 'm' }, ask, DONE],
        [{ type: 'start', messageId: 'n' }, ...hello, DONE],
        [...hello, DONE],
      ],
      { clientTools: { locate: () => 1 } },
    );
    expect(messages).toHaveLength(2);
    await chat.sendMessage('Thanks');
    expect(bodies[2]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('a call of the provider, and one that the server approved itself, are shown and not asked about', async () => {
    const automatic: Chunk[] = [
      { type: 'tool-input-available', toolCallId: 'a', toolName: 'read', input: {} },
      { type: 'tool-approval-request', toolCallId: 'a', approvalId: 'p', isAutomatic: true },
      { type: 'tool-approval-response', approvalId: 'p', approved: true, reason: 'harmless' },
      { type: 'tool-output-available', toolCallId: 'a', output: 1 },
    ];
    const { bodies, status, parts } = await converse([
      [{ ...ask, providerExecuted: true }, ...automatic, DONE],
    ]);
    expect({ requests: bodies.length, status }).toEqual({ requests: 1, status: 'idle' });
    expect(parts).toMatchObject([{ toolName: 'locate' }, { toolName: 'read', result: 1, status: 'done' }]);
  });

  it('every field of an approval goes back with the answer', async () => {
    const request = {
      type: 'tool-approval-request',
      toolCallId: 'c',
      approvalId: 'p',
      signature: 's',
      reason: 'Big sum',
    };
    const { chat, bodies } = await converse([
      [ask, { ...request, approvalDescriptor: { a: 1 } }, DONE],
      [...hello, DONE],
    ]);
    expect(chat.getState().pendingCalls[0]?.definition?.description).toBe('Big sum');
    chat.getState().pendingCalls[0]?.cancel();
    await settled();
    expect(bodies[1]?.messages.at(-1)?.parts.at(-1)).toMatchObject({
      state: 'approval-responded',
      approval: {
        id: 'p',
        signature: 's',
        requestReason: 'Big sum',
        descriptor: { a: 1 },
        approved: false,
        reason: 'User cancelled',
      },
    });
  });

  it('a stopped call is closed in the next request', async () => {
    const { chat, bodies } = await converse(
      [
        [...hello, ask, DONE],
        [...hello, DONE],
      ],
      { clientTools: { locate: 'interactive' } },
    );
    chat.stop();
    await chat.sendMessage('Again');
    expect(bodies[1]?.messages[1]?.parts.at(-1)).toMatchObject({
      type: 'tool-locate',
      state: 'output-error',
    });
  });

  it('a call that is answered at once is posted with its answer, and stands in the next history too', async () => {
    const { bodies, chat } = await converse([
      [ask, DONE],
      [...hello, DONE],
      [...hello, DONE],
    ]);
    const answered = { type: 'tool-locate', toolCallId: 'c', state: 'output-error' };
    expect(bodies[1]?.messages[1]?.parts).toMatchObject([answered]);
    await chat.sendMessage('Again');
    expect(bodies[2]?.messages[1]?.parts[0]).toMatchObject(answered);
  });

  it('a call that an aborted response leaves open is not run', async () => {
    let runs = 0;
    const { bodies, status } = await converse([[ask, { type: 'abort' }, DONE]], {
      clientTools: { locate: () => ++runs },
    });
    expect({ runs, requests: bodies.length, status }).toEqual({ runs: 0, requests: 1, status: 'idle' });
  });
});

describe('words of the protocol that are easily lost', () => {
  it.each([
    [
      'a reason of the response',
      { reason: 'limit' },
      { status: 'done', outcome: 'declined', reason: 'limit' },
    ],
    ['no reason', {}, { status: 'done', outcome: 'declined' }],
  ])('a no of the policy with %s is declined, and no failure', async (_, more, expected) => {
    const { parts, status } = await converse([
      [
        ask,
        { type: 'tool-approval-request', toolCallId: 'c', approvalId: 'p', isAutomatic: true },
        { type: 'tool-approval-response', approvalId: 'p', approved: false, ...more },
        { type: 'tool-output-denied', toolCallId: 'c' },
        DONE,
      ],
    ]);
    expect(parts).toMatchObject([expected]);
    expect(parts[0]).not.toHaveProperty('error');
    expect(status).toBe('idle');
  });

  it('metadata merges deeply, is on the message, and goes back', async () => {
    const { chat, bodies, messages } = await converse([
      [
        { type: 'start', messageMetadata: { deep: { x: 1 }, list: [1], model: 'm' } },
        ...hello,
        { type: 'message-metadata', messageMetadata: { deep: { y: 2 }, list: [2] } },
        { type: 'finish', messageMetadata: { model: null } },
        DONE,
      ],
      [...hello, DONE],
    ]);
    const metadata = { deep: { x: 1, y: 2 }, list: [2], model: null };
    expect(messages.at(-1)?.metadata).toEqual(metadata);
    await chat.sendMessage('Again');
    expect(bodies[1]?.messages[1]).toMatchObject({ metadata });
  });

  it('metadata with the keys of a prototype is plain data', async () => {
    const messageMetadata = JSON.parse('{"__proto__":{"admin":true},"a":{"constructor":{"b":1}}}');
    const { messages } = await converse([[{ type: 'start', messageMetadata }, ...hello, DONE]]);
    expect(Object.keys(messages.at(-1)?.metadata as object)).toEqual(['__proto__', 'a']);
    expect(({} as { admin?: boolean }).admin).toBeUndefined();
  });

  it.each([[null], [{ a: 1 }]])(
    'an inputSchemaInput of %j goes back with the approval',
    async (inputSchemaInput) => {
      const approval = { type: 'tool-approval-request', toolCallId: 'c', approvalId: 'p', inputSchemaInput };
      const { chat, bodies } = await converse([
        [ask, approval, DONE],
        [...hello, DONE],
      ]);
      chat.getState().pendingCalls[0]?.submit({ confirmed: true });
      await settled();
      expect(bodies[1]?.messages.at(-1)?.parts[0]).toMatchObject({
        approval: { inputSchemaInput, approved: true },
      });
    },
  );

  it.each<[string, Chunk]>([
    ['the id of its call', { type: 'tool-input-available', toolName: 'locate', input: {} }],
    ['the name of its tool', { type: 'tool-input-available', toolCallId: 'c', input: {} }],
    ['the id of its call', { type: 'tool-output-available', output: 1 }],
  ])('a chunk without %s is skipped and told', async (_, chunk) => {
    const unknown: unknown[] = [];
    const codes: string[] = [];
    const { text, parts } = await converse([[chunk, ...hello, DONE]], {
      onUnknownEvent: (event) => unknown.push(event),
      onNotice: ({ code }) => codes.push(code),
    });
    expect({ text, count: parts.length, codes, unknown }).toEqual({
      text: 'Hello.',
      count: 1,
      codes: ['invalid_chunk'],
      unknown: [chunk],
    });
  });
});

describe('a call id that comes again in the next step', () => {
  const step: Chunk = { type: 'start-step' };
  const output = (value: unknown): Chunk => ({
    type: 'tool-output-available',
    toolCallId: 'c',
    output: value,
  });
  const read = (input: object): Chunk => ({ ...ask, toolName: 'read', input });

  it('with other arguments is a call of its own', async () => {
    const seen: unknown[] = [];
    const { bodies, parts } = await converse(
      [
        [step, ask, DONE],
        [step, { ...ask, input: { near: true } }, DONE],
        [...hello, DONE],
      ],
      { clientTools: { locate: (args: unknown) => seen.push(args) } },
    );
    expect(seen).toEqual([{}, { near: true }]);
    expect(bodies[2]?.messages.at(-1)?.parts).toMatchObject([
      { type: 'step-start' },
      { toolCallId: 'c', output: 1 },
      { type: 'step-start' },
      { toolCallId: 'c', input: { near: true }, output: 2 },
    ]);
    expect(parts).toMatchObject([{ result: 1 }, { result: 2 }, { text: 'Hello.' }]);
  });

  it('with the same arguments and no answer gets the answer again, and nothing runs twice', async () => {
    let runs = 0;
    const codes: string[] = [];
    const { bodies, text, status } = await converse(
      [
        [step, ask, DONE],
        [step, ask, DONE],
        [...hello, DONE],
      ],
      { clientTools: { locate: () => ++runs }, onNotice: ({ code }) => codes.push(code) },
    );
    expect({ runs, text, status, codes }).toEqual({
      runs: 1,
      text: 'Hello.',
      status: 'idle',
      codes: ['repeated_call'],
    });
    expect(bodies[2]?.messages).toEqual(bodies[1]?.messages);
  });

  it('of the server is shown with its own output', async () => {
    const { parts, chat, bodies } = await converse([
      [step, read({ page: 1 }), output('one'), step, read({ page: 1 }), output('again'), ...hello, DONE],
      [...hello, DONE],
    ]);
    expect(parts).toMatchObject([{ result: 'one' }, { result: 'again' }, { text: 'Hello.' }]);
    await chat.sendMessage('Thanks');
    const outputs = bodies[1]?.messages[1]?.parts.flatMap(({ output: value = [] }) => value);
    expect(outputs).toEqual(['one', 'again']);
  });

  it('with an answer that somebody asks for without end stops at maxToolRounds', async () => {
    const { status, code } = await converse(Array<Chunk[]>(9).fill([step, ask, DONE]), {
      clientTools: { locate: () => 1 },
      maxToolRounds: 3,
    });
    expect({ status, code }).toEqual({ status: 'error', code: 'tool_rounds_exceeded' });
  });
});
