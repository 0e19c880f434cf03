import { isRecord, type JsonValue } from '../../shared/json.ts';
import { readElicitation } from '../elicitation/read-elicitation.ts';
import type { FieldOption, FormField } from '../form/form-field.ts';
import { readOptionList } from '../form/read-fields.ts';
import { type FormSchema, onlyProperty, readSchema } from '../form/read-schema.ts';
import type { AnyTool } from '../primitives/any-tool.ts';

/** A choice to put before a person, and the result a pick becomes. */
export interface ChoiceModel {
  readonly options: readonly FieldOption[];
  /** Several may be picked, so many of them. */
  readonly multiple: boolean;
  readonly min: number;
  readonly max: number | undefined;
  /** Positions of the options that are picked to begin with. */
  readonly initial: readonly number[];
  /** Picking nothing is an answer too. */
  readonly optional: boolean;
  /** What the schema calls the value, and says about it. */
  readonly caption: string | undefined;
  /** Arguments the choice shows itself. */
  readonly consumed: readonly string[];
  toResult(values: readonly JsonValue[]): unknown;
}

/**
 * Reads the choice of a call: options of the arguments, else the enumeration of the tool's `output` schema or of the
 * `requestedSchema` of an MCP elicitation.
 *
 * The result has the shape the schema asks for: the value itself, or an object with the value under its one
 * property. Without a schema it is `{ selected: value }`, with several picks `{ selected: [values] }`.
 */
export function readChoice(tool: AnyTool): ChoiceModel {
  const args: unknown = tool.args;
  const own = isRecord(args) ? args : {};
  const elicitation = readElicitation(tool);
  const elicited = elicitation?.type === 'choice' ? elicitation.requestedSchema : undefined;
  const key = ['options', 'choices'].find((name) => elicited === undefined && Array.isArray(own[name]));
  const target = readTarget(elicited ?? tool.definition?.output);
  const listed = key === undefined ? [] : readOptionList(own[key] as readonly unknown[]);
  const multiple = target?.multiple ?? (own.multiple === true || own.multiSelect === true);
  const options = listed.length > 0 ? listed : (target?.options ?? []);
  const asked = elicited && target?.field;
  const initial = options.findIndex(({ value }) => value === asked?.defaultValue);
  return {
    options,
    multiple,
    initial: initial === -1 ? [] : [initial],
    optional: asked?.required === false,
    caption: asked && [asked.label, asked.description].filter(Boolean).join(': '),
    min: target?.min ?? readCount(own.minItems) ?? readCount(own.min) ?? 0,
    max: target?.max ?? readCount(own.maxItems) ?? readCount(own.max),
    consumed: [
      key,
      ...(elicited ? ['mode', 'requestedSchema'] : []),
      ...['multiple', 'multiSelect', 'minItems', 'maxItems', 'min', 'max'],
    ].filter((name) => name !== undefined),
    toResult(values) {
      const value = multiple ? values : values[0];
      if (value === undefined) return {};
      if (target === undefined) return { selected: value };
      return target.property === undefined ? value : { [target.property]: value };
    },
  };
}

interface Target {
  readonly property: string | undefined;
  readonly field: FormField;
  readonly multiple: boolean;
  readonly options: readonly FieldOption[];
  readonly min: number | undefined;
  readonly max: number | undefined;
}

function readTarget(schema: FormSchema | undefined): Target | undefined {
  if (schema === undefined) return undefined;
  const { field } = readSchema(schema);
  const only = onlyProperty(field);
  if (only !== undefined) return describeTarget(only.field, only.name);
  // A schema that says nothing about its shape says nothing about where the pick belongs.
  return field.kind === 'json' || field.kind === 'group' ? undefined : describeTarget(field, undefined);
}

function describeTarget(field: FormField, property: string | undefined): Target {
  const multiple = field.kind === 'multi-choice' || field.kind === 'list';
  return {
    property,
    field,
    multiple,
    options: field.kind === 'choice' || field.kind === 'multi-choice' ? field.options : [],
    min: multiple ? field.minItems : undefined,
    max: multiple ? field.maxItems : undefined,
  };
}

function readCount(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}
