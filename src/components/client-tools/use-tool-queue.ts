import { useCallback, useMemo, useState } from 'react';
import type { AnyTool } from '../parts/any-tool.ts';
import type { Keeping, QueuePosition } from '../parts/surface-context.ts';
import { readToolPrompt } from '../text/tool-prompt.ts';

export interface ToolQueue {
  /** Questions to show: those that are over and hold something typed, then calls that wait, in request order. */
  readonly waiting: readonly AnyTool[];
  readonly keeping: Keeping;
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

  const open = tools.filter((tool) => !answered.has(tool.toolCallId));
  const { kept, keeping } = useKeptQuestions(open, answered);
  const waiting = [...kept, ...open];
  const current = waiting[0];
  if (current?.toolCallId !== asked?.toolCallId) {
    const vanished =
      asked && !answered.has(asked.toolCallId) && !waiting.some((tool) => isSameCall(tool, asked));
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
    keeping,
    position: { index: done + 1, total: done + waiting.length },
    withdrawn,
    dismissWithdrawn,
    markAnswered,
  };
}

/** Questions whose calls ended (expired, answered elsewhere) while somebody was typing: they stay until put away. */
function useKeptQuestions(
  open: readonly AnyTool[],
  answered: ReadonlySet<string>,
): { kept: readonly AnyTool[]; keeping: Keeping } {
  const [typed, setTyped] = useState<ReadonlySet<string>>(() => new Set());
  const [before, setBefore] = useState(open);
  const [over, setOver] = useState<readonly AnyTool[]>([]);

  let now = over;
  if (before.length !== open.length || !open.every((tool, index) => isSameCall(tool, before[index]))) {
    const ended = before.filter((tool) => typed.has(tool.toolCallId) && !answered.has(tool.toolCallId));
    now = [...over, ...ended].filter(
      (tool) => !answered.has(tool.toolCallId) && !open.some((other) => isSameCall(other, tool)),
    );
    setBefore(open);
    setOver(now);
  }
  const noteTyped = useCallback(({ toolCallId }: AnyTool) => {
    setTyped((earlier) => (earlier.has(toolCallId) ? earlier : new Set(earlier).add(toolCallId)));
  }, []);
  const keeping = useMemo<Keeping>(
    () => ({ noteTyped, isOver: (tool) => over.some((other) => isSameCall(other, tool)) }),
    [noteTyped, over],
  );
  return { kept: now.filter((tool) => !answered.has(tool.toolCallId)), keeping };
}

function isSameCall(one: AnyTool, other: AnyTool | undefined): boolean {
  return one.toolCallId === other?.toolCallId;
}

/** Answered calls kept in mind. The store forgets a call within a frame; a handful would do. */
const MOST_REMEMBERED = 200;
