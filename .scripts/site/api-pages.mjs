/** The API reference: a page for each entry of the package, made by TypeDoc from the comments of what it exports. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { Application } from 'typedoc';
import { packageEntries, root } from '../package-entries.mjs';
import { PAGES } from './pages.mjs';

const FOLDER = path.join(PAGES, 'api');

/** The entries with a page: the sandbox's worker is a file, and the languages are one object each. */
export function documentedEntries() {
  return packageEntries().filter(({ name }) => !/\/(worker|locales\/\w+)$/.test(name));
}

/** @param {string} name of an entry: `handrail/core` */
export function toApiPage(name) {
  return name.replaceAll('/', '-');
}

export async function writeApiPages() {
  rmSync(FOLDER, { recursive: true, force: true });
  const entries = documentedEntries();
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    tsconfig: `${root}tsconfig.json`,
    entryPoints: entries.map(({ source }) => source),
    out: FOLDER,
    readme: 'none',
    // `npm run typecheck` has said what is wrong.
    skipErrorChecking: true,
    excludeInternal: true,
    excludePrivate: true,
    disableSources: true,
    logLevel: 'Error',
    ...MARKDOWN,
  });
  const project = await app.convert();
  if (project === undefined) throw new Error('TypeDoc could not read the entries of the package.');
  await app.generateOutputs(project);
  for (const { name, file } of entries) {
    const page = readFileSync(path.join(FOLDER, `${file}.md`), 'utf8');
    rmSync(path.join(FOLDER, `${file}.md`));
    writeFileSync(path.join(FOLDER, `${toApiPage(name)}.md`), toPage(page, name, entries));
  }
  rmSync(path.join(FOLDER, 'README.md'), { force: true });
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(path.join(FOLDER, 'index.md'), toIndex(entries));
}

/** Options of the plugin, which TypeDoc's own type does not know. */
const MARKDOWN = /** @type {{}} */ ({
  router: 'module',
  hideBreadcrumbs: true,
  hidePageHeader: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  propertyMembersFormat: 'table',
  typeDeclarationFormat: 'table',
  useCodeBlocks: true,
  expandObjects: false,
});

/**
 * @param {string} page
 * @param {string} name
 * @param {ReturnType<typeof documentedEntries>} entries
 */
function toPage(page, name, entries) {
  const linked = entries.reduce(
    (text, entry) => text.replaceAll(`](${entry.file}.md`, `](${toApiPage(entry.name)}.md`),
    page,
  );
  const head = `---\noutline: 3\neditLink: false\n---\n\n# \`${name}\`\n`;
  // Vue would read two braces as an expression.
  return `${head}${linked.replace(/^# .*\n/, '').replaceAll('{{', '{\u200b{')}`;
}

/** @param {ReturnType<typeof documentedEntries>} entries */
function toIndex(entries) {
  const rows = entries.map(({ name }) => `- [\`${name}\`](${toApiPage(name)}.md)`);
  return `# API reference\n\nA page for each entry of the package. What is exported has its types here and in your editor; how to use it is in the [pages by task](../overview.md).\n\n${rows.join('\n')}\n`;
}
