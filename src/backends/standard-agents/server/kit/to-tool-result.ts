/** Answers of the browser, and the tool results that they become for the model. */
import { compact, isRecord, type JsonValue } from '../../../../shared/json.ts';
import type { ToolOutcome } from '../../../../shared/tool-outcome.ts';
import type { ToolResult } from '../define-tool.ts';

/** The answer to a client call: one of the eight outcomes, with the value or the reason. JSON. */
export interface ClientAnswer {
  readonly outcome: ToolOutcome;
  readonly result?: JsonValue | undefined;
  /** The reason of a person, or the text of an error. */
  readonly reason?: string | undefined;
  /** The arguments as the person changed them before saying yes. */
  readonly editedArgs?: { readonly [name: string]: JsonValue } | undefined;
}

/** Error texts for outcomes that have no reason. They are written for a model to read. */
const ERRORS: Readonly<Record<Exclude<ToolOutcome, 'submitted' | 'declined'>, string>> = {
  cancelled: 'User cancelled',
  'timed-out': 'Timed out without an answer',
  aborted: 'Stopped by the user',
  expired: 'Expired without an answer',
  superseded: 'Superseded by a new message',
  failed: 'The tool failed in the browser without a message',
};

/** Returns the result of the call. A no of the person is an answer, so it is a success. */
export function toToolResult({ outcome, result, reason, editedArgs }: ClientAnswer): ToolResult {
  if (outcome === 'submitted') {
    const value = result ?? null;
    return success(editedArgs === undefined ? value : { result: value, editedArgs });
  }
  if (outcome === 'declined') {
    return success({ ...(isRecord(result) ? result : {}), ...compact({ outcome, reason }) });
  }
  return { status: 'error', error: reason || ERRORS[outcome] };
}

function success(value: unknown): ToolResult {
  return { status: 'success', result: JSON.stringify(value) };
}
