import type { SeenDetails } from '../hooks/use-seen.ts';
import { useLabels } from '../text/labels-context.tsx';
import { Announcement } from './announcement.tsx';
import { MoreIcon } from './icons.tsx';
import { Slot } from './slot.tsx';

/** Lies over the foot of a question while some of its details were not in view yet. A press leads to the first of them. */
export function UnseenPill({ id, seen: { unseen, showNext } }: { id: string; seen: SeenDetails }) {
  const labels = useLabels();
  if (!unseen || unseen.count === 0) return <Announcement text="" />;
  const text = unseen.isAbove ? labels.detailsAbove(unseen.count) : labels.detailsBelow(unseen.count);
  return (
    <>
      <Slot slotName="pill" as="button" type="button" className="hr-pill" id={id} onClick={showNext}>
        <MoreIcon isAbove={unseen.isAbove} />
        {text}
      </Slot>
      <Announcement text={text} />
    </>
  );
}
