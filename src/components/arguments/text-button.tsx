import type { ButtonHTMLAttributes } from 'react';
import { joinWords } from '../primitives/join-words.ts';
import { Slot } from '../primitives/slot.tsx';

/** A button that looks like a link, inside a table. */
export function TextButton({ className, ...rest }: ButtonHTMLAttributes<HTMLButtonElement>) {
  return (
    <Slot
      slotName="button"
      as="button"
      {...rest}
      type="button"
      className={joinWords('hr-text-button', className)}
    />
  );
}
