import { useMemo } from 'react';
import { deepEqual } from '../../shared/deep-equal.ts';
import type { AnyTool } from '../any-tool.ts';
import { useSavedAnswer } from '../hooks/use-saved-answer.ts';
import { fields } from './kinds/fields.tsx';
import type { FormValues } from './kinds/form-values.ts';
import type { FormField } from './schema/form-field.ts';

/** A store for the input of a form that outlives the form. */
export interface SavedInput {
  load(): unknown;
  save(values: FormValues): void;
}

/** Saves form values with the call: they survive a closed dialog and, with persistence, a reload. */
export function useSavedInput(tool: AnyTool): SavedInput {
  const { saveInput } = useSavedAnswer(tool);
  return useMemo(() => ({ load: () => tool.getSavedInput?.(), save: saveInput }), [tool, saveInput]);
}

/**
 * Restores saved form values, with the secrets of `initial`. Returns `initial` where the saved input does not fit the
 * field, because the schema may have changed between two visits.
 */
export function restoreFormValues(field: FormField, saved: unknown, initial: FormValues): FormValues {
  const values = saved as FormValues;
  return deepEqual(fields.copy(field, values, values), values)
    ? fields.copy(field, values, initial)
    : initial;
}

/** Returns a copy to save, with secrets left blank: a secret must not outlive the form. */
export function blankSecrets(field: FormField, values: FormValues | undefined): FormValues {
  return fields.copy(field, values, undefined);
}
