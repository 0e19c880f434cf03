import { useContext, useMemo } from 'react';
import type { AnyTool } from '../primitives/any-tool.ts';
import { RetainedQuestionsContext } from '../primitives/surface-context.ts';
import type { DraftKeeper } from './use-schema-form.ts';

/** The call itself keeps the draft: over a closed dialog, and with persistence over a reload. */
export function useDraftKeeper(tool: AnyTool): DraftKeeper {
  const markDirty = useContext(RetainedQuestionsContext)?.markDirty;
  return useMemo(
    () => ({
      // Calls made by hand, for a test or a preview, may keep nothing.
      load: () => tool.getSavedInput?.(),
      save(draft) {
        markDirty?.(tool);
        tool.saveInput?.(draft);
      },
    }),
    [tool, markDirty],
  );
}
