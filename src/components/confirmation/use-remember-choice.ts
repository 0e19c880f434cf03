import { useContext, useState } from 'react';
import type { Severity } from '../../core/tools/client-tool.ts';
import { createApprovalYes } from '../../shared/approval-answers.ts';
import { maskSecrets } from '../../shared/secrets.ts';
import { toSeverity } from '../../shared/severity.ts';
import type { AnyTool } from '../any-tool.ts';
import { SiblingsContext } from '../hooks/surface-context.ts';
import { findChanges } from './find-changes.ts';

/** A yes counts here: in this conversation, in all of this browser, or in all that the person has at the server. */
export type RememberScope = 'conversation' | 'browser' | 'everywhere';

export interface RememberControls {
  /** The person may have a yes remembered. */
  readonly isOffered: boolean;
  /** The yes may be restricted to calls with the same arguments. False if that would store a secret. */
  readonly canRestrict: boolean;
  /** The places that the person may choose from, the smallest first. Empty where the backend decides for how long and for which calls. */
  readonly scopes: readonly RememberScope[];
  /** The person's options; `undefined` while the yes is not to be remembered. */
  readonly options: RememberOptions | undefined;
  setOptions(options: RememberOptions | undefined): void;
  /** Fields that ask the backend to keep the yes. They belong into the answer. */
  readonly details: {
    readonly remember?: true | { readonly sameArguments: boolean; readonly scope?: 'conversation' };
  };
  /** Remembers the yes that the person gave. Answers the other waiting calls that it covers. */
  save(): void;
}

export interface RememberOptions {
  readonly scope: RememberScope;
  readonly sameArguments: boolean;
}

/**
 * Remembers a yes, if the tool allows that. Never offered for a destructive call or a word to type, because the person
 * has to read each of those calls, nor for edited arguments, which no later call of the agent has. A no is not remembered: the person
 * has chosen to be asked less, and not that the answer is no.
 */
export function useRememberChoice(
  tool: AnyTool,
  severity: Severity,
  confirmWord: string | undefined,
  isEdited: boolean,
): RememberControls {
  const siblings = useContext(SiblingsContext);
  const [chosen, setOptions] = useState<RememberOptions>();
  const keptBy = findKeeper(tool);
  const isOffered =
    keptBy !== undefined && !isEdited && toSeverity(severity) !== 'destructive' && confirmWord === undefined;
  const options = isOffered ? chosen : undefined;
  return {
    isOffered,
    canRestrict: maskSecrets(tool.args) === tool.args,
    scopes: SCOPES[keptBy ?? 'backend'],
    details: options && keptBy !== 'page' ? { remember: keptBy === 'server' ? toLimits(options) : true } : {},
    options,
    setOptions,
    save() {
      if (keptBy !== 'page' || options === undefined || options.scope === 'everywhere') return;
      const { scope, sameArguments } = options;
      void tool.remember?.({ choice: 'allowed', scope, sameArguments });
      for (const other of siblings?.waiting ?? []) {
        const isCovered =
          other.toolName === tool.toolName &&
          other.toolCallId !== tool.toolCallId &&
          other.approvalReason === 'policy' &&
          (!sameArguments || findChanges(tool.args, other.args).length === 0);
        if (isCovered && other.submit(createApprovalYes()).settled) siblings?.markAnswered(other);
      }
    },
  };
}

/** `server`: a backend that keeps a choice within the limits that come with it. Any other backend decides by itself. */
type Keeper = 'page' | 'server' | 'backend';

const SCOPES: Readonly<Record<Keeper, readonly RememberScope[]>> = {
  page: ['conversation', 'browser'],
  server: ['conversation', 'everywhere'],
  backend: [],
};

function findKeeper({ approvalReason, definition, remember }: AnyTool): Keeper | undefined {
  if (approvalReason === undefined && definition?.remember)
    return definition.rememberLimits ? 'server' : 'backend';
  return remember && 'page';
}

function toLimits({ sameArguments, scope }: RememberOptions) {
  return { sameArguments, ...(scope === 'conversation' && { scope }) };
}
