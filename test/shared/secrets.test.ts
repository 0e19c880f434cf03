import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readStandardJsonSchema } from '../../src/shared/read-standard-json-schema.ts';
import { isSecretName, MASK, maskSecrets, withoutSecrets } from '../../src/shared/secrets.ts';

describe('isSecretName', () => {
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
  ])('isSecretName is true for %s', (name) => expect(isSecretName(name)).toBe(true));

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
  ])('isSecretName is false for %s', (name) => expect(isSecretName(name)).toBe(false));
});

describe('maskSecrets', () => {
  it('maskSecrets hides values with a secret name at any depth, and no others', () => {
    const value = { user: 'ada', login: { password: 'hunter2' }, keys: [{ apiKey: { raw: 'k' } }], token: 7 };
    expect(maskSecrets(value)).toEqual({
      user: 'ada',
      login: { password: MASK },
      keys: [{ apiKey: MASK }],
      token: MASK,
    });
  });

  it('maskSecrets leaves an empty secret visible', () => {
    expect(maskSecrets({ password: '', token: null })).toEqual({ password: '', token: null });
  });

  it('maskSecrets returns the same value when there is no secret', () => {
    const value = { list: [1, { a: 'b' }] };
    expect(maskSecrets(value)).toBe(value);
  });

  it('maskSecrets retains a property called __proto__', () => {
    const value: unknown = JSON.parse('{"__proto__":{"x":1},"pin":1}');
    expect(JSON.stringify(maskSecrets(value))).toBe(`{"__proto__":{"x":1},"pin":"${MASK}"}`);
  });
});

const secret = { type: 'string', format: 'password' };
const login = { properties: { user: { type: 'string' }, password: secret } };
const shown = { user: 'ada' };
const value = { user: 'ada', password: 'p' };

/** Schemas that mark a password as secret. */
const MARKS: readonly [string, unknown][] = [
  ['format password', { properties: { password: secret } }],
  ['writeOnly', { properties: { password: { writeOnly: true } } }],
  ['the type in a list of fields', [{ name: 'user' }, { name: 'password', type: 'password' }]],
  ['secret: true in a list of fields', [{ id: 'password', secret: true }]],
  ['a list of fields with keys', [{ key: 'password', secret: true }]],
  ['a list of fields with a blank name', [{ name: '', id: 'password', secret: true }]],
  ['the first of two fields with one name', [{ name: 'password', secret: true }, { name: 'password' }]],
  ['a type in capitals', [{ name: 'password', type: 'Password' }]],
  ['a reference', { $defs: { hidden: secret }, properties: { password: { $ref: '#/$defs/hidden' } } }],
  ['one of several alternatives', { anyOf: [{ properties: { pin: {} } }, login] }],
  ['a part of allOf', { allOf: [{ properties: {} }, login] }],
  ['additionalProperties', { properties: { user: {} }, additionalProperties: secret }],
  ['patternProperties', { properties: { user: {} }, patternProperties: { '^pass': secret } }],
  ['then', JSON.parse(`{"then":${JSON.stringify(login)}}`)],
  ['else', { else: login }],
  ['a union with null', { properties: { password: { oneOf: [secret, { type: 'null' }] } } }],
  [
    'the format in Zod',
    readStandardJsonSchema(
      z.object({ user: z.string(), password: z.string().meta({ format: 'password' }).optional() }),
    ),
  ],
  ['secret: true in Zod', readStandardJsonSchema(z.object({ password: z.string().meta({ secret: true }) }))],
];

describe('withoutSecrets', () => {
  it.each(MARKS)('withoutSecrets removes a password that is marked by %s', (_, schema) => {
    expect(withoutSecrets(value, schema)).toEqual(shown);
  });

  it('withoutSecrets leaves the other items of a list in their places', () => {
    const schema = { properties: { keys: { items: secret }, users: { items: login } } };
    expect(withoutSecrets({ keys: ['a', 'b'], users: [value, shown] }, schema)).toEqual({
      keys: [null, null],
      users: [shown, shown],
    });
    expect(withoutSecrets(['a', 'b', 'c'], { prefixItems: [{}, secret], items: {} })).toEqual([
      'a',
      null,
      'c',
    ]);
    // Draft 7.
    expect(withoutSecrets(['a', 'b', 'c'], { items: [{}, secret] })).toEqual(['a', null, 'c']);
  });

  it('withoutSecrets returns undefined when all of the value is secret or the schema never ends', () => {
    expect(withoutSecrets('p', secret)).toBeUndefined();
    expect(withoutSecrets(value, { $ref: '#' })).toBeUndefined();
    // Applied again at every reference, this schema would never end.
    expect(withoutSecrets(value, { anyOf: [{ $ref: '#' }, { $ref: '#' }, login] })).toBeUndefined();
  });

  it('withoutSecrets applies a part once that is referred to twice', () => {
    const schema = { $defs: { login }, allOf: [{ $ref: '#/$defs/login' }, { $ref: '#/$defs/login' }] };
    expect(withoutSecrets(value, schema)).toEqual(shown);
  });

  it.each([
    ['no schema', undefined],
    ['a schema without secrets', { properties: { user: {} }, additionalProperties: {} }],
    ['a reference to nowhere', { $ref: '#/$defs/gone' }],
    ['a mark on the prototype', { properties: { user: {} } }],
  ])('withoutSecrets returns the same value for %s', (_, schema) => {
    const own = JSON.parse('{"user":"ada","__proto__":1,"constructor":2,"list":[1]}');
    expect(withoutSecrets(own, schema)).toBe(own);
  });
});
