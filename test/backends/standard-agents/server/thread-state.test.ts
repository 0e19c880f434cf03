/** The rules of section "Environment, storage", and the sandbox of `state.runCode`. */
import { afterAll, describe, expect, test } from 'vitest';
import type { ThreadRuntimeOptions } from '../../../../src/backends/standard-agents/server/thread-runtime-options.ts';
import type { ThreadState } from '../../../../src/backends/standard-agents/server/thread-state.ts';
import { createMemoryThreadStore } from '../../../../src/backends/standard-agents/server/thread-store.ts';
import { runCode, sharedSandbox } from '../../../../src/sandbox/create-sandbox.ts';
import { openRuntime, readThread } from './open-runtime.ts';

afterAll(() => sharedSandbox().dispose());

/** Returns the state that an endpoint gets. */
async function openState(
  options: Partial<ThreadRuntimeOptions> & { env?: Record<string, 'text' | 'secret'> } = {},
) {
  const states: ThreadState[] = [];
  const endpoints = {
    'take.ts': (_: Request, state: ThreadState) => {
      states.push(state);
      return new Response();
    },
  };
  const opened = openRuntime({ ...options, endpoints });
  const id = await opened.createThread();
  const take = async () => {
    await opened.ask('GET', `/${id}/take`);
    return states.at(-1) as ThreadState;
  };
  return { ...opened, id, take, state: await take() };
}

test('a state names its thread, agent, user and time', async () => {
  const { state, id } = await openState();
  expect(state).toMatchObject({
    threadId: id,
    agentId: 'helper',
    userId: 'ann',
    createdAt: Date.UTC(2026, 0, 1) * 1_000,
    execution: null,
    context: {},
  });
});

describe('values', () => {
  test('a value is durable, a copy, and null when it is not set', async () => {
    const store = createMemoryThreadStore();
    const { state, take, id } = await openState({ store });
    const value = { list: [1, null, 'a'], nested: { yes: true } };
    await state.setValue('key', value);
    value.list.push(2);
    const read = await (await take()).getValue<typeof value>('key');
    expect(read).toEqual({ list: [1, null, 'a'], nested: { yes: true } });
    read?.list.push(3);
    expect(await state.getValue('key')).toEqual({ list: [1, null, 'a'], nested: { yes: true } });
    expect((await readThread(store, id)).values).toEqual({
      key: { list: [1, null, 'a'], nested: { yes: true } },
    });
    expect([await state.getValue('other'), await state.getValue('constructor')]).toEqual([null, null]);
  });

  test.each([[null], [undefined]])('setting %j deletes the key', async (nothing) => {
    const { state } = await openState();
    await state.setValue('key', 1);
    await state.setValue('key', nothing);
    expect(await state.getValue('key')).toBeNull();
  });

  test('a value that JSON cannot carry is refused, and the old value stays', async () => {
    const { state } = await openState();
    await state.setValue('key', 1);
    await expect(state.setValue('key', { at: new Map() })).rejects.toThrow(
      'key.at is a Map, which JSON cannot carry',
    );
    expect(await state.getValue('key')).toBe(1);
  });

  test('the values of a thread are not those of another', async () => {
    const { state, createThread, ask, json } = await openState();
    await state.setValue('key', 1);
    const other = await createThread();
    expect((await ask('GET', `/${other}/take`)).status).toBe(200);
    expect((await json('GET', `/${other}`))[1].id).toBe(other);
    const again = await openState();
    expect(await again.state.getValue('key')).toBeNull();
  });
});

describe('environment variables', () => {
  test('env returns the value, and throws with the name of a variable that is not set', async () => {
    const { state } = await openState();
    await state.setEnv('CITY', 'Oslo');
    expect(await state.env('CITY')).toBe('Oslo');
    await expect(state.env('KEY')).rejects.toThrow('The environment variable KEY is not set in this thread');
    await expect(state.env('constructor')).rejects.toThrow('constructor is not set');
  });

  test('an unknown variable is a secret, and so is a new one', async () => {
    const { state } = await openState();
    expect(await state.envType('KEY')).toBe('secret');
    await state.setEnv('KEY', 'hunter22');
    expect(await state.envType('KEY')).toBe('secret');
  });

  test('setEnv keeps the type that a variable has, unless another is given', async () => {
    const { state } = await openState();
    await state.setEnv('CITY', 'Oslo', { type: 'text' });
    await state.setEnv('CITY', 'Rome');
    expect([await state.envType('CITY'), await state.env('CITY')]).toEqual(['text', 'Rome']);
    await state.setEnv('CITY', 'Rome', { type: 'secret' });
    expect(await state.envType('CITY')).toBe('secret');
  });

  test('a variable that the agent declares has its type', async () => {
    const { state } = await openState({ env: { CITY: 'text' } });
    expect(await state.envType('CITY')).toBe('text');
    await state.setEnv('CITY', 'Oslo');
    expect(await state.envType('CITY')).toBe('text');
  });

  test('GET env lists set and declared variables, and only the values of texts', async () => {
    const { json, id } = await openState({ env: { CITY: 'text', KEY: 'secret', OTHER: 'secret' } });
    expect((await json('PUT', `/${id}/env/CITY`, { value: 'Oslo' }))[0]).toBe(204);
    expect((await json('PUT', `/${id}/env/KEY`, { value: 'hunter22' }))[0]).toBe(204);
    expect((await json('PUT', `/${id}/env/MORE`, { value: 'shown', type: 'text' }))[0]).toBe(204);
    expect(await json('GET', `/${id}/env`)).toEqual([
      200,
      {
        env: [
          { name: 'CITY', type: 'text', isSet: true, value: 'Oslo' },
          { name: 'KEY', type: 'secret', isSet: true },
          { name: 'OTHER', type: 'secret', isSet: false },
          { name: 'MORE', type: 'text', isSet: true, value: 'shown' },
        ],
      },
    ]);
  });

  test.each([
    [{ value: 1 }, 'value must be a string.'],
    [{ value: 'a', type: 'public' }, 'type must be "text" or "secret".'],
  ])('PUT env refuses %j and changes nothing', async (body, error) => {
    const { json, id } = await openState();
    expect(await json('PUT', `/${id}/env/KEY`, body)).toEqual([400, { error, code: 'invalid_request' }]);
    expect((await json('GET', `/${id}/env`))[1]).toEqual({ env: [] });
  });

  test('setEnv refuses a value that is no string', async () => {
    const { state } = await openState();
    await expect(state.setEnv('KEY', 1 as unknown as string)).rejects.toThrow('KEY must be a string');
  });
});

describe('files', () => {
  test('a file that a tool writes is read as it was, and null for a path without a file', async () => {
    const { state } = await openState();
    expect(await state.writeFile('/notes/a.txt', 'Grüße', 'text/plain')).toEqual({
      id: expect.any(String),
      name: 'a.txt',
      path: '/notes/a.txt',
      mimeType: 'text/plain',
      size: 7,
    });
    const read = (await state.readFile('/notes/a.txt')) ?? new ArrayBuffer();
    expect(new TextDecoder().decode(read)).toBe('Grüße');
    expect([await state.readFile('/notes/b.txt'), await state.readFile('constructor')]).toEqual([null, null]);
  });

  test('only files below /attachments are in the list of attachments', async () => {
    const { state, json, id } = await openState();
    await state.writeFile('/notes/a.txt', 'a', 'text/plain');
    await state.writeFile('/attachments/b.txt', 'b', 'text/plain');
    const [, { files }] = await json('GET', `/${id}/files`);
    expect(files).toMatchObject([{ type: 'file', path: '/attachments/b.txt', name: 'b.txt' }]);
  });
});

describe('runCode', () => {
  test('the sandbox runs code with the capabilities that the tool gives it', async () => {
    const { state } = await openState({ runCode });
    await state.setValue('n', 20);
    const run = state.runCode(
      "import { get } from 'thread'; export default async (add: number) => (await get('n')) + add;",
      {
        imports: { thread: { get: (key: string) => state.getValue(key) } },
        execute: { args: [22] },
      },
    );
    expect(run.running).toBe(true);
    expect(await run).toMatchObject({ status: 'success', result: 42 });
  });

  test('runCode throws with the remedy if the runtime has no sandbox', async () => {
    const { state } = await openState();
    expect(() => state.runCode('export default 1')).toThrow(/Pass that of handrail\/sandbox/);
  });
});

test('emit refuses data that JSON cannot carry', async () => {
  const { state } = await openState();
  expect(() => state.emit('news', { at: 1n })).toThrow('data.at is a bigint, which JSON cannot carry');
});

test('queueTool refuses arguments that JSON cannot carry', async () => {
  const { state } = await openState();
  await expect((async () => state.queueTool('echo', { at: () => {} }))()).rejects.toThrow(
    'args.at is a function',
  );
});
