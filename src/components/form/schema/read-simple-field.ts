import { compact, hasOwn, ownString } from '../../../shared/json.ts';
import type { FileField, FormField, NumberField, TextField, TextFormat } from './form-field.ts';
import { type Base, type JsonSchema, ownNumber } from './json-schema.ts';

/** A text field that allows more characters has several lines. */
const LONG_TEXT = 200;

export function readTextField(node: JsonSchema, base: Base, hasLocalTimes: boolean): TextField {
  const minLength = ownNumber(node, 'minLength');
  const maxLength = ownNumber(node, 'maxLength');
  const isLong = maxLength !== undefined && maxLength > LONG_TEXT;
  const pattern = ownString(node, 'pattern');
  const known =
    formatOf(ownString(node, 'format')) ?? formatOfPattern(pattern) ?? (isLong ? 'multiline' : 'plain');
  const format = base.secret === true ? 'secret' : known;
  return {
    kind: 'text',
    ...base,
    format,
    minLength,
    maxLength,
    // A format has its own check, whose message says more than that of a pattern. A time may be written with seconds or without.
    pattern: format === 'plain' || format === 'multiline' || format === 'time' ? pattern : undefined,
    ...(format === 'time' && !hasLocalTimes && { needsOffset: true }),
    ...readTimeLimits(node, format, ['formatMinimum', 'formatMaximum']),
    placeholder: firstExample(node),
    autoComplete: AUTO_COMPLETE[format],
  };
}

/** Reads the limits of a date or a time from two keywords, those of ajv or of HTML. */
export function readTimeLimits(
  node: JsonSchema,
  format: TextFormat,
  [from, to]: readonly [string, string],
): Pick<TextField, 'earliest' | 'latest'> {
  if (format !== 'date' && format !== 'date-time' && format !== 'time') return {};
  return compact({ earliest: ownString(node, from), latest: ownString(node, to) });
}

/** The formats of JSON Schema, and the words that agents write for them. */
const FORMATS: Readonly<Record<string, TextFormat>> = {
  email: 'email',
  'idn-email': 'email',
  uri: 'uri',
  url: 'uri',
  iri: 'uri',
  date: 'date',
  'date-time': 'date-time',
  datetime: 'date-time',
  'datetime-local': 'date-time',
  time: 'time',
  tel: 'tel',
  phone: 'tel',
  multiline: 'multiline',
  textarea: 'multiline',
};

/** Returns the format for a word, if there is one. */
export function formatOf(word: string | undefined): TextFormat | undefined {
  return word !== undefined && hasOwn(FORMATS, word) ? FORMATS[word] : undefined;
}

/** The hours and minutes in the patterns of Zod. */
const ZOD_TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d';

/** Zod writes no `format` for `z.iso.time()` and `z.iso.datetime({ local: true })`, only their patterns. */
function formatOfPattern(pattern = ''): TextFormat | undefined {
  if (pattern.startsWith(`^${ZOD_TIME}`)) return 'time';
  return pattern.includes(`T(?:${ZOD_TIME}`) ? 'date-time' : undefined;
}

/** The `autocomplete` of a format. A browser must not fill in a secret: it belongs to another site than the agent's. */
export const AUTO_COMPLETE: Readonly<Partial<Record<TextFormat, string>>> = {
  email: 'email',
  tel: 'tel',
  uri: 'url',
  secret: 'off',
};

/** Values of `autocomplete` (HTML, 4.10.18.7), each before the field names that mean it. */
const KNOWN_NAMES = [
  'name fullname',
  'given-name firstname givenname vorname',
  'family-name lastname familyname surname nachname',
  'organization company organization organisation firma',
  'street-address street address streetaddress strasse',
  'address-level2 city stadt wohnort',
  'postal-code postcode postalcode zip zipcode plz postleitzahl',
  'country-name country land',
  'tel phone phonenumber telefon telefonnummer',
  'bday birthday birthdate dateofbirth geburtsdatum',
  'one-time-code otp onetimecode onetimepassword verificationcode',
];

/** Sets `autocomplete` on a text field with a well-known name, and returns any other field as it is. */
export function withKnownName(field: FormField, name: string): FormField {
  if (field.kind !== 'text' || field.autoComplete !== undefined) return field;
  const word = name.toLowerCase().replace(/[^a-z]/g, '');
  const known = KNOWN_NAMES.map((names) => names.split(' ')).find(([, ...names]) => names.includes(word));
  return known === undefined ? field : { ...field, autoComplete: known[0] };
}

export function readNumberField(node: JsonSchema, base: Base): NumberField {
  const integer = node.type === 'integer';
  return {
    kind: 'number',
    ...base,
    integer,
    minimum: bound(ownNumber(node, 'minimum'), integer),
    maximum: bound(ownNumber(node, 'maximum'), integer),
    exclusiveMinimum: ownNumber(node, 'exclusiveMinimum'),
    exclusiveMaximum: ownNumber(node, 'exclusiveMaximum'),
    multipleOf: ownNumber(node, 'multipleOf'),
    placeholder: firstExample(node),
    ...compact({ currency: currencyOf(node), unit: ownString(node, 'unit') }),
  };
}

function currencyOf(node: JsonSchema): string | undefined {
  const code = ownString(node, 'currency');
  return code !== undefined && /^[a-z]{3}$/i.test(code) ? code : undefined;
}

/** Drops the limits of safe integers, which Zod writes on every integer and which help no person. */
function bound(limit: number | undefined, integer: boolean): number | undefined {
  return integer && limit !== undefined && Math.abs(limit) >= Number.MAX_SAFE_INTEGER ? undefined : limit;
}

function firstExample(node: JsonSchema): string | undefined {
  const { examples, example } = node;
  const first: unknown = Array.isArray(examples) ? examples[0] : example;
  return typeof first === 'string' || typeof first === 'number' ? String(first) : undefined;
}

/**
 * Reads a file field. `accept` and `maxSize` (bytes) are our keywords; JSON Schema has `contentMediaType` and
 * `maxLength`.
 */
export function readFileField(
  node: JsonSchema,
  base: Base,
  several: Pick<FileField, 'multiple' | 'minItems' | 'maxItems'> = { multiple: false },
): FileField {
  const { accept } = node;
  return {
    kind: 'file',
    ...base,
    ...several,
    accept: Array.isArray(accept)
      ? accept.join(',')
      : (ownString(node, 'accept') ?? ownString(node, 'contentMediaType')),
    maxSize: ownNumber(node, 'maxSize') ?? ownNumber(node, 'maxLength'),
  };
}
