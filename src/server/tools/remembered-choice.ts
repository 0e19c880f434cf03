/** Approvals that a person wanted to have remembered: for all later calls of a server tool in runs that this person starts. */
import { describeDefinition } from '../../shared/describe-definition.ts';
import { digestText } from '../../shared/digest-json.ts';
import { isSeverity } from '../../shared/severity.ts';
import type { ServerToolDefinition } from './server-tool.ts';

/**
 * Returns true if a choice about the tool may be remembered. A person has to read every call that destroys something, and every call of
 * which a mistyped severity does not say whether it does.
 */
export function mayRemember({ remember, severity = 'neutral' }: ServerToolDefinition): boolean {
  return remember === true && isSeverity(severity) && severity !== 'destructive';
}

/** Returns the digest of what a person who decides about the tool goes by. */
export function digestDefinition(tool: ServerToolDefinition): Promise<string> {
  return digestText(describeDefinition(tool));
}
