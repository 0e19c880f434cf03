/** The one model of what will run, or ran: rows of arguments for questions, rows of a transcript, histories and inboxes. */
import { deepEqual } from '../../shared/deep-equal.ts';
import { hasOwn, isRecord, ownString } from '../../shared/json.ts';
import { displayText, humaniseName } from '../text/safe-text.ts';
import {
  type Described,
  describeAbsent,
  describeArguments,
  describeInside,
  entryNames,
  safely,
} from './describe-value.ts';
import { formatValue, type ValueLabels } from './format-value.ts';

/** The arguments of a call, and what describes them. */
export interface ArgumentsSource {
  readonly args: unknown;
  /** JSON Schema of the arguments. */
  readonly schema?: unknown;
  /** The arguments as the agent sent them, where a person changed them. */
  readonly originalArgs?: unknown;
  /** Names of arguments that are listed also where the call does not have them. */
  readonly also?: readonly string[] | undefined;
}

/** A row shows one argument, or one value inside an argument. */
export interface ArgumentRow {
  readonly name: string;
  readonly title: string;
  readonly value: Described;
  /** The value before a person changed it. Undefined where nothing was changed. */
  readonly before: Described | undefined;
  /** The main value, which is shown large. At most one row has it. */
  readonly isMain: boolean;
  readonly isReadOnly: boolean;
}

/** Rows of a table, and how many there are in all. */
export interface ArgumentRows {
  readonly rows: readonly ArgumentRow[];
  readonly total: number;
}

/**
 * Reads the first rows of a table: the main value, then the others in the order of the schema. A model may send a hundred thousand
 * arguments, so those that are not shown are not read.
 */
export function readArguments(
  source: ArgumentsSource,
  labels: ValueLabels,
  limit = Number.POSITIVE_INFINITY,
): ArgumentRows {
  const now = describeArguments(source.args, source.schema);
  const before =
    source.originalArgs === undefined ? undefined : describeArguments(source.originalArgs, source.schema);
  const names = new Set([...entryNames(now), ...(before ? entryNames(before) : []), ...(source.also ?? [])]);
  const main = findMain(now, names);
  if (main !== undefined) names.delete(main);
  const ordered = main === undefined ? [...names] : [main, ...names];
  const rows = tellApart(
    ordered.slice(0, limit).map((name) => readRow(now, before, name, name === main, labels)),
  );
  return { rows, total: ordered.length };
}

function readRow(
  now: Described,
  before: Described | undefined,
  name: string,
  isMain: boolean,
  labels: ValueLabels,
): ArgumentRow {
  const value = describeEntry(now, name);
  const old = before && describeEntry(before, name);
  return {
    name,
    title: titleOf(value, name),
    value,
    before: old && isChanged(old, value, labels) ? old : undefined,
    isMain,
    isReadOnly: value.node?.readOnly === true,
  };
}

/** An entry that the object does not have counts as nothing. */
function describeEntry(outer: Described, name: string): Described {
  const has = isRecord(outer.value) && hasOwn(outer.value, name);
  return has ? describeInside(outer, name) : describeAbsent(outer, name);
}

/** An amount changes with its currency, which is another argument. */
function isChanged(old: Described, value: Described, labels: ValueLabels): boolean {
  if (!safely(() => deepEqual(old.value, value.value), false)) return true;
  const [one, other] = [formatValue(old, labels), formatValue(value, labels)];
  return one.type === 'text' && other.type === 'text' && one.text !== other.text;
}

/** The title of the schema, or else the name in readable form. */
export function titleOf({ node }: Described, name: string): string {
  const title = node && ownString(node, 'title');
  return title === undefined ? humaniseName(name) : displayText(title, 160);
}

/** Adds the names to titles that read alike: a model may send an `Amount` beside the `amount` that runs. */
export function tellApart<Row extends Pick<ArgumentRow, 'name' | 'title'>>(rows: readonly Row[]): Row[] {
  const read = ({ title }: Row) => title.normalize('NFKC').toLowerCase().replace(/\s/g, '');
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(read(row), (counts.get(read(row)) ?? 0) + 1);
  return rows.map((row) =>
    counts.get(read(row)) === 1
      ? row
      : { ...row, title: `${row.title} (${displayText(JSON.stringify(row.name), 160)})` },
  );
}

function findMain(now: Described, names: ReadonlySet<string>): string | undefined {
  const properties = isRecord(now.node?.properties) ? now.node.properties : {};
  return [...names].find((name) => {
    const part = hasOwn(properties, name) ? properties[name] : undefined;
    return isRecord(part) && part.emphasis === true;
  });
}
