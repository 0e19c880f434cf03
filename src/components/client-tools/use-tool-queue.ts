import { useCallback, useMemo, useState } from 'react';
import { type AnyTool, callKey } from '../primitives/any-tool.ts';
import { sameJson } from '../primitives/same-json.ts';
import type { QueuePosition, RetainedQuestions } from '../primitives/surface-context.ts';

export interface ToolQueue {
  /** Questions to show: those that are over and hold something typed, then calls that wait, in request order. */
  readonly waiting: readonly AnyTool[];
  /** How many of them can still be answered. */
  readonly open: number;
  readonly retained: RetainedQuestions;
  readonly position: QueuePosition;
  /** Questions that were taken away unanswered just now. */
  readonly withdrawn: readonly AnyTool[];
  dismissWithdrawn(): void;
  /** The person is done with a call. It leaves the queue at once, before the store has heard of it. */
  markAnswered(tool: AnyTool): void;
}

/** One question after the other, in the order they were asked; or all of them together, `inline`. */
export function useToolQueue(tools: readonly AnyTool[], mode: 'modal' | 'inline'): ToolQueue {
  const [answered, setAnswered] = useState<ReadonlySet<string>>(() => new Set());
  // Questions of this row that are behind the person; a row ends when nothing waits.
  const [done, setDone] = useState(0);
  const [asked, setAsked] = useState<readonly AnyTool[]>([]);
  const [withdrawn, setWithdrawn] = useState<readonly AnyTool[]>([]);

  const open = tools.filter((tool) => !answered.has(callKey(tool)));
  const { kept, keeping } = useRetainedQuestions(open, answered);
  const waiting = [...kept, ...open];
  const shown = mode === 'modal' ? waiting.slice(0, 1) : waiting;
  if (!isSameRow(shown, asked)) {
    setWithdrawn(asked.filter((tool) => !answered.has(callKey(tool)) && !isAmong(waiting, tool)));
    setAsked(shown);
    if (shown.length === 0) setDone(0);
  }

  const markAnswered = useCallback((tool: AnyTool) => {
    setAnswered((earlier) => new Set([...earlier].slice(-MAX_ANSWERED)).add(callKey(tool)));
    setDone((count) => count + 1);
  }, []);
  const dismissWithdrawn = useCallback(() => setWithdrawn([]), []);

  return {
    waiting,
    open: open.length,
    retained: keeping,
    position: { index: done + 1, total: done + waiting.length },
    withdrawn,
    dismissWithdrawn,
    markAnswered,
  };
}

/** Questions whose calls ended (expired, answered elsewhere) while somebody was typing: they stay until put away. */
function useRetainedQuestions(
  open: readonly AnyTool[],
  answered: ReadonlySet<string>,
): { kept: readonly AnyTool[]; keeping: RetainedQuestions } {
  const [typed, setTyped] = useState<ReadonlySet<string>>(() => new Set());
  const [before, setBefore] = useState(open);
  const [over, setOver] = useState<readonly AnyTool[]>([]);

  let now = over;
  if (!isSameRow(open, before)) {
    const ended = before.filter((tool) => typed.has(callKey(tool)) && !answered.has(callKey(tool)));
    now = [...over, ...ended].filter((tool) => !answered.has(callKey(tool)) && !isAmong(open, tool));
    setBefore(open);
    setOver(now);
  }
  const noteTyped = useCallback((tool: AnyTool) => {
    const key = callKey(tool);
    setTyped((earlier) => (earlier.has(key) ? earlier : new Set(earlier).add(key)));
  }, []);
  const keeping = useMemo<RetainedQuestions>(
    () => ({ markDirty: noteTyped, isEnded: (tool) => isAmong(over, tool) }),
    [noteTyped, over],
  );
  return { kept: now.filter((tool) => !answered.has(callKey(tool))), keeping };
}

function isSameRow(one: readonly AnyTool[], other: readonly AnyTool[]): boolean {
  return sameJson(one.map(callKey), other.map(callKey));
}

function isAmong(tools: readonly AnyTool[], tool: AnyTool): boolean {
  return tools.map(callKey).includes(callKey(tool));
}

/** Answered calls kept in mind. The store forgets a call within a frame; a handful would do. */
const MAX_ANSWERED = 200;
