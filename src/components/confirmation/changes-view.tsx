import { ArgumentsView } from '../primitives/arguments-view.tsx';
import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import type { ArgumentChange } from './use-edited-arguments.ts';

/** Shows the person's changes to the arguments, before and after, so that the person notices a change made by mistake. */
export function ChangesView({ changes }: { changes: readonly ArgumentChange[] }) {
  const labels = useLabels();
  if (changes.length === 0) return null;
  const side = (when: 'before' | 'after') => (
    <>
      <Slot slotName="hint" as="p" className="hr-hint">
        {labels[when]}
      </Slot>
      <ArgumentsView
        value={Object.fromEntries(changes.map((change) => [change.name, change[when]]))}
        label={labels[when]}
      />
    </>
  );
  return (
    <Slot
      slotName="notice"
      as="section"
      className="hr-notice"
      data-look="changes"
      aria-label={labels.yourChanges}
    >
      <p>{labels.yourChanges}</p>
      {side('before')}
      {side('after')}
    </Slot>
  );
}
