import { type ReactNode, useRef } from 'react';
import { readActiveElement } from '../hooks/focus-in-shadow.ts';
import { useBeforePaint } from '../hooks/use-before-paint.ts';
import { focusOnce } from '../hooks/use-return-focus.ts';
import type { SeenDetails } from '../hooks/use-seen.ts';
import { useLabels } from '../text/labels-context.tsx';
import { Announcement } from './announcement.tsx';
import { MoreIcon } from './icons.tsx';
import { Slot } from './slot.tsx';

interface UnseenPillProps {
  readonly id: string;
  readonly seen: SeenDetails;
}

/** Lies over the foot of a question while some of its details were not in view yet. A press leads to the first of them. */
export function UnseenPill({ id, seen }: UnseenPillProps) {
  const labels = useLabels();
  const { unseen } = seen;
  if (!unseen || unseen.count === 0) return <Announcement text="" />;
  const text = unseen.isAbove ? labels.detailsAbove(unseen.count) : labels.detailsBelow(unseen.count);
  return (
    <>
      <PillButton id={id} seen={seen}>
        <MoreIcon isAbove={unseen.isAbove} />
        {text}
      </PillButton>
      <Announcement text={text} />
    </>
  );
}

/** Tab may bring the details into view together with the pill: the focus goes to them when it disappears, and not to the top of the page. */
function PillButton({ id, seen, children }: UnseenPillProps & { readonly children: ReactNode }) {
  const pill = useRef<HTMLButtonElement>(null);
  const { region } = seen;
  useBeforePaint(() => {
    const button = pill.current;
    return () => {
      if (button !== null && button === readActiveElement() && region.current !== null)
        focusOnce(region.current);
    };
  }, [region]);
  return (
    <Slot
      slotName="pill"
      as="button"
      type="button"
      className="hr-pill"
      ref={pill}
      id={id}
      onClick={seen.showNext}
    >
      {children}
    </Slot>
  );
}
