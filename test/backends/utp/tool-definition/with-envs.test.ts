import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { UtpToolCall } from '../../../../src/backends/utp/call.ts';
import { type EnvSources, withEnvs } from '../../../../src/backends/utp/tool-definition/with-envs.ts';
import { UtpToolError } from '../../../../src/backends/utp/tool-error.ts';

const call: UtpToolCall = {
  projectId: 'proj',
  channelId: 'public',
  toolCallId: 'call-1',
  agentId: 'agent-1',
  agentTurnId: 'turn-1',
  turnEpoch: 1,
  recursionDepth: 0,
  toolName: 'search',
  args: {},
  envs: { api_key: 'SEARCH_API_KEY', region: 'SEARCH_REGION' },
  afterExecution: 'suspend',
  lineage: {},
};

const context = (changes: Partial<UtpToolCall> = {}) => ({
  call: { ...call, ...changes },
  headers: {},
  signal: new AbortController().signal,
});

/** Returns the arguments that a function gets. */
async function argumentsOf(args: object, sources: EnvSources): Promise<unknown> {
  let given: unknown;
  const tool = withEnvs(sources, (all) => {
    given = all;
  });
  await tool({ ...args }, context());
  return given;
}

describe('withEnvs', () => {
  test('fills in the values of the variables and keeps the other arguments', async () => {
    const environment = { SEARCH_API_KEY: 'secret', SEARCH_REGION: 'eu', OTHER: 'x' };
    expect(await argumentsOf({ q: 'cats', api_key: 'forged' }, { environment })).toEqual({
      q: 'cats',
      api_key: 'secret',
      region: 'eu',
    });
  });

  test('prefers the configuration of the service to the environment', async () => {
    const configuration = { api_key: 'of the service', unrelated: 'x' };
    const environment = { SEARCH_API_KEY: 'of the machine', SEARCH_REGION: 'eu' };
    expect(await argumentsOf({}, { configuration, environment })).toEqual({
      api_key: 'of the service',
      region: 'eu',
    });
  });

  test.each([{}, { SEARCH_API_KEY: '' }])(
    'fails a call whose variable is missing or empty: %j',
    async (environment) => {
      const run = argumentsOf({}, { environment });
      await expect(run).rejects.toThrow(UtpToolError);
      await expect(run).rejects.toThrow(
        'no value for the argument api_key. Set its environment variable SEARCH_API_KEY.',
      );
    },
  );

  test.each(['constructor', '__proto__', 'toString'])(
    'has no value for the variable %s, which every object inherits',
    async (variable) => {
      const tool = withEnvs({ configuration: {}, environment: {} }, (args) => args);
      const run = async () => tool({}, context({ envs: { [variable]: variable } }));
      await expect(run).rejects.toThrow(`Set its environment variable ${variable}.`);
    },
  );

  test('leaves the arguments of a call without environment variables alone', () => {
    const { envs: _, ...plain } = call;
    const tool = withEnvs({ environment: { SEARCH_API_KEY: 'secret' } }, (given) => given);
    expect(tool({ q: 'cats' }, { ...context(), call: plain })).toEqual({ q: 'cats' });
  });
});

describe('a value of the environment', () => {
  const SECRET = 'k/7 "x"é';
  const environment = { SEARCH_API_KEY: SECRET, SEARCH_REGION: 'eu' };

  /** Runs a tool that has the secret, and returns what comes out of it, as an agent or a log gets it. */
  async function run(work: (secret: string) => unknown): Promise<unknown> {
    const tool = withEnvs({ environment }, ({ api_key }) => work(String(api_key)));
    try {
      return await tool({}, context());
    } catch (thrown) {
      return thrown;
    }
  }

  test.each([
    ['as it is', (key: string) => `key=${key};`, 'key=[SEARCH_API_KEY];'],
    ['in JSON', (key: string) => JSON.stringify({ key }), '{"key":"[SEARCH_API_KEY]"}'],
    ['in a path', (key: string) => `/v1/${encodeURIComponent(key)}/x`, '/v1/[SEARCH_API_KEY]/x'],
    ['in a query', (key: string) => `?${new URLSearchParams({ key })}`, '?key=[SEARCH_API_KEY]'],
  ])('is hidden in a text %s', async (_, write, text) => {
    expect(await run(write)).toBe(text);
  });

  test('is hidden in keys, lists and objects of the result, and in what has a toJSON', async () => {
    const result = await run((key) => ({
      [key]: [key, { deep: `${key}!` }],
      dated: { toJSON: () => key },
      when: new Date(0),
      count: 3,
    }));
    expect(result).toEqual({
      '[SEARCH_API_KEY]': ['[SEARCH_API_KEY]', { deep: '[SEARCH_API_KEY]!' }],
      ...{ dated: '[SEARCH_API_KEY]', when: '1970-01-01T00:00:00.000Z', count: 3 },
    });
  });

  test('that is short is hidden where it is a whole text, and not inside of words', async () => {
    const tool = withEnvs({ environment }, ({ region }) => ({ region, text: 'neutral' }));
    expect(await tool({}, context())).toEqual({ region: '[SEARCH_REGION]', text: 'neutral' });
  });

  test('of which another one has the beginning or the end is hidden whole', async () => {
    const values = { SEARCH_API_KEY: 'abcdef', SEARCH_REGION: 'defghi' };
    const tool = withEnvs({ environment: values }, () => 'abcdefghi');
    expect(await tool({}, context())).toBe('[SEARCH_API_KEY][SEARCH_REGION]');
  });

  test('that is a number of the configuration is hidden as a number too', async () => {
    const configuration = { api_key: { pin: 48_213 }, region: 'eu' };
    const tool = withEnvs({ configuration, environment: {} }, () => ({
      pin: 48_213,
      text: 'PIN 48213',
      n: 4,
    }));
    expect(await tool({}, context())).toEqual({
      pin: '[SEARCH_API_KEY]',
      text: 'PIN [SEARCH_API_KEY]',
      n: 4,
    });
  });

  test('is hidden in an error with its class, cause, stack and fields', async () => {
    const thrown = (await run((key) => {
      const cause = new TypeError(`refused ${key}`);
      throw Object.assign(
        new UtpToolError('auth_failed', `The key ${key} is wrong`, { detail: { key }, cause }),
        { request: new Request('https://example.org', { headers: { key: 'x' } }) },
      );
    })) as UtpToolError;
    expect(thrown).toBeInstanceOf(UtpToolError);
    expect(thrown).toMatchObject({
      ...{ name: 'UtpToolError', code: 'auth_failed', message: 'The key [SEARCH_API_KEY] is wrong' },
      ...{ detail: { key: '[SEARCH_API_KEY]' }, request: '[Request]' },
    });
    expect(thrown.cause).toBeInstanceOf(TypeError);
    expect(inspect(thrown, { depth: 9, showHidden: true })).not.toContain('k/7');
    expect(thrown.stack).toContain('with-envs.test.ts');
  });

  test('is hidden in errors that lead back to themselves, in a DOMException, and in what is thrown instead of an error', async () => {
    const loop = await run((key) => {
      const error: Error & { self?: unknown } = new AggregateError([new Error(key)], key);
      error.self = error;
      throw error;
    });
    const timeout = await run((key) => {
      throw new DOMException(`${key} took too long`, 'TimeoutError');
    });
    const plain = await run((key) => {
      throw { error_code: 'conflict', error_message: key };
    });
    expect(inspect([loop, timeout, plain], { depth: 9, showHidden: true })).not.toContain('k/7');
    expect(loop).toBeInstanceOf(AggregateError);
    expect(timeout).toMatchObject({ name: 'TimeoutError', message: '[SEARCH_API_KEY] took too long' });
    expect(plain).toEqual({ error_code: 'conflict', error_message: '[SEARCH_API_KEY]' });
  });

  test('is hidden in the path of a result that JSON cannot carry', async () => {
    const thrown = await run((key) => ({ [key]: 1n }));
    expect(thrown).toMatchObject({
      code: 'result_not_serializable',
      message: 'result.[SEARCH_API_KEY] is a bigint, which JSON cannot carry',
    });
  });
});
