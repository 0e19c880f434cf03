/** A value that was once secret in a thread stays masked, whatever the variable becomes, and wherever a row has it. */
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { ModelChunk } from '../../../../src/backends/standard-agents/server/agent-definition.ts';
import { defineTool } from '../../../../src/backends/standard-agents/server/define-tool.ts';
import { MASK } from '../../../../src/shared/secrets.ts';
import { settle } from '../../../server/support.ts';
import { createDeferred } from '../../../support/deferred.ts';
import { call, createScriptedModel, type ModelStep, openRuntime, say } from './open-runtime.ts';

const SECRET = 'sk-first-value';
const print = defineTool({
  description: 'Prints the key.',
  execute: async (state) => ({ status: 'success', result: `key ${await state.env('KEY')}` }),
});

async function start(options: Parameters<typeof openRuntime>[0], ...steps: ModelStep[]) {
  const scripted = createScriptedModel(...steps);
  const opened = openRuntime({ model: scripted.model, ...options });
  const id = await opened.createThread();
  await opened.ask('PUT', `/${id}/env/KEY`, { value: SECRET });
  return { ...opened, ...scripted, id, frames: await opened.follow(id) };
}

test.each([
  ['another secret', { value: 'sk-second-value' }],
  ['another text', { value: 'Oslo', type: 'text' }],
  ['a text with the same value', { value: SECRET, type: 'text' }],
])('an old row stays masked when the secret becomes %s', async (_, change) => {
  const steps = [call('print'), [say('Done')], [say('Again')]];
  const { ask, send, messages, contexts, id } = await start({ tools: { print } }, ...steps);
  await send(id, 'Go');
  await ask('PUT', `/${id}/env/KEY`, change);
  await send(id, 'Once more');
  expect((await messages(id)).find(({ role }) => role === 'tool')?.content).toBe(`key ${MASK}`);
  expect(JSON.stringify(contexts.at(-1)?.messages)).not.toContain(SECRET);
});

test('a tool that replaces a secret while it runs prints neither the old nor the new value', async () => {
  const rotate = defineTool({
    description: 'Gets a new key.',
    async execute(state) {
      const old = await state.env('KEY');
      await state.setEnv('KEY', 'sk-second-value');
      return { status: 'success', result: `${old} is now ${await state.env('KEY')}` };
    },
  });
  const { send, messages, id } = await start({ tools: { rotate } }, call('rotate'), [say('Done')]);
  await send(id, 'Go');
  expect((await messages(id)).find(({ role }) => role === 'tool')?.content).toBe(`${MASK} is now ${MASK}`);
});

test('a secret is masked in keys, in a property named id, in attachments and in the steps of provider tools', async () => {
  const attachment = {
    ...({ id: SECRET, type: 'file', path: `/attachments/${SECRET}.txt`, name: `${SECRET}.txt` } as const),
    ...{ mimeType: 'text/plain', size: 1, description: `the key ${SECRET}` },
  } as const;
  const leak = defineTool({
    description: 'd',
    async execute(state) {
      state.emit('leak', { id: SECRET, [SECRET]: [{ id: SECRET }] });
      await state.writeFile(attachment.path, 'x', 'text/plain');
      return { status: 'success', attachments: [attachment] };
    },
  });
  const tool = {
    id: `p-${SECRET}`,
    name: 'search',
    status: 'completed',
    result: { input: { [SECRET]: { id: SECRET } } },
  } as const;
  const steps: ModelStep[] = [[{ type: 'provider-tool-done', tool }, ...call('leak')], [say('Done')]];
  const { json, send, messages, frames, id } = await start({ tools: { leak } }, ...steps);
  await send(id, 'Go');
  const rows = await messages(id);
  expect(JSON.parse(rows.find(({ role }) => role === 'tool')?.attachments ?? '')).toMatchObject([
    { name: `${MASK}.txt`, description: `the key ${MASK}` },
  ]);
  expect(frames.find((frame) => frame.type === 'custom')).toMatchObject({
    data: { id: MASK, [MASK]: [{ id: MASK }] },
  });
  const files = await json('GET', `/${id}/files`);
  expect(JSON.stringify([rows, frames, files])).not.toContain(SECRET);
});

test('the row of a person keeps its attachments as the person named them', async () => {
  const { ask, rest, messages, id } = await start({}, [say('Thanks')]);
  const attachments = [{ id: 'f', name: `${SECRET}.txt` }];
  await ask('POST', `/${id}/messages`, { role: 'user', content: 'Look', attachments });
  await rest(id);
  expect((await messages(id))[0]?.attachments).toBe(JSON.stringify(attachments));
});

test.each(['content', 'reasoning'] as const)(
  'a secret that is set while the %s streams masks the rest',
  async (kind) => {
    const isSet = createDeferred<void>();
    const delta = (text: string): ModelChunk => ({ type: `${kind}-delta`, delta: text });
    const { ask, messages, frames, id, rest } = await start({}, async function* () {
      yield delta('wait ');
      await isSet.promise;
      yield delta('sk-se');
      yield delta('cond-value');
      yield delta(' end');
    });
    await ask('POST', `/${id}/messages`, { role: 'user', content: 'Go' });
    await settle();
    await ask('PUT', `/${id}/env/KEY`, { value: 'sk-second-value' });
    isSet.resolve();
    await rest(id);
    const sent = frames.flatMap((frame) => (frame.type === 'message_chunk' ? [frame.chunk] : []));
    expect(sent.join('')).toBe(`wait ${MASK} end`);
    expect(JSON.stringify([await messages(id), frames])).not.toContain('sk-second-value');
  },
);

test('an error that wraps another one has no secret in either', async () => {
  const fail = defineTool({
    description: 'd',
    async execute(state) {
      throw new Error('no access', { cause: new Error(`bad key ${await state.env('KEY')}`) });
    },
  });
  const thrown: unknown[] = [];
  const onError = (error: unknown) => thrown.push(error);
  const { send, id } = await start({ tools: { fail }, onError }, call('fail'), [say('Done')]);
  await send(id, 'Go');
  expect(thrown).toMatchObject([{ message: 'no access', cause: { message: `bad key ${MASK}` } }]);
});

test.each(['abc', '1'])(
  'the secret %j is refused when it is set, because it is too short to be masked',
  async (value) => {
    const short = defineTool({
      description: 'd',
      execute: async (state) => {
        await state.setEnv('PIN', value);
        return { status: 'success' };
      },
    });
    const { json, send, messages, id } = await start({ tools: { short } }, call('short'), [say('Done')]);
    const [status, body] = await json('PUT', `/${id}/env/PIN`, { value });
    expect([status, body.code]).toEqual([400, 'invalid_request']);
    const reason = /PIN.*4 characters.*type text/;
    expect(body.error).toMatch(reason);
    await send(id, 'Go');
    expect((await messages(id)).find(({ role }) => role === 'tool')?.content).toMatch(reason);
    const [, { env }] = await json('GET', `/${id}/env`);
    expect(env).toEqual([{ name: 'KEY', type: 'secret', isSet: true }]);
  },
);

test.each([
  ['a text', { value: 'abc', type: 'text' }],
  ['the empty place of a secret', { value: '' }],
])('%s of less than four characters is set', async (_, value) => {
  const { json, id } = await start({});
  expect(await json('PUT', `/${id}/env/PIN`, value)).toEqual([204, null]);
});

test('the answer to a call whose id a secret is part of still finds the call', async () => {
  const ask = defineTool({
    description: 'd',
    args: z.object({ id: z.string() }),
    execute: (state, args) => {
      state.emit('client_tool_request', { id: 'call-sk-first-value', name: 'ask', args });
      return { status: 'success' };
    },
  });
  const { send, frames, id } = await start({ tools: { ask } }, call('ask', { id: SECRET }), [say('Done')]);
  await send(id, 'Go');
  expect(frames.find((frame) => frame.type === 'custom')).toMatchObject({
    data: { id: 'call-sk-first-value', args: { id: MASK } },
  });
});
