import { Slot } from '../primitives/slot.tsx';
import { useLabels } from '../text/labels-context.tsx';
import type { CheckedUrl } from './check-url.ts';

/** The whole address as text, the host to be seen at a glance, and what is odd about it. Never a link. */
export function PageAddress({ id, page, opened }: { id: string; page: CheckedUrl; opened: boolean }) {
  const labels = useLabels();
  const warnings =
    page.state === 'blocked'
      ? [labels.urlBlockReasons[page.obstacle]]
      : page.oddities.map((oddity) => labels.urlWarnings[oddity]);
  return (
    <div id={id} className="hr-page">
      <Slot slotName="hint" as="p" className="hr-hint">
        {labels.pageAddress}
      </Slot>
      <p className="hr-page-address" dir="ltr" translate="no">
        {page.state === 'blocked' ? (
          page.text
        ) : (
          <>
            {page.before}
            <strong className="hr-page-host">{page.host}</strong>
            {page.after}
          </>
        )}
      </p>
      {warnings.length > 0 && (
        <Slot
          slotName="notice"
          as="div"
          className="hr-notice"
          data-small=""
          data-look={page.state === 'blocked' ? 'error' : 'caution'}
        >
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Slot>
      )}
      {page.state === 'openable' && (
        <Slot slotName="hint" as="p" className="hr-hint">
          {opened ? labels.pageOpened : labels.pageHint}
        </Slot>
      )}
    </div>
  );
}
