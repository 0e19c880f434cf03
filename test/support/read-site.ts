import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { SITE } from '../../.scripts/site/serve-site.mjs';

/** Returns the pages of the docs and of the API reference, as paths in the site: `/tools`, `/api/handrail`. */
export function listSitePages(): string[] {
  const inFolder = (folder: string) =>
    readdirSync(path.join(SITE, folder))
      .filter((file) => file.endsWith('.html') && file !== '404.html')
      .map((file) => `/${folder}${file.replace(/(?:index)?\.html$/, '')}`);
  return [...inFolder(''), ...inFolder('api/')];
}

export function readSiteFile(address: string): string | undefined {
  const file = findFile(address);
  return file === undefined ? undefined : readFileSync(file, 'utf8');
}

/** Returns the links of a page of the site that lead to nothing in the site. Other sites are not looked up. */
export function findDeadSiteLinks(page: string): string[] {
  const html = readSiteFile(page) ?? '';
  const links = [...html.matchAll(/\s(?:href|src)="([^"]+)"/g)].map((match) => match[1] ?? '');
  return [...new Set(links)]
    .filter((link) => !/^(https?|data|mailto):/.test(link) && !leadsSomewhere(page, link))
    .map((link) => `${page} links to ${link}`);
}

function leadsSomewhere(page: string, link: string): boolean {
  const { pathname, hash } = new URL(link.replaceAll('&amp;', '&'), `http://site${page}`);
  const text = readSiteFile(decodeURIComponent(pathname));
  return text !== undefined && (hash === '' || text.includes(`id="${decodeURIComponent(hash.slice(1))}"`));
}

function findFile(address: string): string | undefined {
  const file = path.join(SITE, address);
  return [file, `${file}.html`, path.join(file, 'index.html')].find(
    (candidate) => existsSync(candidate) && statSync(candidate).isFile(),
  );
}
