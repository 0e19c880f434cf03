import { useContext, useState } from 'react';
import { isBlank } from '../../shared/is-blank.ts';
import type { AnyTool } from '../any-tool.ts';
import { RetainedQuestionsContext } from '../hooks/surface-context.ts';
import type { SavedParts } from './use-saved-confirmation.ts';

export interface Note {
  readonly text: string;
  /** The text as it is sent, or undefined if the person wrote nothing. */
  readonly reason: string | undefined;
  readonly isOpen: boolean;
  /** The person opened the field, which then has the focus. */
  readonly wasOpened: boolean;
  open(): void;
  /** Saves the text with the call, so that it outlives a reload, and stays readable when the call ends. */
  write(text: string): void;
}

/** The note that goes with the answer of a person: with a yes, or as the reason of a no. */
export function useNote(tool: AnyTool, { read, save }: SavedParts): Note {
  const retained = useContext(RetainedQuestionsContext);
  const [text, setText] = useState(() => read().note);
  const [wasOpened, setOpened] = useState(false);
  return {
    text,
    reason: isBlank(text) ? undefined : text.trim(),
    isOpen: wasOpened || text !== '',
    wasOpened,
    open: () => setOpened(true),
    write(next) {
      retained?.markDirty(tool);
      save({ note: next });
      setText(next);
      // A field that the person empties stays open.
      setOpened(true);
    },
  };
}
