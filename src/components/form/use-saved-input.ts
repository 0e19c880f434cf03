import { useContext, useMemo } from 'react';
import type { AnyTool } from '../primitives/any-tool.ts';
import { KeepingContext } from '../primitives/surface-context.ts';
import type { SavedInput } from './use-schema-form.ts';

/** The call itself keeps the draft: over a closed dialog, and with persistence over a reload. */
export function useSavedInput(tool: AnyTool): SavedInput {
  const noteTyped = useContext(KeepingContext)?.noteTyped;
  return useMemo(
    () => ({
      // Calls made by hand, for a test or a preview, may keep nothing.
      load: () => tool.getSavedInput?.(),
      save(draft) {
        noteTyped?.(tool);
        tool.saveInput?.(draft);
      },
    }),
    [tool, noteTyped],
  );
}
