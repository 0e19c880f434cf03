/**
 * The pages of the site as Markdown, made from `docs/`: VitePress builds them, and the site has each of them a second time as it is, for
 * coding agents. `docs/index.md` is the overview, because the address `/` belongs to the home page.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { root } from '../package-entries.mjs';

const DOCS = path.join(root, 'docs');
/** What VitePress reads, and what it makes of it. Not in git. */
export const PAGES = path.join(root, '.site/pages');
export const BUILT = path.join(root, '.site/built');

/**
 * @typedef {object} Chapter
 * @property {string} title
 * @property {{ page: string, title: string, gives: string }[]} pages  `page` without `.md`; `gives` is what a reader has after it
 */

/** Writes the pages of `docs/` and the home page to {@link PAGES}. */
export function stagePages() {
  rmSync(PAGES, { recursive: true, force: true });
  mkdirSync(path.join(PAGES, 'public'), { recursive: true });
  for (const file of readdirSync(DOCS)) {
    const target = path.join(PAGES, toStaged(file));
    if (file.endsWith('.md')) writeFileSync(target, stagePage(readFileSync(path.join(DOCS, file), 'utf8')));
    else if (/\.(png|svg)$/.test(file)) cpSync(path.join(DOCS, file), target);
  }
  cpSync(path.join(root, '.scripts/site/home.md'), path.join(PAGES, 'index.md'));
  cpSync(path.join(DOCS, '.vitepress/public'), path.join(PAGES, 'public'), { recursive: true });
}

/**
 * The chapters of the overview, which are the chapters of the sidebar too. Pages that are not there yet are left out.
 *
 * @returns {Chapter[]}
 */
export function readChapters() {
  const [, ...parts] = readFileSync(path.join(DOCS, 'index.md'), 'utf8').split(/^## /m);
  return parts.map((part) => {
    const [title = '', ...lines] = part.split('\n');
    const pages = lines.flatMap((line) => {
      const [, names = '', gives = ''] = /^\| (\[.+\)) \| (.+) \|$/.exec(line) ?? [];
      return [...names.matchAll(/\[([^\]]+)\]\(([\w-]+)\.md\)/g)]
        .filter(([, , page = '']) => existsSync(path.join(DOCS, `${page}.md`)))
        .map(([, text = '', page = '']) => ({ page, title: readTitle(page, text), gives }));
    });
    return { title, pages };
  });
}

/** @returns {string} the first paragraph of the overview */
export function readIntroduction() {
  const [, text = ''] = readFileSync(path.join(DOCS, 'index.md'), 'utf8').split(/\n\n/);
  return text.replaceAll('\n', ' ');
}

/**
 * @param {string} page
 * @param {string} listed  how the overview calls it
 */
function readTitle(page, listed) {
  // "from CopilotKit" is clear in its row of the overview alone.
  return page.startsWith('migrate-')
    ? listed.replace(/^(Coming )?from /, 'From ').replaceAll('`', '')
    : listed;
}

/** @param {string} markdown */
function stagePage(markdown) {
  return markdown
    .replaceAll(/\]\(index\.md/g, '](overview.md')
    .replaceAll(/\[([^\]]+)\]\(([\w-]+)\.md(#[\w-]+)?\)/g, (link, text, page) =>
      page === 'overview' || existsSync(path.join(DOCS, `${page}.md`)) ? link : text,
    );
}

/** @param {string} file */
function toStaged(file) {
  return file === 'index.md' ? 'overview.md' : file;
}
