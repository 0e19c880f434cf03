/** Approvals that a person wanted to have remembered: for all later calls of a server tool in runs that this person starts. */
import { digestJson } from '../../shared/digest-json.ts';
import { readStandardJsonSchema } from '../../shared/read-standard-json-schema.ts';
import { isSeverity } from '../../shared/severity.ts';
import type { ServerToolDefinition } from './server-tool.ts';

/** A choice as a store keeps it, one for each person and tool. JSON. */
export interface StoredChoice {
  readonly toolName: string;
  /** The digest of the definition that the person saw. A tool whose definition has changed asks again. */
  readonly definition: string;
  readonly choice: 'allowed' | 'declined';
  /** Milliseconds since the epoch. */
  readonly rememberedAt: number;
  /** The answer that the person wanted to have remembered. The record of this session has it. */
  readonly sessionId: string;
  readonly executionId: string;
  readonly toolCallId: string;
}

/** The choices of people, by the id of their principal. Use it for a page on which people see and revoke theirs. */
export interface ChoiceStore {
  list(principalId: string): Promise<readonly StoredChoice[]>;
  /** Replaces the choice about the same tool. */
  save(principalId: string, choice: StoredChoice): Promise<void>;
  /** The next call of the tool asks again. */
  remove(principalId: string, toolName: string): Promise<void>;
}

/**
 * Returns true if a choice about the tool may be remembered. A person has to read every call that destroys something, and every call of
 * which a mistyped severity does not say whether it does.
 */
export function mayRemember({ remember, severity = 'neutral' }: ServerToolDefinition): boolean {
  return remember === true && isSeverity(severity) && severity !== 'destructive';
}

/** Returns the digest of what a person who decides about the tool goes by. */
export function digestDefinition(tool: ServerToolDefinition): Promise<string> {
  const { title, description, severity, input } = tool;
  return digestJson({ title, description, severity, inputSchema: input && readStandardJsonSchema(input) });
}
