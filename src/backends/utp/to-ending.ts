/** The eight outcomes of a call, as endings of UTP. */

import { invalidOptions, isReadable } from '../../shared/errors.ts';
import { compact, isRecord } from '../../shared/json.ts';
import { TOOL_OUTCOMES, type ToolOutcome } from '../../shared/tool-outcome.ts';
import type { ToolEnding } from './build-tool-result.ts';
import type { AfterExecution } from './call.ts';
import { UtpToolError } from './tool-error.ts';

/** The answer to a call that waits for a person. */
export interface UtpAnswer {
  readonly outcome: ToolOutcome;
  /** A JSON value: the result of a submitted call, or an object with details of a declined one. */
  readonly result?: unknown;
  /** A text for the agent: why the call was declined, cancelled or failed. */
  readonly reason?: string;
  /** The error of a failed call: a thrown value, or `{ code, message }`. Default: `internal_error` with the reason. */
  readonly error?: unknown;
  /** Overrules the command: `terminate` ends the turn of the agent. */
  readonly afterExecution?: AfterExecution;
  /** Needed only if calls of two projects with the same id are open. */
  readonly projectId?: string;
}

/**
 * Returns the ending for an answer, or undefined for `expired`: the agent has a result already, so nothing is sent. Error texts are
 * written for a model to read.
 *
 * @throws AgentChatError `invalid_options` for a word that is no outcome.
 */
export function toEnding(answer: UtpAnswer): ToolEnding | undefined {
  const { result, reason, afterExecution } = answer;
  const because = (otherwise: string) => (isReadable(reason) ? reason : otherwise);
  const canceled = (code: string, message: string): ToolEnding => ({
    status: 'canceled',
    error: new UtpToolError(code, message),
    afterExecution,
  });
  switch (answer.outcome) {
    case 'submitted':
      return { status: 'success', result, afterExecution };
    case 'declined': {
      const details = isRecord(result) ? result : {};
      const declined = compact({ ...details, outcome: 'declined', reason });
      return { status: 'success', result: declined, afterExecution };
    }
    case 'cancelled':
      return canceled('user_cancelled', because('User cancelled'));
    case 'superseded':
      return canceled('superseded', because('Superseded by a new message'));
    case 'aborted':
      return canceled('aborted', because('The turn was stopped'));
    case 'timed-out': {
      const error = new UtpToolError('tool_timeout', because('Timed out without an answer'));
      return { status: 'timeout', error, afterExecution };
    }
    case 'failed': {
      const error = answer.error ?? because('Tool execution failed');
      return { status: 'failed', error, afterExecution };
    }
    case 'expired':
      return undefined;
    default:
      answer.outcome satisfies never;
      throw invalidOptions(
        `answer: outcome must be one of ${TOOL_OUTCOMES.join(', ')}, not "${String(answer.outcome)}".`,
      );
  }
}
