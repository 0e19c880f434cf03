import { useContext, useState } from 'react';
import type { ChoiceToRemember } from '../../core/tools/choice-memory.ts';
import type { Severity } from '../../core/tools/client-tool.ts';
import { createApprovalNo, createApprovalYes } from '../../shared/approval-answers.ts';
import { maskSecrets } from '../../shared/secrets.ts';
import { toSeverity } from '../../shared/severity.ts';
import type { AnyTool } from '../any-tool.ts';
import { SiblingsContext } from '../hooks/surface-context.ts';
import { findChanges } from './find-changes.ts';

export interface RememberControls {
  /** The person may have this choice remembered. */
  readonly isOffered: boolean;
  /** The choice may be restricted to calls with the same arguments. False if that would store a secret. */
  readonly canRestrict: boolean;
  /** The backend keeps the choice, for as long and for the calls that it decides. */
  readonly isOfBackend: boolean;
  /** The person's options; `undefined` while the choice is not to be remembered. */
  readonly options: RememberOptions | undefined;
  setOptions(options: RememberOptions | undefined): void;
  /** Fields that ask the backend to keep the choice. They belong into the answer. */
  readonly details: { readonly remember?: true };
  /** Remembers the choice that the person made. Answers the other waiting calls that it covers. */
  save(choice: ChoiceToRemember['choice']): void;
}

export type RememberOptions = Required<Omit<ChoiceToRemember, 'choice'>>;

/**
 * Remembers a choice, if the tool allows that. Never offered for a destructive call or a word to type, because the person
 * has to read each of those calls, nor for edited arguments, which no later call of the agent has.
 */
export function useRememberChoice(
  tool: AnyTool,
  severity: Severity,
  confirmWord: string | undefined,
  isEdited: boolean,
): RememberControls {
  const siblings = useContext(SiblingsContext);
  const [chosen, setOptions] = useState<RememberOptions>();
  const isOfBackend = tool.approvalReason === undefined && tool.definition?.remember === true;
  const isKept = isOfBackend || tool.remember !== undefined;
  const isOffered =
    isKept && !isEdited && toSeverity(severity) !== 'destructive' && confirmWord === undefined;
  const options = isOffered ? chosen : undefined;
  return {
    isOffered,
    isOfBackend,
    canRestrict: maskSecrets(tool.args) === tool.args,
    details: isOfBackend && options ? { remember: true } : {},
    options,
    setOptions,
    save(choice) {
      if (!isOffered || isOfBackend || options === undefined) return;
      void tool.remember?.({ choice, ...options });
      for (const other of siblings?.waiting ?? []) {
        const isCovered =
          other.toolName === tool.toolName &&
          other.toolCallId !== tool.toolCallId &&
          other.approvalReason === 'policy' &&
          (!options.sameArguments || findChanges(tool.args, other.args).length === 0);
        if (!isCovered) continue;
        const { settled } =
          choice === 'allowed'
            ? other.submit(createApprovalYes())
            : other.decline(undefined, createApprovalNo());
        if (settled) siblings?.markAnswered(other);
      }
    },
  };
}
