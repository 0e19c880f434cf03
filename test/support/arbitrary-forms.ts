/** Schemas of the subset for which a form has controls, each with a value that matches. */
import fc from 'fast-check';

export interface FormSample {
  readonly schema: Readonly<Record<string, unknown>>;
  readonly value: unknown;
}

/** Text that a person can type into one line. A blank text counts as no text. */
const text = fc
  .string({ minLength: 1, maxLength: 8, unit: 'grapheme' })
  .filter((value) => value.trim() !== '');
const key = fc.oneof(
  fc.string({ maxLength: 5, unit: 'grapheme' }),
  fc.constantFrom('__proto__', 'constructor', 'a.b', 'a[0]', '0', 'root', '', ' '),
);
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const moment = fc.date({
  min: new Date('1000-01-01'),
  max: new Date('9999-12-30'),
  noInvalidDate: true,
});
/** Few options, or so many that the control has a search field. */
const picks = fc
  .oneof(
    { arbitrary: fc.uniqueArray(text, { minLength: 1, maxLength: 8 }), weight: 3 },
    { arbitrary: fc.uniqueArray(text, { minLength: 13, maxLength: 15, size: 'max' }), weight: 1 },
  )
  .chain((options) => fc.tuple(fc.constant(options), fc.subarray(options)));

const leaf: fc.Arbitrary<FormSample> = fc.oneof(
  text.map((value) => ({ schema: { type: 'string' }, value })),
  text.map((value) => ({ schema: { type: 'string', maxLength: 500 }, value })),
  text.map((value) => ({ schema: { type: 'string', format: 'password' }, value })),
  fc.emailAddress().map((value) => ({ schema: { type: 'string', format: 'email' }, value })),
  fc.webUrl().map((value) => ({ schema: { type: 'string', format: 'uri' }, value })),
  moment.map((date) => ({
    schema: { type: 'string', format: 'date' },
    value: date.toISOString().slice(0, 10),
  })),
  moment.map((date) => ({
    schema: { type: 'string', format: 'date-time' },
    value: date.toISOString(),
  })),
  number.map((value) => ({ schema: { type: 'number' }, value })),
  fc.maxSafeInteger().map((value) => ({ schema: { type: 'integer', minimum: value }, value })),
  fc.boolean().map((value) => ({ schema: { type: 'boolean' }, value })),
  text.map((value) => ({ schema: { const: value }, value })),
  fc.tuple(picks, fc.nat()).map(([[options], pick]) => ({
    schema: { enum: options },
    value: options[pick % options.length],
  })),
  fc.tuple(picks, fc.nat()).map(([[options], pick]) => ({
    schema: { oneOf: options.map((option) => ({ const: option, title: `Title of ${option}` })) },
    value: options[pick % options.length],
  })),
  picks.map(([options, picked]) => ({
    schema: { type: 'array', items: { type: 'string', enum: options }, minItems: picked.length },
    value: picked,
  })),
  fc.oneof(fc.constant(null), text).map((value) => ({ schema: { type: ['string', 'null'] }, value })),
  fc.json({ maxDepth: 2 }).map((json) => ({ schema: {}, value: JSON.parse(json) })),
);

function objectOf(entries: readonly (readonly [string, FormSample, boolean])[]): FormSample {
  const present = entries.filter(([, , left]) => !left);
  return {
    schema: {
      type: 'object',
      properties: Object.fromEntries(entries.map(([name, { schema }]) => [name, schema])),
      required: present.map(([name]) => name),
    },
    value: Object.fromEntries(present.map(([name, { value }]) => [name, value])),
  };
}

type Kind = 'sample' | 'list' | 'record' | 'object' | 'union';

export const { sample: formSample, object: objectSample } = fc.letrec<Record<Kind, FormSample>>((tie) => ({
  sample: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    tie('list'),
    tie('record'),
    tie('object'),
    tie('union'),
  ),
  list: fc.tuple(leaf, fc.nat({ max: 3 })).map(([{ schema, value }, count]) => ({
    schema: { type: 'array', items: schema, uniqueItems: false },
    value: Array.from({ length: count }, () => value),
  })),
  record: fc
    .tuple(
      tie('sample'),
      fc.uniqueArray(
        key.filter((name) => name !== ''),
        { maxLength: 3 },
      ),
    )
    .map(([{ schema, value }, names]) => ({
      schema: { type: 'object', additionalProperties: schema },
      value: Object.fromEntries(names.map((name) => [name, value])),
    })),
  object: fc
    .uniqueArray(fc.tuple(key, tie('sample'), fc.boolean()), {
      selector: ([name]) => name,
      minLength: 1,
      maxLength: 4,
    })
    .map((entries) => objectOf(entries)),
  union: fc.tuple(tie('sample'), tie('sample')).map(([{ schema, value }, other]) => ({
    schema: { anyOf: [other.schema, schema] },
    value,
  })),
}));

/** JSON with the keys of every object in order: `{ a, b }` and `{ b, a }` are the same value. */
export function sortedJson(value: unknown): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([left], [right]) => (left < right ? -1 : 1)))
      : item,
  );
}
