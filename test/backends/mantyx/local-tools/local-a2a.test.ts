import { type Part, TaskState } from '@a2a-js/sdk';
import { afterEach, describe, expect, test } from 'vitest';
import { localA2a } from '../../../../src/backends/mantyx/local-tools/local-a2a.ts';
import type { LocalToolCall } from '../../../../src/backends/mantyx/local-tools/local-tool-source.ts';
import {
  type A2aPeer,
  type A2aReply,
  agentMessage,
  startA2aPeer,
  textPart,
} from '../../../support/a2a-peer.ts';

const peers: A2aPeer[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.close();
});

async function start(reply: A2aReply, version?: '1.0' | '0.3') {
  const peer = await startA2aPeer(reply, version);
  peers.push(peer);
  return peer;
}

const { signal } = new AbortController();
const ask = (message: unknown): LocalToolCall => ({ toolUseId: 'tu_1', name: 'hr', args: { message } });
const echo: A2aReply = (context) => {
  const [part] = context.userMessage.parts;
  return agentMessage(
    context,
    `You asked: ${part?.content?.value}`,
    `under ${context.userMessage.messageId}`,
  );
};

describe.each(['1.0', '0.3'] as const)('an agent of A2A %s', (version) => {
  test('localA2a sends the card verbatim and returns the answer of the agent', async () => {
    const peer = await start(echo, version);
    const hr = localA2a({ name: 'hr', description: 'Leave', agentCard: peer.cardUrl });
    expect(await hr.resolve(signal)).toEqual({
      kind: 'a2a_local',
      name: 'hr',
      description: 'Leave',
      agentCard: peer.card,
    });
    expect(await hr.dispatch(ask('How many days?'), signal)).toEqual({
      result: 'You asked: How many days?\nunder tu_1',
    });
    expect(JSON.parse(peer.requests.at(-1)?.body ?? '').method).toBe(
      version === '1.0' ? 'SendMessage' : 'message/send',
    );
  });

  test.each([
    [TaskState.TASK_STATE_COMPLETED, undefined, { result: 'the artifact' }],
    [TaskState.TASK_STATE_COMPLETED, 'the status', { result: 'the status' }],
    [TaskState.TASK_STATE_INPUT_REQUIRED, 'Which year?', { result: 'Which year?' }],
    [
      TaskState.TASK_STATE_AUTH_REQUIRED,
      'Sign in at https://hr.test',
      { result: 'Sign in at https://hr.test' },
    ],
    [
      TaskState.TASK_STATE_AUTH_REQUIRED,
      undefined,
      { error: 'The agent requires a login and did not say which. Ask the user to sign in to it.' },
    ],
    [TaskState.TASK_STATE_FAILED, 'No access', { error: 'No access' }],
    [TaskState.TASK_STATE_REJECTED, undefined, { error: 'The agent could not do it.' }],
  ])('localA2a reads a task in state %s with the text %s', async (state, says, answer) => {
    const peer = await start(
      (context) => ({
        id: context.taskId,
        contextId: context.contextId,
        status: {
          state,
          message: says === undefined ? undefined : agentMessage(context, says),
          timestamp: undefined,
        },
        artifacts: ['the oldest', 'an older one', 'the artifact'].map((text) => ({
          artifactId: text,
          name: '',
          description: '',
          parts: [textPart(text)],
          metadata: undefined,
          extensions: [],
        })),
        history: [],
        metadata: undefined,
      }),
      version,
    );
    const hr = localA2a({ name: 'hr', agentCard: peer.cardUrl });
    expect(await hr.dispatch(ask('Go'), signal)).toEqual(answer);
  });
});

test.each([
  [TaskState.TASK_STATE_COMPLETED, { result: '' }],
  [TaskState.TASK_STATE_INPUT_REQUIRED, { error: 'The agent requires more input and did not say which.' }],
  [TaskState.TASK_STATE_WORKING, { error: 'The agent has not finished and gave no text.' }],
])('localA2a reads a task in state %s that has no text at all', async (state, answer) => {
  const peer = await start(({ taskId, contextId }) => ({
    id: taskId,
    contextId,
    status: { state, message: undefined, timestamp: undefined },
    artifacts: [],
    history: [],
    metadata: undefined,
  }));
  const hr = localA2a({ name: 'hr', agentCard: peer.cardUrl });
  expect(await hr.dispatch(ask('Go'), signal)).toEqual(answer);
});

test('localA2a reads data and URLs as text and leaves out a file beside text', async () => {
  const contents: Part['content'][] = [
    { $case: 'data', value: { days: 5 } },
    { $case: 'url', value: 'https://hr.test/leave.pdf' },
    { $case: 'raw', value: Buffer.from('%PDF') },
    undefined,
  ];
  const peer = await start((context) => ({
    ...agentMessage(context),
    parts: contents.map((content) => ({ ...textPart(''), content })),
  }));
  const hr = localA2a({ name: 'hr', agentCard: peer.cardUrl });
  expect(await hr.dispatch(ask('Go'), signal)).toEqual({ result: '{"days":5}\nhttps://hr.test/leave.pdf' });
});

test('localA2a names the media type of a file without text', async () => {
  const pdf: Part['content'] = { $case: 'raw', value: Buffer.from('%PDF') };
  const peer = await start((context) => ({
    ...agentMessage(context),
    parts: ['application/pdf', ''].map((mediaType) => ({ ...textPart(''), content: pdf, mediaType })),
  }));
  const hr = localA2a({ name: 'hr', agentCard: peer.cardUrl });
  expect(await hr.dispatch(ask('Go'), signal)).toEqual({ result: '[application/pdf]\n[file]' });
});

test('localA2a fetches the card once for all callers, and again after a failure', async () => {
  const peer = await start(echo);
  let attempts = 0;
  const hr = localA2a({
    name: 'hr',
    agentCard: peer.cardUrl,
    fetch: async (input, init) => {
      attempts += 1;
      return attempts === 1 ? new Response('', { status: 503 }) : fetch(input, init);
    },
  });
  await expect(hr.resolve(signal)).rejects.toMatchObject({
    code: 'connection_failed',
    message: `The A2A agent hr could not be asked what it offers: ${peer.cardUrl} answered with status 503`,
  });
  await Promise.all([hr.resolve(signal), hr.resolve(signal), hr.dispatch(ask('Go'), signal)]);
  expect(peer.requests.map(({ method }) => method)).toEqual(['GET', 'POST']);
});

test('a caller that aborts does not abort the fetch of the card for others', async () => {
  const peer = await start(echo);
  const hr = localA2a({ name: 'hr', agentCard: peer.cardUrl });
  const gone = new AbortController();
  const first = hr.resolve(gone.signal);
  const second = hr.resolve(signal);
  gone.abort(new Error('not any more'));
  await expect(first).rejects.toThrow('not any more');
  expect((await second).name).toBe('hr');
});

test('localA2a calls the headers function for every request to the agent', async () => {
  const peer = await start(echo);
  let token = 0;
  const headers = () => {
    token += 1;
    return { authorization: `Bearer ${token}` };
  };
  const hr = localA2a({ name: 'hr', agentCard: peer.cardUrl, headers });
  await hr.dispatch(ask('Go'), signal);
  expect(peer.requests.map((request) => request.headers.get('authorization'))).toEqual([
    'Bearer 1',
    'Bearer 2',
  ]);
});

test('localA2a takes the card as an object or from a function without a request', async () => {
  const peer = await start(echo);
  for (const agentCard of [peer.card, () => Promise.resolve(peer.card)]) {
    const hr = localA2a({ name: 'hr', agentCard });
    expect(await hr.resolve(signal)).toMatchObject({ agentCard: peer.card });
    expect(await hr.dispatch(ask('Go'), signal)).toHaveProperty('result');
  }
  expect(peer.requests.map(({ method }) => method)).toEqual(['POST', 'POST']);
});

test('localA2a handles calls by the URL of their card, or by name without one', async () => {
  const hr = localA2a({ name: 'hr', agentCard: { url: 'https://hr.test/a2a' } });
  const call = ask('Go');
  expect(hr.handles({ ...call, name: 'other', agentCard: { url: 'https://hr.test/a2a' } })).toBe(true);
  expect(hr.handles({ ...call, agentCard: { url: 'https://it.test/a2a' } })).toBe(false);
  expect(hr.handles({ ...call, agentCard: { supportedInterfaces: [{ url: 'https://hr.test/a2a' }] } })).toBe(
    true,
  );
  expect(hr.handles(call)).toBe(true);
  const unasked = localA2a({ name: 'hr', agentCard: 'https://hr.test/card.json' });
  expect(unasked.handles({ ...call, agentCard: { url: 'https://hr.test/a2a' } })).toBe(true);
  expect(unasked.handles({ ...call, name: 'it' })).toBe(false);
});

test('localA2a rejects when the agent cannot be reached, and ends at once when the call is aborted', async () => {
  const { card } = await start(echo);
  const away = localA2a({
    name: 'hr',
    agentCard: card,
    fetch: () => Promise.reject(new TypeError('No route')),
  });
  await expect(away.dispatch(ask('Go'), signal)).rejects.toThrow('No route');
  const abort = new AbortController();
  const peer = await start(() => {
    abort.abort();
    return new Promise<never>(() => {});
  });
  const slow = localA2a({ name: 'hr', agentCard: peer.cardUrl });
  await expect(slow.dispatch(ask('Go'), abort.signal)).rejects.toThrow('aborted');
});

test.each([
  ['a card without a URL', { name: 'HR' }, 'The agent card says nowhere to call.'],
  [
    'a card with an invalid URL',
    { supportedInterfaces: [{ url: 7 }] },
    'The agent card says nowhere to call.',
  ],
  ['a list', () => JSON.parse('[]'), 'The agent card says nowhere to call.'],
])('localA2a refuses %s before the run', async (_, agentCard, message) => {
  const hr = localA2a({ name: 'hr', agentCard });
  await expect(hr.resolve(signal)).rejects.toMatchObject({
    code: 'invalid_options',
    message: expect.stringContaining(message),
  });
});

test('localA2a answers a call without a message itself and refuses a name that the platform would refuse', async () => {
  const hr = localA2a({ name: 'hr', agentCard: { url: 'https://hr.test/a2a' } });
  for (const message of [7, ''])
    expect(await hr.dispatch(ask(message), signal)).toEqual({ error: 'The A2A agent hr needs a message.' });
  expect(() => localA2a({ name: 'h-r', agentCard: {} })).toThrow(
    'localA2a got the name "h-r". Use 1 to 64 letters, digits and underscores.',
  );
});
