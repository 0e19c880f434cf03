/** The stand-in for the platform: its counts are meaningful only if it refuses invalid requests. */
import { expect, it, onTestFinished } from 'vitest';
import { createOctavusPlatform, PLATFORM_KEY } from '../support/octavus-platform.ts';
import type { PlatformScript } from '../support/octavus-platform-script.ts';
import { listen } from './listen.ts';
import { createGate } from './open-chat.ts';

async function openPlatform(script: PlatformScript) {
  const platform = createOctavusPlatform(script);
  const server = await listen(platform.handle);
  onTestFinished(server.close);
  const post = (
    body: object,
    { key = PLATFORM_KEY, path = 'session-1/trigger', signal = null as AbortSignal | null } = {},
  ) =>
    fetch(`http://127.0.0.1:${server.port}/api/agent-sessions/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify(body),
      signal,
    });
  return { platform, post };
}

const trigger = { triggerName: 'user-message', input: { USER_MESSAGE: 'hi' } };
const answer = (...toolResults: object[]) => ({ executionId: 'execution-1', toolResults });
const first = { toolCallId: 'call-1', toolName: 'a', result: 1 };
const second = { toolCallId: 'call-2', toolName: 'b', error: 'no', blockIndex: 2 };
const script: PlatformScript = () => [[{ call: 'a' }, { call: 'b', more: { blockIndex: 2 } }], ['Done.']];

it('the stand-in plays a request as events and accepts the answers to its calls once', async () => {
  const { platform, post } = await openPlatform(script);
  const events = await (await post(trigger)).text();
  expect(events.match(/"type":"[a-z-]+"/g)).toEqual(
    [
      'start',
      ...Array(2)
        .fill(['tool-input-start', 'tool-input-delta', 'tool-input-end', 'tool-input-available'])
        .flat(),
      'tool-request',
      'finish',
    ].map((type) => `"type":"${type}"`),
  );
  expect(events).toMatch(/data: \[DONE\]\n\n$/);
  expect((await post(answer(first, second))).status).toBe(200);
  expect(await platform.requests[1]?.ended).toBe('finished');
  expect(platform.transcript).toEqual([
    { user: 'hi' },
    { call: 'call-1', toolName: 'a' },
    { call: 'call-2', toolName: 'b' },
    { answer: 'call-1', result: 1 },
    { answer: 'call-2', error: 'no' },
  ]);
  expect((await post(answer(first, second))).status).toBe(400);
  expect(platform.refusals).toEqual(['answers to unknown calls: call-1, call-2']);
});

it.each([
  ['an answer is missing', [first], 'calls without an answer: call-2'],
  ['a call is answered twice', [first, first, second], 'answers to unknown calls: call-1'],
  ['a call was never made', [first, second, { toolCallId: 'x' }], 'answers to unknown calls: x'],
  ['the tool name differs', [{ ...first, toolName: 'b' }, second], 'call-1 has the tool name b'],
  [
    'a key that must be repeated is missing',
    [first, { ...second, blockIndex: 1 }],
    'call-2 does not repeat outputVariable and blockIndex',
  ],
  ['the error is empty', [first, { ...second, error: '' }], 'call-2 has an empty error'],
  ['there is a result and an error', [first, { ...second, result: 1 }], 'call-2 has a result and an error'],
])('the stand-in refuses answers when %s', async (_, results, problem) => {
  const { platform, post } = await openPlatform(script);
  await (await post(trigger)).text();
  const response = await post(answer(...results));
  expect([response.status, await response.json()]).toEqual([400, { error: problem }]);
  expect(platform.refusals).toEqual([problem]);
  expect(platform.transcript.some((line) => 'answer' in line)).toBe(false);
  expect((await post(answer(first, second))).status).toBe(200);
});

it('the stand-in plays a request again that was not read to its end, without a second answer', async () => {
  const gate = createGate();
  const { platform, post } = await openPlatform(() => [[{ call: 'a' }], ['Half ', gate, 'whole.']]);
  await (await post(trigger)).text();
  const abort = new AbortController();
  await post(answer(first), { signal: abort.signal });
  await gate.reached;
  abort.abort();
  await gate.abandoned;
  expect(await platform.requests[1]?.ended).toBe('cut');
  expect(await (await post(answer(first))).text()).toContain('whole.');
  expect(platform.transcript.slice(2)).toEqual([{ answer: 'call-1', result: 1 }]);
  expect(platform.refusals).toEqual([]);
});

it('the stand-in refuses other keys, other routes, other executions, and more requests than the script has', async () => {
  const { platform, post } = await openPlatform(() => []);
  expect((await post(trigger, { key: 'another' })).status).toBe(401);
  expect((await post(trigger, { path: 'session-1' })).status).toBe(404);
  expect((await post(answer())).status).toBe(400);
  expect((await post(trigger)).status).toBe(500);
  expect(platform.refusals).toEqual([
    'execution-1 is not the execution of this session',
    'request 1 of execution-1 was not expected',
  ]);
});
