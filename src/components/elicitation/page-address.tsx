import { Slot } from '../primitives/slot.tsx';
import { englishElicitationLabels } from '../text/elicitation-labels.ts';
import { useLabels } from '../text/labels-context.tsx';
import type { CheckedUrl } from './check-url.ts';

/** The whole URL as text with its host in bold, and the warnings about it. It is never a link: see `page-body.tsx`. */
export function PageAddress({ id, url, opened }: { id: string; url: CheckedUrl; opened: boolean }) {
  const labels = useLabels(englishElicitationLabels);
  const warnings =
    url.status === 'blocked'
      ? [labels.urlBlockReasons[url.reason]]
      : url.warnings.map((warning) => labels.urlWarnings[warning]);
  return (
    <div id={id} className="hr-page">
      <Slot slotName="hint" as="p" className="hr-hint">
        {labels.pageAddress}
      </Slot>
      <p className="hr-page-address" dir="ltr" translate="no">
        {url.status === 'blocked' ? (
          url.text
        ) : (
          <>
            {url.before}
            <strong className="hr-page-host">{url.host}</strong>
            {url.after}
          </>
        )}
      </p>
      {warnings.length > 0 && (
        <Slot
          slotName="notice"
          as="div"
          className="hr-notice"
          data-small=""
          data-look={url.status === 'blocked' ? 'error' : 'caution'}
        >
          {warnings.map((warning) => (
            <p key={warning}>{warning}</p>
          ))}
        </Slot>
      )}
      {url.status === 'openable' && (
        <Slot slotName="hint" as="p" className="hr-hint">
          {opened ? labels.pageOpened : labels.pageHint}
        </Slot>
      )}
    </div>
  );
}
