import { type RefObject, useContext, useEffect, useRef, useState } from 'react';
import { ARMING_DELAY_MS, ClockContext } from '../hooks/use-arming.ts';

export interface ConfirmWordControls {
  readonly word: string;
  readonly setWord: (word: string) => void;
  /** `typing` until the word matches, then `arming` for half a second, then `armed`. `armed` without a word to type. */
  readonly status: 'typing' | 'arming' | 'armed';
  /** The person pressed the yes without the word. */
  readonly isMissing: boolean;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  /** Says that the word is missing, and moves the focus to its field. */
  readonly demand: () => void;
}

/** The word that a person has to type before a yes. The last letter of the word must not be followed by a yes out of habit. */
export function useConfirmWord(confirmWord: string | undefined): ConfirmWordControls {
  const clock = useContext(ClockContext);
  const inputRef = useRef<HTMLInputElement>(null);
  const [word, setWord] = useState('');
  const [isMissing, setMissing] = useState(false);
  const [isArmed, setArmed] = useState(false);
  const matches = confirmWord === undefined || word.trim() === confirmWord.trim();
  const hasWord = confirmWord !== undefined;
  useEffect(() => {
    if (!matches || !hasWord) return;
    const cancelTimer = clock.after(ARMING_DELAY_MS, () => setArmed(true));
    return () => {
      cancelTimer();
      setArmed(false);
    };
  }, [matches, hasWord, clock]);
  return {
    word,
    setWord(next) {
      setWord(next);
      setMissing(false);
    },
    status: !matches ? 'typing' : isArmed || !hasWord ? 'armed' : 'arming',
    isMissing,
    inputRef,
    demand() {
      setMissing(true);
      inputRef.current?.focus();
    },
  };
}
