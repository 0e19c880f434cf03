/** The error event of a failed model call, and whether the client may retry. */
import type { LanguageModel } from 'ai';
import * as ai from 'ai';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { toModelErrorEvent } from '../../../src/server/ai-sdk/to-model-error-event.ts';
import { AgentChatError } from '../../../src/shared/errors.ts';

const model = { provider: 'acme', modelId: 'big-1' } as LanguageModel;
const toEvent = (thrown: unknown, of: LanguageModel = model) => toModelErrorEvent(ai, thrown, of);

type Answer = Partial<ConstructorParameters<typeof ai.APICallError>[0]>;
const answer = (statusCode: number | undefined, rest: Answer = {}) =>
  new ai.APICallError({
    message: 'No.',
    url: 'https://models.test',
    requestBodyValues: {},
    ...(statusCode !== undefined && { statusCode }),
    ...rest,
  });
const withError = (error: unknown) => ({ data: { error } });

describe('the error event of an HTTP response', () => {
  it.each<[string, unknown, string, boolean]>([
    ['400', answer(400), 'validation_error', false],
    [
      '400 with a quota code',
      answer(400, withError({ type: 'insufficient_quota' })),
      'validation_error',
      false,
    ],
    ['408', answer(408), 'provider_timeout', true],
    ['418', answer(418), 'provider_error', false],
    ['429', answer(429), 'rate_limit_error', true],
    [
      '429 by its code',
      answer(429, withError({ code: 'insufficient_quota' })),
      'quota_exceeded_error',
      false,
    ],
    [
      '429 by its type',
      answer(429, withError({ type: 'insufficient_quota' })),
      'quota_exceeded_error',
      false,
    ],
    ['500', answer(500), 'provider_error', true],
    ['529', answer(529), 'provider_overloaded', true],
    [
      '500 after retries',
      new ai.RetryError({ message: 'Gave up', reason: 'maxRetriesExceeded', errors: [answer(500)] }),
      'provider_error',
      true,
    ],
    [
      '401 without a retry',
      new ai.RetryError({ message: 'Gave up', reason: 'errorNotRetryable', errors: [answer(401)] }),
      'authentication_error',
      false,
    ],
  ])('%s', (_, thrown, errorType, retryable) => {
    expect(toEvent(thrown)).toMatchObject({
      type: 'error',
      source: 'provider',
      message: 'No.',
      errorType,
      retryable,
    });
  });

  it("toModelErrorEvent keeps the provider's error type and request id", () => {
    const data = { error: { type: 'overloaded' } };
    const provider = { name: 'acme', model: 'big-1', statusCode: 500 };
    expect(toEvent(answer(500)).provider).toEqual(provider);
    expect(toEvent(answer(500, { data: 'html' })).provider).toEqual(provider);
    expect(toEvent(answer(500, { data: { error: 'text' } })).provider).toEqual(provider);
    const first = answer(500, { data, responseHeaders: { 'x-request-id': 'a', 'request-id': 'b' } });
    expect(toEvent(first).provider).toEqual({ ...provider, errorType: 'overloaded', requestId: 'a' });
    const second = answer(500, { data, responseHeaders: { 'request-id': 'b' } });
    expect(toEvent(second).provider).toMatchObject({ requestId: 'b' });
  });

  it('toModelErrorEvent names the gateway as the provider when the model is a string', () => {
    expect(toEvent(answer(500), 'acme/big-1').provider).toMatchObject({
      name: 'gateway',
      model: 'acme/big-1',
    });
  });
});

describe('retryAfter', () => {
  beforeEach(() => void vi.useFakeTimers({ now: new Date('2026-01-05T10:00:00Z'), toFake: ['Date'] }));
  afterEach(() => void vi.useRealTimers());

  it.each([
    ['a number', '7', 7],
    ['a number in the past', '-3', 0],
    ['a date', 'Mon, 05 Jan 2026 10:00:09 GMT', 9],
    ['a date in the past', 'Mon, 05 Jan 2026 09:00:00 GMT', 0],
    ['nothing', ' ', undefined],
    ['anything else', 'soon', undefined],
  ])('toModelErrorEvent reads retryAfter from %s', (_, header, seconds) => {
    const event = toEvent(answer(429, { responseHeaders: { 'retry-after': header } }));
    expect('retryAfter' in event ? event.retryAfter : undefined).toBe(seconds);
  });
});

describe('the error event of an error without a response', () => {
  it.each<[string, unknown, string, boolean, string]>([
    [
      'no connection',
      answer(undefined),
      'provider_error',
      true,
      'The model provider could not be reached: No.',
    ],
    ['no key', new ai.LoadAPIKeyError({ message: 'No key' }), 'authentication_error', false, 'No key'],
    [
      'no prompt',
      new ai.InvalidPromptError({ prompt: 'x', message: 'empty' }),
      'validation_error',
      false,
      'Invalid prompt: empty',
    ],
    [
      'no such feature',
      new ai.UnsupportedFunctionalityError({ functionality: 'images', message: 'No images' }),
      'validation_error',
      false,
      'No images',
    ],
    [
      'an error of this package',
      new AgentChatError({ code: 'backend_error', message: 'Mine', errorType: 'tool_error' }),
      'tool_error',
      false,
      'Mine',
    ],
    ['an object in the stream', { message: 'Overloaded' }, 'provider_error', true, 'Overloaded'],
    ['nothing', undefined, 'provider_error', true, 'The model call failed'],
  ])('%s', (_, thrown, errorType, retryable, message) => {
    const provider = { name: 'acme', model: 'big-1' };
    expect(toEvent(thrown)).toEqual({
      type: 'error',
      source: 'provider',
      message,
      provider,
      errorType,
      retryable,
    });
  });
});
