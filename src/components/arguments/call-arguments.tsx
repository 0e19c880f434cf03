import { useMemo } from 'react';
import { hasOwn, isRecord } from '../../shared/json.ts';
import type { AnyTool } from '../any-tool.ts';
import { describeSchema } from '../form/schema/describe-schema.ts';
import { ArgumentsTable } from './arguments-table.tsx';
import type { ChangeControls } from './change-controls.ts';

/** The JSON Schema of the arguments of a tool, where it has one. */
export function useArgumentsSchema(definition: AnyTool['definition']): unknown {
  const input = definition?.input;
  return useMemo(() => input && describeSchema(input), [input]);
}

/** Shows what will run if the person says yes to a call. */
export function CallArguments({
  tool,
  rest,
  value = tool.args,
  change,
}: {
  tool: AnyTool;
  /** The arguments that the question does not show in another way. */
  rest: Readonly<Record<string, unknown>>;
  /** The arguments as they would run. Default: those of the call. */
  value?: unknown;
  change?: ChangeControls | undefined;
}) {
  const schema = useArgumentsSchema(tool.definition);
  const original = originalOf(tool, change);
  // A value that may be changed has its row, also if the question says it as its message.
  const isShown = (name: string) =>
    !isRecord(tool.args) ||
    !hasOwn(tool.args, name) ||
    hasOwn(rest, name) ||
    change?.names.includes(name) === true;
  return (
    <ArgumentsTable
      args={isRecord(value) ? pick(value, isShown) : rest}
      schema={schema}
      originalArgs={isRecord(original) ? pick(original, isShown) : undefined}
      change={change}
    />
  );
}

/** The arguments before any change: what the agent sent, or what this person was asked about and has changed. */
function originalOf(tool: AnyTool, change: ChangeControls | undefined): unknown {
  const sent: unknown = (tool as { readonly originalArgs?: unknown }).originalArgs;
  if (change === undefined || change.changed.length === 0) return sent;
  const asked: unknown = tool.args;
  if (!isRecord(sent) || !isRecord(asked)) return asked;
  const mine = Object.entries(asked).filter(([name]) => change.changed.includes(name));
  return Object.fromEntries([...Object.entries(sent), ...mine]);
}

function pick(
  record: Readonly<Record<string, unknown>>,
  isShown: (name: string) => boolean,
): Readonly<Record<string, unknown>> {
  const names = Object.keys(record);
  if (names.every(isShown)) return record;
  // Copies the properties and not their values: a getter may throw.
  const shown = names.filter(isShown).map((name) => [name, Object.getOwnPropertyDescriptor(record, name)]);
  return Object.create(null, Object.fromEntries(shown));
}
