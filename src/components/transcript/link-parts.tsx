import type { ReactNode } from 'react';
import type { FilePart, SourcePart } from '../../state/message.ts';
import { FileIcon, LinkIcon } from '../primitives/icons.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { displayText, readLink } from '../text/safe-text.ts';

/** What an answer is based on. A page is named by its title and by where it really is. */
export function SourcePartView({ part }: { part: SourcePart }) {
  const address = part.sourceType === 'url' ? part.url : '';
  const link = readLink(address);
  const place = link ?? address;
  const title = part.title || place;
  return (
    <p className="hr-aside">
      <LinkIcon />
      <MaybeLink href={link}>{displayText(title, 200)}</MaybeLink>
      {place !== '' && place !== title && (
        <bdi className="hr-faint">{displayText(link === undefined ? address : hostOf(link), 200)}</bdi>
      )}
    </p>
  );
}

/**
 * A file of the person or of the agent, to be opened on demand. Nothing is fetched for a preview: an address can carry
 * what was said in this conversation to wherever it leads.
 */
export function FilePartView({ part }: { part: FilePart }) {
  const labels = useLabels();
  return (
    <p className="hr-file">
      <FileIcon />
      <MaybeLink href={readLink(part.url) ?? readOwnPath(part.url)}>
        {displayText(part.filename || labels.file, 120)}
      </MaybeLink>
      {part.size !== undefined && <bdi className="hr-faint">{labels.fileSize(part.size)}</bdi>}
    </p>
  );
}

function MaybeLink({ href, children }: { href: string | undefined; children: string }): ReactNode {
  if (href === undefined) return <bdi>{children}</bdi>;
  return (
    <a className="hr-link" href={href} target="_blank" rel="noopener noreferrer nofollow">
      <bdi>{children}</bdi>
    </a>
  );
}

/**
 * A path of this site, such as the app's own download route. Two slashes, or one and a backslash, are another host, also
 * with a tab or a line break in between, which browsers leave out.
 */
function readOwnPath(address: string): string | undefined {
  return /^\/(?![/\\])\S*$/.test(address) ? address : undefined;
}

function hostOf(link: string): string {
  const { host, pathname } = new URL(link);
  return host === '' ? pathname : host;
}
