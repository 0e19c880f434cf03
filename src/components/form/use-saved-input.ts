import { useContext, useMemo } from 'react';
import type { AnyTool } from '../primitives/any-tool.ts';
import { RetainedQuestionsContext } from '../primitives/surface-context.ts';
import type { FormValues } from './form-values.ts';

/** A store for the input of a form that outlives the form. */
export interface SavedInput {
  load(): unknown;
  save(values: FormValues): void;
}

/** Saves form values with the call: they survive a closed dialog and, with persistence, a reload. */
export function useSavedInput(tool: AnyTool): SavedInput {
  const markDirty = useContext(RetainedQuestionsContext)?.markDirty;
  return useMemo(
    () => ({
      // A call that a test or a preview makes by hand may have no saved input.
      load: () => tool.getSavedInput?.(),
      save(values) {
        markDirty?.(tool);
        tool.saveInput?.(values);
      },
    }),
    [tool, markDirty],
  );
}
