import type { ReactNode } from 'react';
import type { ToolCallPart } from '../../core/state/message.ts';
import { CallFields } from '../arguments/call-body.tsx';
import { LinkIcon, SearchIcon } from '../primitives/icons.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { displayText, humaniseName } from '../text/safe-text.ts';
import { englishTranscriptLabels } from '../text/transcript-labels.ts';
import { FilePartView, SourcePartView } from './link-parts.tsx';
import { type ProviderAction, readProviderResult } from './read-provider-result.ts';

/** The page stays usable whatever a provider sends. */
const MAX_ENTRIES = 40;

/**
 * The inside of a call that the provider of the model executed: its steps, the pages it read and the files it made. There is nothing to
 * answer or to repeat, because neither this page nor the server runs such a call.
 */
export function ProviderCallBody({ part }: { part: ToolCallPart }) {
  const labels = useLabels(englishTranscriptLabels);
  const { actions, sources, artifacts, rest } = readProviderResult(part.result);
  return (
    <div className="hr-call-body">
      <Section title={labels.providerActions} items={actions}>
        {(action) => <Action action={action} />}
      </Section>
      <Section title={labels.providerSources} items={sources}>
        {({ url, title = '' }) => (
          <SourcePartView part={{ type: 'source', sourceType: 'url', id: url, url, title }} />
        )}
      </Section>
      <Section title={labels.providerArtifacts} items={artifacts}>
        {({ name, mediaType, url = '' }) => (
          <FilePartView part={{ type: 'file', id: name, filename: name, mediaType, url }} />
        )}
      </Section>
      <CallFields call={{ args: part.args, result: rest, error: part.error }} />
    </div>
  );
}

function Section<Item>({
  title,
  items,
  children,
}: {
  title: string;
  items: readonly Item[];
  children: (item: Item) => ReactNode;
}) {
  const labels = useLabels();
  if (items.length === 0) return null;
  const more = items.length - MAX_ENTRIES;
  return (
    <div>
      <p className="hr-call-heading" aria-hidden="true">
        {title}
      </p>
      <ul className="hr-provider-list" aria-label={title}>
        {items.slice(0, MAX_ENTRIES).map((item, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a result never changes while it is shown
          <li key={index}>{children(item)}</li>
        ))}
      </ul>
      {more > 0 && <p className="hr-faint">{labels.moreItems(more)}</p>}
    </div>
  );
}

function Action({ action: { type, subject } }: { action: ProviderAction }) {
  return (
    <p className="hr-aside">
      {type.includes('search') ? <SearchIcon /> : <LinkIcon />}
      <span>{humaniseName(type)}</span>
      {subject !== undefined && <bdi className="hr-provider-subject">{displayText(subject, 300)}</bdi>}
    </p>
  );
}
