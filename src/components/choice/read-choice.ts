import { isRecord, type JsonValue } from '../../shared/json.ts';
import type { AnyTool } from '../any-tool.ts';
import { readElicitation } from '../elicitation/read-elicitation.ts';
import type { FormField } from '../form/schema/form-field.ts';
import { type FormSchema, onlyProperty, readSchema } from '../form/schema/read-schema.ts';
import { type FieldOption, readOptionList } from '../text/read-options.ts';

/** The choice that a dialog shows, and how picked values become the result of the call. */
export interface ChoiceModel {
  readonly options: readonly FieldOption[];
  /** A person may pick several options, from `min` to `max`. */
  readonly multiple: boolean;
  readonly min: number;
  readonly max: number | undefined;
  /** Positions of the options that are picked at the start. */
  readonly initial: readonly number[];
  /** A person may submit without a pick. */
  readonly optional: boolean;
  /** The title and the description of the value in its schema. */
  readonly caption: string | undefined;
  /** Names of the arguments that the choice shows, so that the dialog does not list them again. */
  readonly consumed: readonly string[];
  toResult(values: readonly JsonValue[]): unknown;
}

/**
 * Reads the choice of a call: the options in its arguments, else the enumeration of the tool's `output` schema or of the
 * `requestedSchema` of an MCP elicitation.
 *
 * The result has the shape of the schema: the value itself, or an object with the value as its only property. Without a
 * schema the result is `{ selected: value }`, or `{ selected: [values] }` where several options may be picked.
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
  // A schema of any other shape does not tell where the picked value belongs.
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
