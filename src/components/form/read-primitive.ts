import { hasOwn } from '../../shared/json.ts';
import type { FormField, NumberField, TextField, TextFormat } from './form-field.ts';
import { type Base, type JsonSchema, ownNumber, ownString } from './json-schema.ts';

/** Longer texts than this deserve more than one line. */
const LONG_TEXT = 200;

export function readTextField(node: JsonSchema, base: Base): TextField {
  const minLength = ownNumber(node, 'minLength');
  const maxLength = ownNumber(node, 'maxLength');
  const format = base.secret === true ? 'secret' : readFormat(node, maxLength);
  return {
    kind: 'text',
    ...base,
    format,
    minLength,
    maxLength,
    // A format brings its own check, with a message that says what is expected; its pattern would only say no.
    pattern: format === 'plain' || format === 'multiline' ? ownString(node, 'pattern') : undefined,
    placeholder: firstExample(node),
    autoComplete: autoCompleteFor(format),
  };
}

function readFormat(node: JsonSchema, maxLength: number | undefined): TextFormat {
  switch (ownString(node, 'format')) {
    case 'email':
    case 'idn-email':
      return 'email';
    case 'uri':
    case 'url':
    case 'iri':
      return 'uri';
    case 'date':
      return 'date';
    case 'date-time':
      return 'date-time';
    case 'time':
      return 'time';
    case 'phone':
    case 'tel':
      return 'tel';
    case 'multiline':
    case 'textarea':
      return 'multiline';
    default:
      return maxLength !== undefined && maxLength > LONG_TEXT ? 'multiline' : 'plain';
  }
}

/** What a browser may fill in. Secrets never: the agent would get what was meant for somebody else. */
export function autoCompleteFor(format: TextFormat): string | undefined {
  switch (format) {
    case 'email':
      return 'email';
    case 'tel':
      return 'tel';
    case 'uri':
      return 'url';
    case 'secret':
      return 'off';
    case 'plain':
    case 'date':
    case 'date-time':
    case 'time':
    case 'multiline':
      return undefined;
    default:
      return format satisfies never;
  }
}

/** Names of fields whose meaning a browser knows, as `autocomplete` has it (HTML, 4.10.18.7). */
const KNOWN_NAMES: Readonly<Record<string, string>> = {
  fullname: 'name',
  firstname: 'given-name',
  givenname: 'given-name',
  lastname: 'family-name',
  familyname: 'family-name',
  surname: 'family-name',
  company: 'organization',
  organization: 'organization',
  organisation: 'organization',
  street: 'street-address',
  address: 'street-address',
  streetaddress: 'street-address',
  city: 'address-level2',
  postcode: 'postal-code',
  postalcode: 'postal-code',
  zip: 'postal-code',
  zipcode: 'postal-code',
  country: 'country-name',
  phone: 'tel',
  phonenumber: 'tel',
  birthday: 'bday',
  birthdate: 'bday',
  dateofbirth: 'bday',
};

/** A text field whose name tells what a browser may fill in; the others as they are. */
export function withKnownName(field: FormField, name: string): FormField {
  if (field.kind !== 'text' || field.autoComplete !== undefined) return field;
  const word = name.toLowerCase().replace(/[^a-z]/g, '');
  return hasOwn(KNOWN_NAMES, word) ? { ...field, autoComplete: KNOWN_NAMES[word] } : field;
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
  };
}

/** Zod writes the safe range on every integer; nobody needs to be told. */
function bound(limit: number | undefined, integer: boolean): number | undefined {
  return integer && limit !== undefined && Math.abs(limit) >= Number.MAX_SAFE_INTEGER ? undefined : limit;
}

function firstExample(node: JsonSchema): string | undefined {
  const { examples, example } = node;
  const first: unknown = Array.isArray(examples) ? examples[0] : example;
  return typeof first === 'string' || typeof first === 'number' ? String(first) : undefined;
}
