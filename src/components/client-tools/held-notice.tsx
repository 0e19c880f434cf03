import { useEffect, useRef, useSyncExternalStore } from 'react';
import { type HeldQuestion, useHeldQuestions } from '../hooks/held-questions.ts';
import { Announcement } from '../primitives/announcement.tsx';
import { Button } from '../primitives/button.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';

/**
 * Tells of the held question of a queue: screen readers, `useHeldQuestion`, and the person by a pill at the foot of the page, unless a
 * component of the page shows it already.
 */
export function HeldNotice({ title, reason, onOpen }: Omit<HeldQuestion, 'open'> & { onOpen: () => void }) {
  const labels = useLabels();
  const held = useHeldQuestions();
  const latestOpen = useRef(onOpen);
  useEffect(() => {
    latestOpen.current = onOpen;
  });
  useEffect(() => held.hold({}, { title, reason, open: () => latestOpen.current() }), [held, title, reason]);
  const isShown = useSyncExternalStore(held.subscribe, held.areShown, held.areShown);
  const text = reason === 'typing' ? labels.askedWhileTyping(title) : labels.waitsForYou(title);
  return (
    <>
      <Announcement text={text} />
      {!isShown && (
        <Slot slotName="toast" as="div" className="hr-toast" data-held={reason}>
          <p>
            {text}
            {reason === 'typing' && <span className="hr-faint"> {labels.opensWhenYouPause}</span>}
          </p>
          <Button onClick={onOpen}>{labels.openQuestion}</Button>
        </Slot>
      )}
    </>
  );
}
