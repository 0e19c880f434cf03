import { useCallback, useContext, useEffect, useState } from 'react';
import type { AnyTool } from '../any-tool.ts';
import { ClockContext } from '../hooks/use-arming.ts';
import { useBeforePaint } from '../hooks/use-before-paint.ts';
import { TypingWatch } from '../hooks/watch-typing.ts';

/** A question waits for a pause in typing at most this many milliseconds. */
const LONGEST_HOLD_MS = 10_000;

export interface Hold {
  readonly typing: TypingWatch;
  /** The dialog must not open yet, because the person types. */
  readonly isHeld: boolean;
  /** Opens it because the person asks for it. */
  open(): void;
}

/**
 * Keeps the first dialog of a queue closed while somebody types into the page: a dialog takes the keys, and the text would be lost. Once one
 * dialog is open, the next ones replace it.
 *
 * @param tool the question to show next; undefined when there is none, or when it needs no dialog
 */
export function useHold(tool: AnyTool | undefined): Hold {
  const clock = useContext(ClockContext);
  const [typing] = useState(() => new TypingWatch(clock));
  const [status, setStatus] = useState<'empty' | 'held' | 'open'>('empty');
  useBeforePaint(() => typing.start(), [typing]);

  let current = status;
  if (tool === undefined) current = 'empty';
  else if (status === 'empty') current = typing.isTyping() ? 'held' : 'open';
  if (current !== status) setStatus(current);

  const open = useCallback(() => setStatus('open'), []);
  const isHeld = current === 'held';
  useEffect(() => {
    if (!isHeld) return;
    const cancels = [typing.afterPause(open), clock.after(LONGEST_HOLD_MS, open)];
    return () => {
      for (const cancel of cancels) cancel();
    };
  }, [isHeld, typing, clock, open]);
  const openByPerson = useCallback(() => {
    typing.stopWaiting();
    open();
  }, [typing, open]);
  return { typing, isHeld, open: openByPerson };
}
