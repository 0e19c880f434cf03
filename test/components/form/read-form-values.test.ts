import { afterEach, describe, expect, test, vi } from 'vitest';
import { INCLUDED } from '../../../src/components/form/kinds/constant.tsx';
import type { ControlIssue } from '../../../src/components/form/kinds/control-issue.ts';
import { fields } from '../../../src/components/form/kinds/fields.tsx';
import type { FormValues } from '../../../src/components/form/kinds/form-values.ts';
import { ABSENT } from '../../../src/components/form/kinds/read-context.ts';
import type { FormField } from '../../../src/components/form/schema/form-field.ts';
import { readJsonSchema } from '../../../src/components/form/schema/read-json-schema.ts';
import { englishLabels as labels } from '../../../src/components/text/labels.ts';

/** Returns the value of a typed text, or the error message. */
function read(schema: Record<string, unknown>, typed: string): unknown {
  const field: FormField = readJsonSchema(schema, { label: 'Field', required: true });
  const issues: ControlIssue[] = [];
  const value = fields.read(field, typed, 'value', { labels, issues });
  return issues[0]?.message ?? (value === ABSENT ? 'absent' : value);
}

const text = { type: 'string' };
const integer = { type: 'integer' };

describe('readFormValues', () => {
  test.each([
    [text, '', labels.required],
    [text, '   ', labels.required],
    [text, ' as typed ', ' as typed '],
    [{ ...text, minLength: 2 }, '🙂', labels.tooShort(2)],
    [{ ...text, maxLength: 2 }, '🙂🙂', '🙂🙂'],
    [{ ...text, maxLength: 2 }, 'abc', labels.tooLong(2)],
    [{ ...text, pattern: '^a+$' }, 'b', labels.notPattern],
    [{ ...text, pattern: '(' }, 'b', 'b'],
    [
      { ...text, pattern: `${'(a+)+'.repeat(100)}$` },
      'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!',
      'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!',
    ],
    [{ ...text, format: 'email' }, ' a@b.cd ', 'a@b.cd'],
    [{ ...text, format: 'email' }, 'a@b', labels.notEmail],
    [{ ...text, format: 'uri' }, 'example.com', labels.notUrl],
    [{ ...text, format: 'uri' }, 'https://example.com', 'https://example.com'],
    [{ ...text, format: 'date' }, '2026-02-30', labels.notDate],
    [{ ...text, format: 'date' }, '2026-02-28', '2026-02-28'],
    [{ ...text, format: 'time' }, '24:00', labels.notTime],
    [{ ...text, format: 'date-time' }, 'soon', labels.notDateTime],
    [{ ...text, format: 'date-time' }, '2026-02-28T10:00:00Z', '2026-02-28T10:00:00.000Z'],
    [integer, '1.5', labels.notInteger],
    [integer, '9007199254740993', labels.notInteger],
    [integer, 'NaN', labels.notNumber],
    [integer, '1e999', labels.notNumber],
    [{ type: 'number' }, '0,5', 0.5],
    [{ type: 'number', minimum: 1 }, '0', labels.tooSmall('1')],
    [{ type: 'number', minimum: 1 }, '1', 1],
    [{ type: 'number', maximum: 1 }, '2', labels.tooLarge('1')],
    [{ type: 'number', exclusiveMinimum: 1 }, '1', labels.above('1')],
    [{ type: 'number', exclusiveMaximum: 1 }, '1', labels.below('1')],
    [{ type: 'number', exclusiveMinimum: 1 }, '1.1', 1.1],
    [{ type: 'number', exclusiveMaximum: 1 }, '0.9', 0.9],
    [{ type: 'number', multipleOf: 0 }, '5', 5],
    [{ type: 'number', multipleOf: 0.01 }, '123456.78', 123456.78],
    [{ type: 'number', multipleOf: 0.1 }, '0.3', 0.3],
    [{ type: 'number', multipleOf: 0.1 }, '0.35', labels.notMultiple('0.1')],
    [{}, '{"a": ', labels.notJson],
    [{}, 'null', null],
    [{ enum: ['a', 'b'] }, '', labels.choiceMissing],
    [{ enum: ['a', 'b'] }, '1', 'b'],
    [{ enum: ['a', 'b'] }, '2', labels.choiceMissing],
  ])('reads or refuses the schema %j with the text %j', (schema, typed, expected) => {
    expect(read(schema, typed)).toEqual(expected);
  });
});

test('readFormValues refuses a repeated and a blank key of a record at their rows', () => {
  const field = readJsonSchema(
    { type: 'object', additionalProperties: { type: 'number' } },
    { label: 'Limits', required: true },
  );
  const issues: ControlIssue[] = [];
  const rows = [
    { key: 'a', item: '1' },
    { key: 'a', item: '2' },
    { key: '', item: '3' },
  ];
  fields.read(field, rows, 'value', { labels, issues });
  expect(issues.map(({ name, message }) => [name, message])).toEqual([
    ['value.1.key', labels.duplicateKey],
    ['value.2.key', labels.required],
  ]);
});

test.each<[string, object, readonly (readonly [string, string])[]]>([
  [
    'refuses the second of equal items that must be unique',
    { uniqueItems: true },
    [['value.1.item', labels.duplicateItem]],
  ],
  ['accepts equal items that need not be unique', {}, []],
  [
    'reports no duplicate for items that have another error',
    { uniqueItems: true, items: { type: 'number', minimum: 2 } },
    [
      ['value.0.item', labels.tooSmall('2')],
      ['value.1.item', labels.tooSmall('2')],
    ],
  ],
])('readFormValues %s', (_, rules, expected) => {
  const field = readJsonSchema(
    { type: 'array', items: { type: 'number' }, ...rules },
    { label: 'Numbers', required: true },
  );
  const issues: ControlIssue[] = [];
  fields.read(field, [{ item: '1' }, { item: '1.0' }], 'value', { labels, issues });
  expect(issues.map(({ name, message }) => [name, message])).toEqual(expected);
});

describe('a date and time', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });
  test.each([
    ['America/St_Johns', '2026-07-01T10:00:00Z', '2026-07-01T07:30'],
    ['Asia/Kolkata', '2026-01-05T10:00:30Z', '2026-01-05T15:30:30'],
    ['Asia/Kolkata', '2026-01-05T12:00:00.250+02:00', '2026-01-05T15:30:00.250'],
    ['Asia/Kolkata', 'soon', 'soon'],
  ])('in the zone %s the value %s is shown as %s and read back as the same time', (zone, value, typed) => {
    vi.stubEnv('TZ', zone);
    const field = readJsonSchema({ type: 'string', format: 'date-time' }, { label: 'When', required: true });
    expect(fields.create(field, value)).toBe(typed);
    const read = fields.read(field, typed, 'value', { labels, issues: [] });
    expect(new Date(String(read)).getTime()).toBe(new Date(value).getTime());
  });
});

test('an optional group without input is left out, unless its default is blank', () => {
  const inner = { type: 'object', properties: { a: { type: ['string', 'null'] } }, required: ['a'] };
  const readBlank = (group: object) => {
    const field = readJsonSchema(
      { type: 'object', properties: { group } },
      { label: 'Form', required: true },
    );
    return fields.read(field, fields.create(field), 'value', { labels, issues: [] });
  };
  expect(readBlank(inner)).toEqual({});
  expect(readBlank({ ...inner, default: { a: null } })).toEqual({ group: { a: null } });
});

const shapes = {
  anyOf: ['a', 'b'].map((name) => ({ type: 'object', properties: { [name]: text }, required: [name] })),
};
const words = { type: 'object', additionalProperties: text };
const list = { type: 'array', items: integer, minItems: 1 };
test.each<[string, object, FormValues, optional: readonly unknown[], required: readonly unknown[]]>([
  ['a union without a pick', shapes, { pick: '' }, [ABSENT], [ABSENT, 'value.pick']],
  [
    'a union with a pick',
    shapes,
    { pick: '1', v1: { f0: '' } },
    [{ b: '' }, 'value.v1.f0'],
    [{ b: '' }, 'value.v1.f0'],
  ],
  ['a record without rows', words, [], [ABSENT], [{}]],
  [
    'a record of one blank row',
    words,
    [{ key: 'x', item: '' }],
    [{ x: '' }, 'value.0.item'],
    [{ x: '' }, 'value.0.item'],
  ],
  ['a list without rows', list, [], [ABSENT], [[], 'value.root']],
  ['a list that was emptied', { ...list, default: [1] }, [], [[], 'value.root'], [[], 'value.root']],
  [
    'a list of one blank row',
    list,
    [{ item: '' }],
    [[undefined], 'value.0.item'],
    [[undefined], 'value.0.item'],
  ],
  ['an untouched constant', { const: 'all' }, '', [ABSENT], ['all']],
  ['an included constant', { const: 'all' }, INCLUDED, ['all'], ['all']],
  ['an untouched checkbox', { type: 'boolean' }, '', [ABSENT], [false]],
  ['no picks', { type: 'array', items: { enum: ['x', 'y'] }, maxItems: 1 }, [], [ABSENT], [[]]],
])('readFormValues reads %s, optional and required', (_, schema, values, optional, required) => {
  const readAs = (isRequired: boolean) => {
    const field = readJsonSchema(schema, { label: 'Field', required: isRequired });
    const issues: ControlIssue[] = [];
    return [fields.read(field, values, 'value', { labels, issues }), ...issues.map(({ name }) => name)];
  };
  expect([readAs(false), readAs(true)]).toEqual([optional, required]);
});

describe('createFormValues picks the variant of a union that fits the value best', () => {
  const now = { const: 'now' };
  const moment = { type: 'string', format: 'date-time' };
  const numbered = { type: 'object', properties: { a: { type: 'number', minimum: 5 } } };
  const named = { type: 'object', properties: { b: { type: 'string' } } };
  test.each([
    ['a time in another spelling', [now, moment], '2026-01-05T19:00:00Z', '1'],
    ['a number below the minimum', [named, numbered], { a: 1 }, '1'],
    ['a number above the maximum', [{ const: 1 }, { type: 'number', maximum: 5 }], 9, '1'],
    ['a value with an unknown property', [numbered, named], { b: 'x', c: 1 }, '1'],
    ['a value that fits the first variant', [named, numbered], { b: 'x', c: 1 }, '0'],
    ['a value that fits no variant', [now, numbered], { c: 1 }, '0'],
  ])('%s', (_, anyOf, value, pick) => {
    const field = readJsonSchema({ anyOf }, { label: 'When', required: true });
    expect(fields.create(field, value)).toMatchObject({ pick });
  });
});
