import { useContext, useState } from 'react';
import { maskSecrets } from '../../shared/mask-secrets.ts';
import type { ChoiceToRemember } from '../../tools/choice-memory.ts';
import type { Severity } from '../../tools/client-tool.ts';
import { findChanges } from '../confirmation/use-edited-arguments.ts';
import type { AnyTool } from '../primitives/any-tool.ts';
import { SiblingsContext } from '../primitives/surface-context.ts';

export interface RememberControls {
  /** Whether this choice may be remembered at all. */
  readonly isOffered: boolean;
  /** Whether it may be for the same arguments alone; not where that would keep a secret. */
  readonly canRestrict: boolean;
  /** What the person asked for; `undefined` while nothing is to be remembered. */
  readonly options: RememberOptions | undefined;
  setOptions(wanted: RememberOptions | undefined): void;
  /** The person chose. Other waiting calls the choice is about have their answer with it. */
  save(choice: ChoiceToRemember['choice']): void;
}

export type RememberOptions = Required<Omit<ChoiceToRemember, 'choice'>>;

/** Remembering a choice, where the tool allows it and no call needs a look of its own. */
export function useRememberChoice(
  tool: AnyTool,
  severity: Severity,
  confirmWord: string | undefined,
): RememberControls {
  const siblings = useContext(SiblingsContext);
  const [wanted, want] = useState<RememberOptions>();
  const isOffered = tool.remember !== undefined && severity !== 'destructive' && confirmWord === undefined;
  return {
    isOffered,
    canRestrict: maskSecrets(tool.args) === tool.args,
    options: wanted,
    setOptions: want,
    save(choice) {
      if (!isOffered || wanted === undefined) return;
      void tool.remember?.({ choice, ...wanted });
      for (const other of siblings?.waiting ?? []) {
        const isCovered =
          other.toolName === tool.toolName &&
          other.toolCallId !== tool.toolCallId &&
          other.approvalReason === 'policy' &&
          (!wanted.sameArguments || findChanges(tool.args, other.args).length === 0);
        if (!isCovered) continue;
        const { settled } =
          choice === 'allowed'
            ? other.submit({ confirmed: true })
            : other.decline(undefined, { confirmed: false });
        if (settled) siblings?.markAnswered(other);
      }
    },
  };
}
