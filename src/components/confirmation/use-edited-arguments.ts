import { useMemo, useState } from 'react';
import { deepEqual } from '../../shared/deep-equal.ts';
import { isRecord } from '../../shared/json.ts';
import { readStandardJsonSchema } from '../../shared/read-standard-json-schema.ts';
import type { AnyTool } from '../any-tool.ts';
import type { FormSchema } from '../form/schema/read-schema.ts';

export interface EditedArguments {
  /** The schema of edited arguments; `undefined` if the definition does not allow editing. */
  readonly schema: FormSchema | undefined;
  /** The current arguments. */
  readonly value: unknown;
  /** The person's changes by argument name. */
  readonly changes: readonly ArgumentChange[];
  replace(value: unknown): void;
}

export interface ArgumentChange {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** The arguments of a call that the person may edit before confirming. */
export function useEditedArguments(tool: AnyTool): EditedArguments {
  const [edited, setEdited] = useState<{ value: unknown }>();
  const { definition, approvalReason } = tool;
  const schema = useMemo(() => {
    const input =
      definition?.editable === true && approvalReason === undefined ? definition.input : undefined;
    return input === undefined || readStandardJsonSchema(input) === undefined ? undefined : input;
  }, [definition, approvalReason]);
  const value = edited === undefined ? tool.args : edited.value;
  const changes = useMemo(() => findChanges(tool.args, value), [tool, value]);
  return { schema, value, changes, replace: (next) => setEdited({ value: next }) };
}

/** The differences between two sets of arguments, at their top level. */
export function findChanges(before: unknown, after: unknown): readonly ArgumentChange[] {
  const [old, now] = [toEntries(before), toEntries(after)];
  return [...new Set([...old.keys(), ...now.keys()])]
    .map((name) => ({ name, before: old.get(name), after: now.get(name) }))
    .filter((change) => !deepEqual(change.before, change.after));
}

/** A map, because an argument may have the name `__proto__`. */
function toEntries(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(isRecord(value) ? Object.entries(value) : []);
}
