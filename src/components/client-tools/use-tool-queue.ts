import { useCallback, useMemo, useState } from 'react';
import { deepEqual } from '../../shared/deep-equal.ts';
import { type AnyTool, callKey } from '../any-tool.ts';
import type { QueuePosition, RetainedQuestions } from '../hooks/surface-context.ts';
import { usePutOff } from './use-put-off.ts';

export interface ToolQueue {
  /** The questions of `waiting` that are shown by themselves: in a modal queue the first one that is not put off, else all of them. */
  readonly shown: readonly AnyTool[];
  /** The questions that the person has put off, oldest first. */
  readonly putOff: readonly AnyTool[];
  /** Puts a question off. */
  readonly later: (tool: AnyTool) => void;
  /** Shows a question that was put off. */
  readonly bringBack: (tool: AnyTool) => void;
  /** The questions to show: ended calls whose input the person has changed, then waiting calls in request order. */
  readonly waiting: readonly AnyTool[];
  /** The number of questions that can still be answered. */
  readonly open: number;
  readonly retained: RetainedQuestions;
  readonly position: QueuePosition;
  /** The questions that disappeared unanswered in the latest change. */
  readonly withdrawn: readonly AnyTool[];
  dismissWithdrawn(): void;
  /** Removes an answered call from the queue at once, before the store publishes the answer. */
  markAnswered(tool: AnyTool): void;
}

/** The queue of waiting calls in request order. `modal` shows its first question, `inline` all of them. */
export function useToolQueue(tools: readonly AnyTool[], mode: 'modal' | 'inline'): ToolQueue {
  const [answered, setAnswered] = useState<ReadonlySet<string>>(() => new Set());
  // The number of answered questions since the queue was last empty.
  const [done, setDone] = useState(0);
  const [shownBefore, setShownBefore] = useState<readonly AnyTool[]>([]);
  const [withdrawn, setWithdrawn] = useState<readonly AnyTool[]>([]);

  const open = tools.filter((tool) => !answered.has(callKey(tool)));
  const { ended, retained } = useRetainedQuestions(open, answered);
  const waiting = [...ended, ...open];
  const { putOff, later, bringBack } = usePutOff(open);
  const inTurn = waiting.filter((tool) => !putOff.includes(tool));
  const shown = mode === 'modal' ? inTurn.slice(0, 1) : waiting;
  if (!haveSameCalls(shown, shownBefore)) {
    setWithdrawn(shownBefore.filter((tool) => !answered.has(callKey(tool)) && !includesCall(waiting, tool)));
    setShownBefore(shown);
    if (shown.length === 0) setDone(0);
  }

  const markAnswered = useCallback((tool: AnyTool) => {
    setAnswered((earlier) => new Set([...earlier].slice(-MAX_ANSWERED)).add(callKey(tool)));
    setDone((count) => count + 1);
  }, []);
  const dismissWithdrawn = useCallback(() => setWithdrawn([]), []);

  return {
    waiting,
    shown,
    putOff,
    later,
    bringBack,
    open: open.length,
    retained,
    position: { index: done + 1, total: done + inTurn.length },
    withdrawn,
    dismissWithdrawn,
    markAnswered,
  };
}

/** Keeps questions whose calls ended (expired, answered elsewhere) while the person typed, until the person closes them. */
function useRetainedQuestions(
  open: readonly AnyTool[],
  answered: ReadonlySet<string>,
): { ended: readonly AnyTool[]; retained: RetainedQuestions } {
  const [dirty, setDirty] = useState<ReadonlySet<string>>(() => new Set());
  const [openBefore, setOpenBefore] = useState(open);
  const [endedBefore, setEnded] = useState<readonly AnyTool[]>([]);

  let ended = endedBefore;
  if (!haveSameCalls(open, openBefore)) {
    const justEnded = openBefore.filter((tool) => dirty.has(callKey(tool)) && !answered.has(callKey(tool)));
    ended = [...endedBefore, ...justEnded].filter(
      (tool) => !answered.has(callKey(tool)) && !includesCall(open, tool),
    );
    setOpenBefore(open);
    setEnded(ended);
  }
  const markDirty = useCallback((tool: AnyTool) => {
    const key = callKey(tool);
    setDirty((earlier) => (earlier.has(key) ? earlier : new Set(earlier).add(key)));
  }, []);
  const retained = useMemo<RetainedQuestions>(
    () => ({ markDirty, isEnded: (tool) => includesCall(endedBefore, tool) }),
    [markDirty, endedBefore],
  );
  return { ended: ended.filter((tool) => !answered.has(callKey(tool))), retained };
}

function haveSameCalls(one: readonly AnyTool[], other: readonly AnyTool[]): boolean {
  return deepEqual(one.map(callKey), other.map(callKey));
}

function includesCall(tools: readonly AnyTool[], tool: AnyTool): boolean {
  return tools.map(callKey).includes(callKey(tool));
}

/** The number of answered calls to remember. The store drops an answered call within a frame, so a few would do. */
const MAX_ANSWERED = 200;
