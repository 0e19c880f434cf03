import type { ReactNode } from 'react';
import type { FilePart, SourcePart } from '../../state/message.ts';
import { FileIcon, LinkIcon } from '../parts/icons.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { displayText, readLink } from '../text/safe-text.ts';

/** What an answer is based on. A page is named by its title and by where it really is. */
export function SourcePartView({ part }: { part: SourcePart }) {
  const address = part.sourceType === 'url' ? part.url : undefined;
  const title = displayText(part.title ?? address ?? '', 200);
  const link = address === undefined ? undefined : readLink(address);
  return (
    <p className="hr-aside">
      <LinkIcon />
      <MaybeLink href={link}>{title}</MaybeLink>
      {link !== undefined && part.title !== undefined && <bdi className="hr-faint">{hostOf(link)}</bdi>}
      {address !== undefined && link === undefined && address !== part.title && (
        <bdi className="hr-faint">{displayText(address, 200)}</bdi>
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
        {displayText(part.filename ?? labels.file, 120)}
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

/** A path of this site, such as the app's own download route. Two slashes, or one and a backslash, are another host. */
function readOwnPath(address: string): string | undefined {
  return /^\/(?![/\\])/.test(address) ? address : undefined;
}

function hostOf(link: string): string {
  const { host, pathname } = new URL(link);
  return host === '' ? pathname : host;
}
