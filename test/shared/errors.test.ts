import { describe, expect, it } from 'vitest';
import {
  AgentChatError,
  type AgentChatErrorInit,
  isAuthenticationError,
  isProviderError,
  isQuotaExceededError,
  isRateLimitError,
  isRetryableError,
  isToolError,
  isValidationError,
} from '../../src/core.ts';
import { describeThrown } from '../../src/shared/errors.ts';

const guards = {
  isAuthenticationError,
  isProviderError,
  isQuotaExceededError,
  isRateLimitError,
  isRetryableError,
  isToolError,
  isValidationError,
};

function saidYes(value: unknown): string[] {
  return Object.entries(guards).flatMap(([name, guard]) => (guard(value) ? [name] : []));
}

describe('the guards of AgentChatError', () => {
  it.each<[Partial<AgentChatErrorInit>, string[]]>([
    [{}, []],
    [{ errorType: 'rate_limit_error' }, ['isRateLimitError']],
    [{ errorType: 'quota_exceeded_error' }, ['isQuotaExceededError', 'isRateLimitError']],
    [{ errorType: 'authentication_error' }, ['isAuthenticationError']],
    [{ errorType: 'permission_error' }, ['isAuthenticationError']],
    [{ errorType: 'validation_error' }, ['isValidationError']],
    [{ errorType: 'tool_error' }, ['isToolError']],
    [{ source: 'tool' }, ['isToolError']],
    [{ source: 'provider' }, ['isProviderError']],
    [{ source: 'platform', errorType: 'provider_error' }, []],
    [{ retryable: true }, ['isRetryableError']],
  ])('recognise an error with %j', (fields, expected) => {
    const error = new AgentChatError({ code: 'backend_error', message: 'no', ...fields });
    expect(saidYes(error)).toEqual(expected);
    expect(saidYes({ ...fields, name: 'AgentChatError' })).toEqual([]);
    expect(saidYes(Object.assign(new Error('no'), fields))).toEqual([]);
  });

  it('return false for a thrown value that is no error', () => {
    for (const thrown of [undefined, null, 'AgentChatError', revoked()])
      expect([AgentChatError.isInstance(thrown), saidYes(thrown)]).toEqual([false, []]);
  });
});

describe('describeThrown', () => {
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
    ['an error whose name is empty', Object.assign(new Error(''), { name: '' }), 'else'],
    ['an error whose name is no text', Object.assign(new Error(''), { name: 7 }), 'else'],
    ['a message that is no text', { message: 7 }, 'else'],
    ['a name without an error', { name: 'Denied' }, 'else'],
    ['an empty text', '', 'else'],
    ['a blank text', ' \n', 'else'],
    ['undefined', undefined, 'else'],
    ['null', null, 'else'],
  ])('describes %s', (_, thrown, text) => {
    expect(describeThrown(thrown, 'else')).toBe(text);
  });

  it('returns the fallback for a revoked proxy', () => {
    expect(describeThrown(revoked(), 'else')).toBe('else');
  });
});

function revoked(): unknown {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}
