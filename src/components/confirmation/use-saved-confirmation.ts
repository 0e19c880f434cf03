import { useState } from 'react';
import type { AnyTool } from '../any-tool.ts';
import { readSavedConfirmation, type SavedConfirmation } from './saved-confirmation.ts';

export interface SavedParts {
  /** Returns what is saved with the call, with what this question has saved since. */
  read(): SavedConfirmation;
  /** Saves some of it with the call. The rest stays as it is. */
  save(part: Partial<SavedConfirmation>): void;
}

/**
 * Keeps the note and the changed arguments of a question, which share the saved input of its call. Another tab may own the call, and
 * learns of a save later. So each save goes out from what this question has saved itself.
 */
export function useSavedConfirmation(tool: AnyTool): SavedParts {
  // A call that a test or a preview makes by hand may have no saved input.
  const [kept] = useState(() => ({ saved: readSavedConfirmation(tool.getSavedInput?.()) }));
  return {
    read: () => kept.saved,
    save(part) {
      const saved = { ...kept.saved, ...part };
      kept.saved = saved;
      const isEmpty = saved.changes.length === 0 && saved.field === undefined && saved.note === '';
      // `null` is nothing to lose.
      tool.saveInput?.(isEmpty ? null : saved);
    },
  };
}
