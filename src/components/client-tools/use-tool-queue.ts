import { useCallback, useState } from 'react';
import type { AnyTool } from '../parts/any-tool.ts';
import type { QueuePosition } from '../parts/surface-context.ts';
import { readToolPrompt } from '../text/tool-prompt.ts';

export interface ToolQueue {
  /** Calls that still need an answer, in request order. */
  readonly waiting: readonly AnyTool[];
  readonly position: QueuePosition;
  /** The title of the question that was taken away unanswered just now. */
  readonly withdrawn: string | undefined;
  dismissWithdrawn(): void;
  /** The person is done with a call. It leaves the queue at once, before the store has heard of it. */
  markAnswered(tool: AnyTool): void;
}

/** One question after the other, in the order they were asked. */
export function useToolQueue(tools: readonly AnyTool[]): ToolQueue {
  const [answered, setAnswered] = useState<ReadonlySet<string>>(() => new Set());
  // Questions of this row that are behind the person; a row ends when nothing waits.
  const [done, setDone] = useState(0);
  const [asked, setAsked] = useState<AnyTool>();
  const [withdrawn, setWithdrawn] = useState<string>();

  const waiting = tools.filter((tool) => !answered.has(tool.toolCallId));
  const current = waiting[0];
  if (current?.toolCallId !== asked?.toolCallId) {
    const vanished = asked !== undefined && !answered.has(asked.toolCallId);
    setWithdrawn(vanished ? readToolPrompt(asked).title : undefined);
    setAsked(current);
    if (current === undefined) setDone(0);
  }

  const markAnswered = useCallback((tool: AnyTool) => {
    setAnswered((earlier) => new Set([...earlier].slice(-MOST_REMEMBERED)).add(tool.toolCallId));
    setDone((count) => count + 1);
  }, []);
  const dismissWithdrawn = useCallback(() => setWithdrawn(undefined), []);

  return {
    waiting,
    position: { index: done + 1, total: done + waiting.length },
    withdrawn,
    dismissWithdrawn,
    markAnswered,
  };
}

/** Answered calls kept in mind. The store forgets a call within a frame; a handful would do. */
const MOST_REMEMBERED = 200;
