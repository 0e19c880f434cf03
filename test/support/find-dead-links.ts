import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { readManifest, root } from '../../.scripts/package-entries.mjs';
import type { DocsPage } from './read-docs.ts';
import { readAnchors, readLinks } from './read-markdown.ts';

/** The address of the repository, from package.json. */
const REPOSITORY = readManifest()
  .repository.url.replace(/^git\+/, '')
  .replace(/\.git$/, '');

/**
 * Returns the links of a page that lead nowhere. Relative links may lead to pages and pictures in `docs/`, as the pages are shown without the
 * rest of the repository. A link with the address of the repository may lead to any file of it. Other addresses are not looked up.
 */
export function findDeadLinks({ document, markdown }: DocsPage): string[] {
  const dead = readLinks(markdown).filter((link) => {
    const target = findTarget(link, document);
    return target !== 'elsewhere' && !exists(target);
  });
  return dead.map((link) => `${document} links to ${link}`);
}

interface Target {
  /** The path of a file in the repository. */
  readonly file: string;
  readonly anchor: string | undefined;
}

function findTarget(link: string, document: string): Target | 'elsewhere' {
  const [address = '', anchor] = link.split('#');
  const inRepository = /^\/(?:blob|raw)\/main\/(.+)/.exec(address.replace(REPOSITORY, ''))?.[1];
  if (address.startsWith(REPOSITORY) && inRepository !== undefined) return { file: inRepository, anchor };
  if (/^(https?|mailto):/.test(address)) return 'elsewhere';
  const file = address === '' ? document : path.posix.join(path.posix.dirname(document), address);
  const isShown = file === document || (document.startsWith('docs/') && file.startsWith('docs/'));
  return { file: isShown ? file : '', anchor };
}

function exists({ file, anchor }: Target): boolean {
  if (file === '') return false;
  if (!existsSync(path.join(root, file))) return false;
  return anchor === undefined || readAnchors(readFileSync(path.join(root, file), 'utf8')).includes(anchor);
}
