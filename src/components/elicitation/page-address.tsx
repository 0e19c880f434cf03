import { Part } from '../parts/part.tsx';
import { useLabels } from '../text/labels-context.tsx';
import type { Page } from './judge-page.ts';

/** The whole address as text, the host to be seen at a glance, and what is odd about it. Never a link. */
export function PageAddress({ id, page, opened }: { id: string; page: Page; opened: boolean }) {
  const labels = useLabels();
  const warnings =
    page.state === 'blocked'
      ? [labels.pageObstacles[page.obstacle]]
      : page.oddities.map((oddity) => labels.pageOddities[oddity]);
  return (
    <div id={id} className="hr-page">
      <Part partName="hint" as="p" className="hr-hint">
        {labels.pageAddress}
      </Part>
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
        <Part
          partName="notice"
          as="div"
          className="hr-notice"
          data-small=""
          data-look={page.state === 'blocked' ? 'error' : 'caution'}
        >
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Part>
      )}
      {page.state === 'openable' && (
        <Part partName="hint" as="p" className="hr-hint">
          {opened ? labels.pageOpened : labels.pageHint}
        </Part>
      )}
    </div>
  );
}
