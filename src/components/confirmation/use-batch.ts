import { useContext } from 'react';
import type { Severity } from '../../core/tools/client-tool.ts';
import { createApprovalYes } from '../../shared/approval-answers.ts';
import { isRecord } from '../../shared/json.ts';
import { readStandardJsonSchema } from '../../shared/read-standard-json-schema.ts';
import { toSeverity } from '../../shared/severity.ts';
import type { AnyTool } from '../any-tool.ts';
import { RetainedQuestionsContext, SiblingsContext } from '../hooks/surface-context.ts';
import type { AnswerControls } from '../hooks/use-answer.ts';
import { readVerbs } from '../text/answer-words.ts';
import { useLabels } from '../text/labels-context.tsx';

export interface Batch {
  /** The other waiting calls that one press may confirm. Empty when the tool does not allow that. */
  readonly others: readonly AnyTool[];
  confirmAll(): void;
}

/**
 * Confirms all waiting calls of one tool with one press, when its definition allows that (`approveAll`). Never for a
 * destructive call, a word to type, or a handler that was interrupted.
 *
 * @param tool the visible call; `undefined` when it must be confirmed alone
 */
export function useBatch(
  tool: AnyTool | undefined,
  severity: Severity,
  confirmWord: string | undefined,
  answer: AnswerControls,
): Batch {
  const labels = useLabels();
  const siblings = useContext(SiblingsContext);
  const retained = useContext(RetainedQuestionsContext);
  const isAllowed =
    tool?.definition?.approveAll === true &&
    tool.approvalReason !== 'interrupted' &&
    tool.oncePerConversation === undefined &&
    toSeverity(severity) !== 'destructive' &&
    confirmWord === undefined &&
    answer.state.status === 'waiting';
  const others = isAllowed
    ? (siblings?.waiting ?? []).filter(
        (other) =>
          other.toolName === tool.toolName &&
          other.toolCallId !== tool.toolCallId &&
          other.approvalReason === tool.approvalReason &&
          !retained?.isEnded(other),
      )
    : [];
  return {
    others,
    confirmAll() {
      // The visible call first: if it is refused, the person has to read the reason before confirming the others.
      const yes = tool && createYesResult(tool);
      const said = tool && readVerbs(tool, labels).saidYes;
      if (!answer.submit(yes, undefined, said).settled) return;
      for (const other of others) {
        // A refused call stays in the queue, which shows it alone.
        if (other.submit(yes).settled) siblings?.markAnswered(other);
      }
    },
  };
}

/**
 * Returns the result that Confirm submits: `{ confirmed: true }`, or a yes in the shape of the tool's `output` schema, which
 * is `true`, or an object with `true` under its only property.
 */
export function createYesResult({ approvalReason, definition }: AnyTool): unknown {
  // The `output` of a tool with a handler describes the result of the handler.
  const output = approvalReason === undefined ? definition?.output : undefined;
  const schema = output && readStandardJsonSchema(output);
  if (schema?.type === 'boolean') return true;
  const [only, ...others] = isRecord(schema?.properties) ? Object.entries(schema.properties) : [];
  const isOne = only !== undefined && others.length === 0 && isRecord(only[1]) && only[1].type === 'boolean';
  return isOne ? Object.fromEntries([[only[0], true]]) : createApprovalYes();
}
