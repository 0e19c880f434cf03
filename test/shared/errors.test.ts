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
  ])('the error guards classify %j', (fields, expected) => {
    const error = new AgentChatError({ code: 'backend_error', message: 'no', ...fields });
    expect(saidYes(error)).toEqual(expected);
    expect(saidYes({ ...fields, name: 'AgentChatError' })).toEqual([]);
    expect(saidYes(Object.assign(new Error('no'), fields))).toEqual([]);
  });

  it('the error guards return false for any other thrown value', () => {
    for (const thrown of [undefined, null, 'AgentChatError', revoked()])
      expect([AgentChatError.isInstance(thrown), saidYes(thrown)]).toEqual([false, []]);
  });
});

describe('the message of a thrown value', () => {
  class Denied extends Error {
    override readonly name: string = 'Denied';
  }
  it.each<[string, unknown, string]>([
    ['an error', new Error('Out of paper'), 'Out of paper'],
    ['a text', 'Out of paper', 'Out of paper'],
    ['an object with a message', { code: 1, message: 'User denied Geolocation' }, 'User denied Geolocation'],
    ['an error without a message', new Denied(), 'Denied'],
    ['an error with a blank message', new Denied(' '), 'Denied'],
    ['an error with neither message nor name', new Error(''), 'else'],
    ['an error with an empty name', Object.assign(new Error(''), { name: '' }), 'else'],
    ['an error whose name is no text', Object.assign(new Error(''), { name: 7 }), 'else'],
    ['a message that is no text', { message: 7 }, 'else'],
    ['a name without an error', { name: 'Denied' }, 'else'],
    ['an empty text', '', 'else'],
    ['a blank text', ' \n', 'else'],
    ['undefined', undefined, 'else'],
    ['null', null, 'else'],
  ])('the message of %s', (_, thrown, expected) => {
    expect(describeThrown(thrown, 'else')).toBe(expected);
  });

  it('the message of a revoked proxy is the fallback', () => {
    expect(describeThrown(revoked(), 'else')).toBe('else');
  });
});

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
