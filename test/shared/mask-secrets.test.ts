import { describe, expect, it } from 'vitest';
import { isSecretName, MASK, maskSecrets } from '../../src/shared/mask-secrets.ts';

describe('names of secrets', () => {
  it.each([
    'password',
    'newPassword',
    'apiKey',
    'api_key',
    'API-KEY',
    'x-api-key',
    'accessToken',
    'token',
    'refresh_tokens',
    'clientSecret',
    'secretValue',
    'Authorization',
    'cardNumber',
    'cvv',
    'session-id',
    'pin',
  ])('%s is one', (name) => expect(isSecretName(name)).toBe(true));

  it.each([
    'tokenCount',
    'passenger',
    'pinned',
    'author',
    'shipping',
    'key',
    'number',
    'spin',
    'cookieBanner',
  ])('%s is none', (name) => expect(isSecretName(name)).toBe(false));
});

describe('masking', () => {
  it('hides what has such a name, at any depth, and nothing else', () => {
    const value = { user: 'ada', login: { password: 'hunter2' }, keys: [{ apiKey: { raw: 'k' } }], token: 7 };
    expect(maskSecrets(value)).toEqual({
      user: 'ada',
      login: { password: MASK },
      keys: [{ apiKey: MASK }],
      token: MASK,
    });
  });

  it('says whether there was one', () => {
    expect(maskSecrets({ password: '', token: null })).toEqual({ password: '', token: null });
  });

  it('gives back the very value when there is none', () => {
    const value = { list: [1, { a: 'b' }] };
    expect(maskSecrets(value)).toBe(value);
  });

  it('keeps a field called __proto__ a field', () => {
    const value: unknown = JSON.parse('{"__proto__":{"x":1},"pin":1}');
    expect(JSON.stringify(maskSecrets(value))).toBe(`{"__proto__":{"x":1},"pin":"${MASK}"}`);
  });
});
