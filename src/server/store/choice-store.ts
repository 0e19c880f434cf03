/** Approvals that a person wanted to have remembered: for later calls of a server tool in runs that this person starts. */

/** A choice as a store keeps it, one for each person and the calls that it is about, see {@link choiceKey}. JSON. */
export interface StoredChoice {
  readonly toolName: string;
  /** The digest of the definition that the person saw. A tool whose definition has changed asks again. */
  readonly definition: string;
  readonly choice: 'allowed' | 'declined';
  /** The digest of the arguments, where the choice is about calls with the same arguments alone. Absent: about all calls of the tool. */
  readonly digest?: string;
  /** Present where the choice is about calls in the session `sessionId` alone. Absent: in all sessions of the store. */
  readonly scope?: 'conversation';
  /** Milliseconds since the epoch. */
  readonly rememberedAt: number;
  /** The answer that the person wanted to have remembered. The record of this session has it. */
  readonly sessionId: string;
  readonly executionId: string;
  readonly toolCallId: string;
}

/** Returns what names the choice among those of a person. It begins with the name of the tool, and is that name for a choice about all its calls. */
export function choiceKey({ toolName, digest, scope, sessionId }: StoredChoice): string {
  if (digest === undefined && scope === undefined) return toolName;
  return `${limitedChoicePrefix(toolName)}${digest ?? ''}${SEPARATOR}${scope === undefined ? '' : sessionId}`;
}

/** The beginning of the keys of all choices about some calls of a tool. */
export function limitedChoicePrefix(toolName: string): string {
  return `${toolName}${SEPARATOR}`;
}

const SEPARATOR = '\u0000';

/** The choices of people, by the id of their principal. Use it for a page on which people see and revoke theirs. */
export interface ChoiceStore {
  list(principalId: string): Promise<readonly StoredChoice[]>;
  /** Replaces the choice about the same calls: the one with the same {@link choiceKey}. */
  save(principalId: string, choice: StoredChoice): Promise<void>;
  /** Removes all choices about the tool: its next call asks again. */
  remove(principalId: string, toolName: string): Promise<void>;
}
