import { ArgumentsView } from '../parts/arguments-view.tsx';
import { useLabels } from '../text/labels-context.tsx';
import type { ArgumentChange } from './use-edited-arguments.ts';

/** What the person changed of the agent's arguments, before and after, so that nobody confirms a slip of the hand. */
export function ChangesView({ changes }: { changes: readonly ArgumentChange[] }) {
  const labels = useLabels();
  if (changes.length === 0) return null;
  const side = (pick: 'before' | 'after') =>
    Object.fromEntries(changes.map((change) => [change.name, change[pick]]));
  return (
    <section className="hr-notice" data-look="changes" aria-label={labels.yourChanges}>
      <p>{labels.yourChanges}</p>
      <p className="hr-hint">{labels.before}</p>
      <ArgumentsView value={side('before')} />
      <p className="hr-hint">{labels.after}</p>
      <ArgumentsView value={side('after')} />
    </section>
  );
}
