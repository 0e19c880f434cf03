import { useContext, useMemo, useState } from 'react';
import { hasOwn, isRecord } from '../../shared/json.ts';
import type { AnyTool } from '../any-tool.ts';
import { useArgumentsSchema } from '../arguments/call-arguments.tsx';
import { describeAbsent, describeArguments } from '../arguments/describe-value.ts';
import { RetainedQuestionsContext } from '../hooks/surface-context.ts';
import { type ArgumentChange, findChanges } from './find-changes.ts';
import { restoreChanges, type SavedConfirmation, toSavable } from './saved-confirmation.ts';
import type { SavedParts } from './use-saved-confirmation.ts';

/** The arguments of a call, and what the person has changed in them. */
export interface ChangedArguments {
  /** The arguments as they would run. */
  readonly value: unknown;
  /** The person's changes by argument name. */
  readonly changes: readonly ArgumentChange[];
  /** The arguments that may be changed; none if the definition does not allow it. */
  readonly names: readonly string[];
  /** The argument whose field is open. */
  readonly editing: string | undefined;
  /** The argument that was worked on last. */
  readonly touched: string | undefined;
  /** How often the person was reminded of the open field. */
  readonly reminders: number;
  start(name: string): void;
  apply(value: unknown): void;
  cancel(): void;
  undo(name: string): void;
  remind(): void;
  /** Returns what the person typed into the field of an argument and did not apply. */
  loadInput(name: string): unknown;
  saveInput(name: string, values: unknown): void;
}

interface State {
  readonly value: unknown;
  readonly editing?: string | undefined;
  readonly touched?: string | undefined;
  readonly reminders: number;
}

/** The arguments of a call that the person may change before allowing it. Changes are saved with the call. */
export function useChangedArguments(tool: AnyTool, parts: SavedParts): ChangedArguments {
  const schema = useArgumentsSchema(tool.definition);
  const names = useMemo(() => findChangeable(tool, schema), [tool, schema]);
  const [state, setState] = useState<State>(() => ({
    value: restoreChanges(tool, parts.read().changes, names),
    reminders: 0,
  }));
  const markDirty = useContext(RetainedQuestionsContext)?.markDirty;
  const changes = useMemo(() => findChanges(tool.args, state.value), [tool, state.value]);
  const save = (value: unknown, field?: SavedConfirmation['field']) =>
    parts.save({ changes: toSavable(findChanges(tool.args, value), schema), field });
  const close = (name: string | undefined, value: unknown) => {
    setState({ value, touched: name, reminders: 0 });
    save(value);
  };
  return {
    ...state,
    editing: state.editing,
    touched: state.touched,
    changes,
    names,
    start: (name) => setState({ ...state, editing: name, reminders: 0 }),
    apply(value) {
      markDirty?.(tool);
      close(state.editing, value);
    },
    cancel: () => close(state.editing, state.value),
    undo: (name) => close(name, withOriginal(state.value, tool.args, name)),
    remind: () => setState({ ...state, reminders: state.reminders + 1 }),
    loadInput(name) {
      const { field } = parts.read();
      return field?.name === name ? field.values : undefined;
    },
    saveInput(name, values) {
      markDirty?.(tool);
      save(state.value, { name, values });
    },
  };
}

/** A second run gets the arguments of the first, and a schema that does not describe itself has no fields. */
function findChangeable({ definition, approvalReason, args }: AnyTool, schema: unknown): readonly string[] {
  if (definition?.editable !== true || approvalReason === 'interrupted') return [];
  const described = describeArguments(args, schema);
  const properties = described.node?.properties;
  if (!isRecord(args) || !isRecord(properties)) return [];
  return Object.keys(properties).filter((name) => {
    const { node } = describeAbsent(described, name);
    return node !== undefined && node.readOnly !== true && !hasOwn(node, 'const');
  });
}

function withOriginal(value: unknown, args: unknown, name: string): unknown {
  const entries = new Map(Object.entries(isRecord(value) ? value : {}));
  if (isRecord(args) && hasOwn(args, name)) entries.set(name, args[name]);
  else entries.delete(name);
  return Object.fromEntries(entries);
}
