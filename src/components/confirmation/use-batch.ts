import { useContext } from 'react';
import type { Severity } from '../../tools/client-tool.ts';
import type { AnswerControls } from '../hooks/use-answer.ts';
import type { AnyTool } from '../primitives/any-tool.ts';
import { RetainedQuestionsContext, SiblingsContext } from '../primitives/surface-context.ts';
import { createYesResult } from './read-yes.ts';

export interface Batch {
  /** The other waiting calls that one press may confirm; empty where the tool does not allow it. */
  readonly others: readonly AnyTool[];
  confirmAll(): void;
}

/** Confirming all waiting calls of one tool, where its definition allows and no call needs a look of its own. */
export function useBatch(
  tool: AnyTool | undefined,
  severity: Severity,
  confirmWord: string | undefined,
  answer: AnswerControls,
): Batch {
  const siblings = useContext(SiblingsContext);
  const keeping = useContext(RetainedQuestionsContext);
  const allowed =
    tool?.definition?.approveAll === true &&
    tool.approvalReason !== 'interrupted' &&
    tool.oncePerConversation === undefined &&
    severity !== 'destructive' &&
    confirmWord === undefined &&
    answer.state.status === 'waiting';
  const others = allowed
    ? (siblings?.waiting ?? []).filter(
        (other) =>
          other.toolName === tool.toolName &&
          other.toolCallId !== tool.toolCallId &&
          other.approvalReason === tool.approvalReason &&
          !keeping?.isEnded(other),
      )
    : [];
  return {
    others,
    confirmAll() {
      // The one in sight first: when it is refused, the others were not what the person thought they were either.
      const yes = tool && createYesResult(tool);
      if (!answer.submit(yes).settled) return;
      for (const other of others) {
        // One that is refused stays in the row and is asked about by itself.
        if (other.submit(yes).settled) siblings?.markAnswered(other);
      }
    },
  };
}
