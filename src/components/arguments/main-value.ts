import { readSchemaOptions } from '../form/schema/read-schema-options.ts';
import { displayText } from '../text/safe-text.ts';
import type { Described } from './describe-value.ts';
import { formatValue, type ValueLabels } from './format-value.ts';
import { readArguments } from './read-arguments.ts';

/** A longer value does not fit into a button or a line. */
const MAX_MAIN_LENGTH = 40;

/** The main value of a call in one line. */
export interface MainValue {
  readonly text: string;
  /** The value before a person changed it. */
  readonly before: string | undefined;
  /** The agent chose the words. A button must not say them: "Allow nothing, just close" would mislead. */
  readonly isFreeText: boolean;
}

/**
 * Returns the value that tells a call from others, such as `€89.00`: that of the argument with `emphasis: true` in its schema. Undefined
 * where no argument has it, or where its value is no short text: a button that shows half of a value would mislead.
 *
 * @param schema JSON Schema of the arguments
 * @param originalArgs the arguments as the agent sent them, where a person changed them
 */
export function mainValue(
  args: unknown,
  schema: unknown,
  originalArgs: unknown,
  labels: ValueLabels,
): MainValue | undefined {
  const { rows } = readArguments({ args, schema, originalArgs }, labels, 1);
  const row = rows.find(({ isMain }) => isMain);
  const text = row && toLine(row.value, labels);
  if (row === undefined || text === undefined) return undefined;
  return { text, before: row.before && toLine(row.before, labels), isFreeText: isFreeText(row.value, text) };
}

/** Returns true for a text that is neither an option of the schema nor formatted by it. */
function isFreeText({ value, node }: Described, text: string): boolean {
  return (
    typeof value === 'string' &&
    text === displayText(value) &&
    (node === undefined || readSchemaOptions(node) === undefined)
  );
}

function toLine(described: Described, labels: ValueLabels): string | undefined {
  const shown = formatValue(described, labels);
  if (shown.type !== 'text' && shown.type !== 'word') return undefined;
  return shown.text.length > MAX_MAIN_LENGTH || shown.text.includes('\n') ? undefined : shown.text;
}
