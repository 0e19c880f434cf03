import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { readStandardJsonSchema } from '../../src/shared/read-standard-json-schema.ts';
import { withoutSecretFields, withoutSecrets } from '../../src/shared/secret-fields.ts';

const secret = { type: 'string', format: 'password' };
const login = { properties: { user: { type: 'string' }, password: secret } };
const shown = { user: 'ada' };
const value = { user: 'ada', password: 'p' };

/** Ways to say that a password is one. */
const MARKS: readonly [string, unknown][] = [
  ['format password', { properties: { password: secret } }],
  ['writeOnly', { properties: { password: { writeOnly: true } } }],
  ['a list of fields, by type', [{ name: 'user' }, { name: 'password', type: 'password' }]],
  ['a list of fields, by mark', [{ id: 'password', secret: true }]],
  ['a list of fields, with keys', [{ key: 'password', secret: true }]],
  ['a list of fields, one of a blank name', [{ name: '', id: 'password', secret: true }]],
  ['a list of fields, one of them twice', [{ name: 'password', secret: true }, { name: 'password' }]],
  ['a list of fields, by type in capitals', [{ name: 'password', type: 'Password' }]],
  ['a reference', { $defs: { hidden: secret }, properties: { password: { $ref: '#/$defs/hidden' } } }],
  ['one reading of several', { anyOf: [{ properties: { pin: {} } }, login] }],
  ['a part of the whole', { allOf: [{ properties: {} }, login] }],
  ['any property', { properties: { user: {} }, additionalProperties: secret }],
  ['some properties, by their names', { properties: { user: {} }, patternProperties: { '^pass': secret } }],
  ['one way or the other: then', JSON.parse(`{"then":${JSON.stringify(login)}}`)],
  ['one way or the other: else', { else: login }],
  ['optional, in a union with null', { properties: { password: { oneOf: [secret, { type: 'null' }] } } }],
  [
    'zod, by any of the marks',
    readStandardJsonSchema(
      z.object({ user: z.string(), password: z.string().meta({ format: 'password' }).optional() }),
    ),
  ],
  [
    'zod, marked as secret',
    readStandardJsonSchema(z.object({ password: z.string().meta({ secret: true }) })),
  ],
];

describe('what is left of a value without its secrets', () => {
  it.each(MARKS)('%s', (_, schema) => {
    expect(withoutSecrets(value, schema)).toEqual(shown);
  });

  it('lists keep their places', () => {
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
    // As draft 7 had it.
    expect(withoutSecrets(['a', 'b', 'c'], { items: [{}, secret] })).toEqual(['a', null, 'c']);
  });

  it('nothing, where all of it is secret or the schema has no end', () => {
    expect(withoutSecrets('p', secret)).toBeUndefined();
    expect(withoutSecrets(value, { $ref: '#' })).toBeUndefined();
    // Read again at every turn, this would never be through.
    expect(withoutSecrets(value, { anyOf: [{ $ref: '#' }, { $ref: '#' }, login] })).toBeUndefined();
  });

  it('a part that is read twice counts once', () => {
    const schema = { $defs: { login }, allOf: [{ $ref: '#/$defs/login' }, { $ref: '#/$defs/login' }] };
    expect(withoutSecrets(value, schema)).toEqual(shown);
  });

  it.each([
    ['no schema', undefined],
    ['a schema without secrets', { properties: { user: {} }, additionalProperties: {} }],
    ['a reference to nowhere', { $ref: '#/$defs/gone' }],
    ['a mark on the prototype', { properties: { user: {} } }],
  ])('the same value: %s', (_, schema) => {
    const own = JSON.parse('{"user":"ada","__proto__":1,"constructor":2,"list":[1]}');
    expect(withoutSecrets(own, schema)).toBe(own);
  });
});

describe('what is shown of the answer to a bare tool, by the form in its arguments', () => {
  it.each(MARKS)('nothing secret: %s', (_, schema) => {
    for (const args of [{ requestedSchema: schema }, { fields: schema }, { schema }]) {
      expect([null, shown]).toContainEqual(withoutSecretFields(value, args));
    }
  });

  it.each([
    ['a list of fields', [{ name: 'user' }, { name: 'password', type: 'password' }], shown],
    ['a list that names a field twice', [{ name: 'password', secret: true }, { name: 'password' }], shown],
    ['properties', login, shown],
    ['a secret deep in one of them', { properties: { user: { items: login } } }, { password: 'p' }],
    ['a secret that is not of a property', { $defs: { secret }, properties: login.properties }, null],
    ['a secret whatever it is', secret, null],
    ['no secret', { properties: { user: {}, password: { title: 'writeOnly' } } }, undefined],
    ['no form', 'password', undefined],
    [
      'a reference to a secret, which may be any field',
      { properties: { password: secret, user: { $ref: '#/properties/password' } } },
      null,
    ],
    [
      'words that are no marks',
      { title: 'Password', properties: { user: { const: 'password' } } },
      undefined,
    ],
    ['a secret that the answer does not have', { properties: { pin: secret } }, undefined],
  ])('%s', (_, schema, left) => {
    expect(withoutSecretFields(value, { schema })).toEqual(left);
  });

  it('an answer without fields has none that is secret', () => {
    for (const answer of ['p', ['p'], null, 5])
      expect(withoutSecretFields(answer, { schema: login })).toBeUndefined();
  });

  it('only own fields of the form count', () => {
    expect(withoutSecretFields({ toString: 'a', user: 'ada' }, { schema: login })).toBeUndefined();
  });

  it('a copy, as JSON has it, that nobody can change', () => {
    const answer = { password: 'p', when: new Date(0), tags: ['a'], gone: undefined };
    const left = withoutSecretFields(answer, { schema: login });
    answer.tags.push('b');
    expect(left).toEqual({ when: '1970-01-01T00:00:00.000Z', tags: ['a'] });
    expect(Object.isFrozen(left)).toBe(true);
    expect(() => withoutSecretFields({ password: 'p', run: () => 1 }, { schema: login })).toThrow(TypeError);
  });
});
