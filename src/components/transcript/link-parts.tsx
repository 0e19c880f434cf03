import type { ReactNode } from 'react';
import type { FilePart, SourcePart } from '../../core/state/message.ts';
import { FileIcon, LinkIcon } from '../primitives/icons.tsx';
import { useLabels } from '../text/labels-context.tsx';
import { displayText, readLink } from '../text/safe-text.ts';

/** A source of an answer. A page is shown with its title and its real host. */
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
 * A link to a file of the person or of the agent. There is no preview, because fetching one could send text of the
 * conversation, hidden in the address, to another site.
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
 * Returns a path of this site, such as the app's own download route. `//host` and `/\host` lead to another host, also with a
 * tab or line break inside, because browsers remove those.
 */
function readOwnPath(address: string): string | undefined {
  return /^\/(?![/\\])\S*$/.test(address) ? address : undefined;
}

function hostOf(link: string): string {
  const { host, pathname } = new URL(link);
  return host === '' ? pathname : host;
}
