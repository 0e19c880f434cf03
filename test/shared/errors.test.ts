import { describe, expect, it } from 'vitest';
import {
  AgentChatError,
  type AgentChatErrorInit,
  isAuthenticationError,
  isProviderError,
  isRateLimitError,
  isRetryableError,
  isToolError,
  isValidationError,
} from '../../src/core.ts';
import { describeThrown } from '../../src/shared/errors.ts';

const guards = {
  isAuthenticationError,
  isProviderError,
  isRateLimitError,
  isRetryableError,
  isToolError,
  isValidationError,
};

function saidYes(value: unknown): string[] {
  return Object.entries(guards).flatMap(([name, guard]) => (guard(value) ? [name] : []));
}

describe('guards', () => {
  it.each<[Partial<AgentChatErrorInit>, string[]]>([
    [{}, []],
    [{ errorType: 'rate_limit_error' }, ['isRateLimitError']],
    [{ errorType: 'quota_exceeded_error' }, ['isRateLimitError']],
    [{ errorType: 'authentication_error' }, ['isAuthenticationError']],
    [{ errorType: 'permission_error' }, ['isAuthenticationError']],
    [{ errorType: 'validation_error' }, ['isValidationError']],
    [{ errorType: 'tool_error' }, ['isToolError']],
    [{ source: 'tool' }, ['isToolError']],
    [{ source: 'provider' }, ['isProviderError']],
    [{ source: 'platform', errorType: 'provider_error' }, []],
    [{ retryable: true }, ['isRetryableError']],
  ])('%j', (fields, expected) => {
    const error = new AgentChatError({ code: 'backend_error', message: 'no', ...fields });
    expect(saidYes(error)).toEqual(expected);
    expect(saidYes({ ...fields, name: 'AgentChatError' })).toEqual([]);
    expect(saidYes(Object.assign(new Error('no'), fields))).toEqual([]);
  });

  it('whatever was thrown', () => {
    for (const thrown of [undefined, null, 'AgentChatError', revoked()])
      expect([AgentChatError.isInstance(thrown), saidYes(thrown)]).toEqual([false, []]);
  });
});

describe('what is told of anything that can be thrown', () => {
  class Denied extends Error {
    override readonly name: string = 'Denied';
  }
  it.each<[string, unknown, string]>([
    ['an error', new Error('Out of paper'), 'Out of paper'],
    ['a text', 'Out of paper', 'Out of paper'],
    ['what has a message', { code: 1, message: 'User denied Geolocation' }, 'User denied Geolocation'],
    ['an error without a message', new Denied(), 'Denied'],
    ['one with a blank message', new Denied(' '), 'Denied'],
    ['one with neither', new Error(''), 'else'],
    ['one whose name is empty', Object.assign(new Error(''), { name: '' }), 'else'],
    ['one whose name is no text', Object.assign(new Error(''), { name: 7 }), 'else'],
    ['a message that is no text', { message: 7 }, 'else'],
    ['a name without an error', { name: 'Denied' }, 'else'],
    ['an empty text', '', 'else'],
    ['a blank text', ' \n', 'else'],
    ['nothing', undefined, 'else'],
    ['null', null, 'else'],
  ])('%s', (_, thrown, told) => {
    expect(describeThrown(thrown, 'else')).toBe(told);
  });

  it('a revoked proxy', () => {
    expect(describeThrown(revoked(), 'else')).toBe('else');
  });
});

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
