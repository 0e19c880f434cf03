import { type RefObject, useRef, useState } from 'react';
import { useBeforePaint } from '../hooks/use-before-paint.ts';
import { useLabels } from '../text/labels-context.tsx';
import { Button } from './button.tsx';
import { Slot, type SlotName } from './slot.tsx';

/**
 * A text of which six lines are shown until the person asks for the rest, so that a long text pushes nothing out of view. Screen
 * readers read the whole text.
 */
export function FoldedText({
  slotName,
  as,
  className,
  id,
  text,
}: {
  slotName: SlotName;
  as: 'p' | 'blockquote';
  className: string;
  id?: string | undefined;
  text: string;
}) {
  const labels = useLabels();
  const element = useRef<HTMLElement>(null);
  const [isOpen, setOpen] = useState(false);
  const isLong = useOverflow(element, text, isOpen);
  return (
    <>
      <Slot
        slotName={slotName}
        as={as}
        ref={element as RefObject<never>}
        className={className}
        id={id}
        data-folded={isOpen ? undefined : ''}
      >
        {text}
      </Slot>
      {isLong && (
        <Button look="link" className="hr-show-all" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? labels.showLess : labels.showAll(text.length)}
        </Button>
      )}
    </>
  );
}

/** Returns true for a folded text that is longer than its lines. An opened text stays what it was, so that it can be folded again. */
function useOverflow(element: RefObject<HTMLElement | null>, text: string, isOpen: boolean): boolean {
  const [isLong, setLong] = useState(false);
  // Another text may be longer.
  useBeforePaint(() => {
    const box = element.current;
    if (box === null || isOpen) return;
    const measure = () => setLong(box.scrollHeight > box.clientHeight + 1);
    measure();
    if (typeof ResizeObserver === 'undefined') return;
    const observer = new ResizeObserver(measure);
    observer.observe(box);
    return () => observer.disconnect();
  }, [element, text, isOpen]);
  return isLong;
}
