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

/** Returns the arguments that a function gets. */
function argumentsOf(args: object, sources: EnvSources, changes: Partial<UtpToolCall> = {}): unknown {
  const tool = withEnvs(sources, (given) => given);
  return tool(
    { ...args },
    { call: { ...call, ...changes }, headers: {}, signal: new AbortController().signal },
  );
}

describe('withEnvs', () => {
  test('fills in the values of the variables and keeps the other arguments', () => {
    const environment = { SEARCH_API_KEY: 'secret', SEARCH_REGION: 'eu', OTHER: 'x' };
    expect(argumentsOf({ q: 'cats', api_key: 'forged' }, { environment })).toEqual({
      q: 'cats',
      api_key: 'secret',
      region: 'eu',
    });
  });

  test('prefers the configuration of the service to the environment', () => {
    const configuration = { api_key: 'of the service', unrelated: 'x' };
    const environment = { SEARCH_API_KEY: 'of the machine', SEARCH_REGION: 'eu' };
    expect(argumentsOf({}, { configuration, environment })).toEqual({
      api_key: 'of the service',
      region: 'eu',
    });
  });

  test.each([{}, { SEARCH_API_KEY: '' }])(
    'fails a call whose variable is missing or empty: %j',
    (environment) => {
      const run = () => argumentsOf({}, { environment });
      expect(run).toThrow(UtpToolError);
      expect(run).toThrow('no value for the argument api_key. Set its environment variable SEARCH_API_KEY.');
    },
  );

  test('leaves the arguments of a call without environment variables alone', () => {
    const { envs: _, ...plain } = call;
    const tool = withEnvs({ environment: { SEARCH_API_KEY: 'secret' } }, (given) => given);
    const context = { call: plain, headers: {}, signal: new AbortController().signal };
    expect(tool({ q: 'cats' }, context)).toEqual({ q: 'cats' });
  });
});
