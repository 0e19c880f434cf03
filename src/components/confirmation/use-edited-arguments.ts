import { useMemo, useState } from 'react';
import { isRecord } from '../../shared/json.ts';
import { readStandardJsonSchema } from '../../shared/read-standard-json-schema.ts';
import type { FormSchema } from '../form/read-schema.ts';
import type { AnyTool } from '../parts/any-tool.ts';

export interface EditedArguments {
  /** What the corrected arguments have to match; `undefined` where the definition does not allow it. */
  readonly schema: FormSchema | undefined;
  /** The arguments as they stand. */
  readonly value: unknown;
  /** What the person changed, by the name of the argument; empty when all is as the agent sent it. */
  readonly changes: readonly ArgumentChange[];
  replace(value: unknown): void;
}

export interface ArgumentChange {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The arguments of a call, which the person may correct before saying yes. */
export function useEditedArguments(tool: AnyTool): EditedArguments {
  const [edited, setEdited] = useState<{ value: unknown }>();
  const { definition, asks } = tool;
  const schema = useMemo(() => {
    const input = definition?.editable === true && asks === undefined ? definition.input : undefined;
    return input === undefined || readStandardJsonSchema(input) === undefined ? undefined : input;
  }, [definition, asks]);
  const value = edited === undefined ? tool.args : edited.value;
  const changes = useMemo(() => findChanges(tool.args, value), [tool, value]);
  return { schema, value, changes, replace: (next) => setEdited({ value: next }) };
}

/** What differs between two sets of arguments, at their top level. */
export function findChanges(before: unknown, after: unknown): readonly ArgumentChange[] {
  const [old, now] = [toEntries(before), toEntries(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((name) => ({ name, before: old.get(name), after: now.get(name) }))
    .filter((change) => !isSameJson(change.before, change.after));
}

/**
 * The arguments with what a person changed of them. A form reads some values in another spelling (a moment, the order of
 * picks), leaves out what is empty and knows nothing of what it does not show: none of that is a change anybody made.
 *
 * @param untouched What the form reads as long as nobody touches it.
 */
export function withChanges(args: unknown, untouched: unknown, entered: unknown): unknown {
  const changed = new Map(toEntries(args));
  for (const { name, after } of findChanges(untouched, entered)) {
    if (after === undefined) changed.delete(name);
    else changed.set(name, after);
  }
  return Object.fromEntries(changed);
}

/** A map, because an argument may be called `__proto__`. */
function toEntries(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(isRecord(value) ? Object.entries(value) : []);
}

function isSameJson(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isSameJson(item, other[index]));
  }
  if (!isRecord(one) || !isRecord(other)) return false;
  return findChanges(one, other).length === 0;
}
