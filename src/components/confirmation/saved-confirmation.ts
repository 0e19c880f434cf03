import { deepEqual } from '../../shared/deep-equal.ts';
import { isRecord } from '../../shared/json.ts';
import { isStandardSchema } from '../../shared/read-standard-json-schema.ts';
import { withoutSecrets } from '../../shared/secrets.ts';
import type { AnyTool } from '../any-tool.ts';
import type { ArgumentChange } from './find-changes.ts';

/** Holds what a person has put into a question so far, as it is saved with the call. */
export interface SavedConfirmation {
  /** Pairs of a name and a value. A name alone is an argument that was taken out. */
  readonly changes: readonly (readonly [name: string, value?: unknown])[];
  /** The field that is open, with what was typed into it. */
  readonly field?: { readonly name: string; readonly values: unknown } | undefined;
  /** The text of the note, also if it is blank. */
  readonly note: string;
}

/** Reads what was saved. Parts that do not fit are left out, because the tool may have asked in another way before. */
export function readSavedConfirmation(saved: unknown): SavedConfirmation {
  if (!isRecord(saved)) return { changes: [], note: '' };
  const { changes, field, note } = saved;
  return {
    changes: Array.isArray(changes)
      ? changes.filter((entry) => Array.isArray(entry) && typeof entry[0] === 'string')
      : [],
    field:
      isRecord(field) && typeof field.name === 'string'
        ? { name: field.name, values: field.values }
        : undefined,
    note: typeof note === 'string' ? note : '',
  };
}

/** Returns the changes without those that have a secret in them, which must not outlive the page. */
export function toSavable(changes: readonly ArgumentChange[], schema: unknown): SavedConfirmation['changes'] {
  return changes
    .filter(({ name, after }) => {
      const one = Object.fromEntries([[name, after]]);
      return deepEqual(withoutSecrets(one, schema), one);
    })
    .map(({ name, after }) => (after === undefined ? [name] : [name, after]));
}

/**
 * Applies saved changes to the arguments of a call. The definition may be another one than before: changes that it does not allow, or
 * that its schema refuses, are dropped.
 */
export function restoreChanges(
  { args, definition }: AnyTool,
  saved: SavedConfirmation['changes'],
  names: readonly string[],
): unknown {
  const known = saved.filter(([name]) => names.includes(name));
  if (known.length === 0 || !isRecord(args)) return args;
  const entries = new Map(Object.entries(args));
  for (const [name, ...value] of known) {
    if (value.length === 0) entries.delete(name);
    else entries.set(name, value[0]);
  }
  const changed = Object.fromEntries(entries);
  return isAccepted(definition?.input, changed) ? changed : args;
}

function isAccepted(input: unknown, value: unknown): boolean {
  if (!isStandardSchema(input)) return false;
  try {
    const checked = input['~standard'].validate(value);
    return !(checked instanceof Promise) && checked.issues === undefined;
  } catch {
    return false;
  }
}
