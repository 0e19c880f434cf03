/** The site. `npm run site` builds it: see `.scripts/site`. */
import { defineConfig } from 'vitepress';
import { documentedEntries, toApiPage } from '../../.scripts/site/api-pages.mjs';
import { BUILT, PAGES, readChapters } from '../../.scripts/site/pages.mjs';

const DESCRIPTION = 'React hooks and a UI kit for agent tools that run, or wait, in the browser.';

const sidebar = readChapters().map(({ title, pages }) => ({
  text: title,
  items: pages.map(({ page, title: text }) => ({ text: text.replaceAll('`', ''), link: `/${page}` })),
}));
const reference = [
  {
    text: 'API reference',
    link: '/api/',
    items: documentedEntries().map(({ name }) => ({ text: name, link: `/api/${toApiPage(name)}` })),
  },
];

export default defineConfig({
  title: 'handrail',
  description: DESCRIPTION,
  lang: 'en',
  srcDir: PAGES,
  outDir: BUILT,
  cacheDir: '../node_modules/.cache/vitepress',
  cleanUrls: true,
  // The playground and Storybook are built beside these pages.
  ignoreDeadLinks: [/^\/(playground|storybook)\//],
  head: [
    ['link', { rel: 'icon', href: '/icon.svg', type: 'image/svg+xml' }],
    ['meta', { property: 'og:title', content: 'handrail' }],
    ['meta', { property: 'og:description', content: DESCRIPTION }],
  ],
  transformHead: ({ pageData: { relativePath } }) => [
    ['link', { rel: 'alternate', type: 'text/markdown', href: `/${relativePath}` }],
  ],
  // Beside each other these two can be read on both grounds, also what is a comment.
  markdown: {
    // Vue would evaluate two braces in the code of a sentence.
    config(md) {
      const renderInline = md.renderer.rules.code_inline;
      md.renderer.rules.code_inline = (tokens, index, ...rest) => {
        tokens[index]?.attrSet('v-pre', '');
        return renderInline?.(tokens, index, ...rest) ?? '';
      };
    },
    // Headings have the anchors that GitHub gives them, because the pages are read there too.
    anchor: {
      slugify: (text) =>
        text
          .trim()
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}_\- ]/gu, '')
          .replaceAll(' ', '-'),
    },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
  },
  themeConfig: {
    logo: '/icon.svg',
    nav: [
      { text: 'Docs', link: '/overview', activeMatch: '^/(?!api/|$)' },
      { text: 'API', link: '/api/', activeMatch: '^/api/' },
      { text: 'Playground', link: '/playground/', target: '_self' },
      { text: 'Components', link: '/storybook/', target: '_self' },
    ],
    sidebar: { '/api/': reference, '/': sidebar },
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    socialLinks: [{ icon: 'github', link: 'https://github.com/handrail/handrail' }],
    footer: { message: 'MIT licence. This site has no server, no cookies and no counters.' },
  },
});
