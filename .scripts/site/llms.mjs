/** For coding agents: a Markdown twin of each page, `llms.txt` with a line for each, and `llms-full.txt` with all text. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { documentedEntries, toApiPage } from './api-pages.mjs';
import { PAGES, readChapters, readIntroduction } from './pages.mjs';

/** @param {string} site the folder of the built site */
export function writeTwins(site) {
  for (const folder of ['', 'api']) {
    mkdirSync(path.join(site, folder), { recursive: true });
    for (const file of readdirSync(path.join(PAGES, folder)).filter((name) => name.endsWith('.md'))) {
      // The home page has a question and no text; the overview stands for it.
      const source = folder === '' && file === 'index.md' ? 'overview.md' : file;
      cpSync(path.join(PAGES, folder, source), path.join(site, folder, file));
    }
  }
  const chapters = readChapters();
  writeFileSync(path.join(site, 'llms.txt'), toLlms(chapters));
  const pages = chapters.flatMap((chapter) => chapter.pages.map(({ page }) => page));
  const texts = [...new Set(pages)].map((page) =>
    readFileSync(path.join(PAGES, `${page}.md`), 'utf8').trim(),
  );
  writeFileSync(path.join(site, 'llms-full.txt'), `${texts.join('\n\n---\n\n')}\n`);
}

/** @param {ReturnType<typeof readChapters>} chapters */
function toLlms(chapters) {
  const lists = chapters.map(({ title, pages }) => {
    const lines = pages.map(({ page, title: name, gives }) => `- [${name}](/${page}.md): ${gives}`);
    return `## ${title}\n\n${lines.join('\n')}`;
  });
  const api = documentedEntries().map(({ name }) => `- [${name}](/api/${toApiPage(name)}.md)`);
  return `# handrail

> React hooks and a UI kit for agent tools that run, or wait, in the browser, with the server half. ${readIntroduction()}

All pages in one file: [llms-full.txt](/llms-full.txt). Each page of this site has its Markdown at its address with ".md" at the end.

${lists.join('\n\n')}

## API reference

${api.join('\n')}
`;
}
