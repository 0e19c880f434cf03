import { useCallback, useContext } from 'react';
import type { AnyTool } from '../any-tool.ts';
import { RetainedQuestionsContext } from './surface-context.ts';

/** What a person has entered into a question, kept with its call: it survives a closed dialog and, with persistence, a reload. */
export function useSavedAnswer(tool: AnyTool): {
  readonly savedInput: unknown;
  saveInput(input: unknown): void;
} {
  const markDirty = useContext(RetainedQuestionsContext)?.markDirty;
  const saveInput = useCallback(
    (input: unknown) => {
      markDirty?.(tool);
      tool.saveInput?.(input);
    },
    [tool, markDirty],
  );
  // A call that a test or a preview makes by hand may have no saved input.
  return { savedInput: tool.getSavedInput?.(), saveInput };
}
