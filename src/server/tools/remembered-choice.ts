/** Approvals that a person wanted to have remembered: for later calls of a server tool in runs that this person starts. */
import { describeDefinition } from '../../shared/describe-definition.ts';
import { digestText } from '../../shared/digest-json.ts';
import { isRecord } from '../../shared/json.ts';
import { isSeverity } from '../../shared/severity.ts';
import type { ServerToolDefinition } from './server-tool.ts';

/**
 * Returns true if a choice about the tool may be remembered. A person has to read every call that destroys something, and every call of
 * which a mistyped severity does not say whether it does.
 */
export function mayRemember({ remember, severity = 'neutral' }: ServerToolDefinition): boolean {
  return remember === true && isSeverity(severity) && severity !== 'destructive';
}

/** The later calls that a choice is about: all of the tool, unless it says less. */
export interface ChoiceLimits {
  readonly sameArguments: boolean;
  readonly scope: 'conversation' | undefined;
}

/**
 * Reads the `remember` of an answer: `true`, or `{ sameArguments?: boolean, scope?: 'conversation' }`. Undefined for anything else: then
 * nothing is remembered.
 */
export function readChoiceLimits(remember: unknown): ChoiceLimits | undefined {
  if (remember === true) return { sameArguments: false, scope: undefined };
  if (!isRecord(remember)) return undefined;
  const { sameArguments = false, scope, ...rest } = remember;
  const isKnown = typeof sameArguments === 'boolean' && (scope === undefined || scope === 'conversation');
  return isKnown && Object.keys(rest).length === 0 ? { sameArguments, scope } : undefined;
}

/** Returns the digest of what a person who decides about the tool goes by. */
export function digestDefinition(tool: ServerToolDefinition): Promise<string> {
  return digestText(describeDefinition(tool));
}
