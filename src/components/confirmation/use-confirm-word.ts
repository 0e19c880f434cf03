import { type RefObject, useContext, useRef, useState } from 'react';
import { ArmingContext } from '../hooks/use-arming.ts';

export interface ConfirmWordControls {
  readonly word: string;
  readonly setWord: (word: string) => void;
  /** `typed` when the word matches, and where there is no word to type. */
  readonly status: 'typing' | 'typed';
  /** The person pressed the yes without the word. */
  readonly isMissing: boolean;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  /** Says that the word is missing, and moves the focus to its field. */
  readonly demand: () => void;
}

/** The word that a person has to type before a yes. */
export function useConfirmWord(confirmWord: string | undefined): ConfirmWordControls {
  const { rearm } = useContext(ArmingContext);
  const inputRef = useRef<HTMLInputElement>(null);
  const [word, setWord] = useState('');
  const [isMissing, setMissing] = useState(false);
  const matches = (typed: string) => confirmWord === undefined || typed.trim() === confirmWord.trim();
  return {
    word,
    setWord(next) {
      // Fast fingers go on after the last letter, and Enter would answer.
      if (matches(next) && !matches(word)) rearm();
      setWord(next);
      setMissing(false);
    },
    status: matches(word) ? 'typed' : 'typing',
    isMissing,
    inputRef,
    demand() {
      setMissing(true);
      inputRef.current?.focus();
    },
  };
}
