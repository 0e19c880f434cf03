import type { DocsPage } from './read-docs.ts';
import type { Snippet } from './read-markdown.ts';

/** Returns what is wrong with a page of the documentation, apart from the errors of the compiler. */
export function findPageFaults({ document, markdown, snippets }: DocsPage): string[] {
  const faults = snippets.flatMap((snippet, index) => {
    const fault = findSampleFault(snippet, snippets.slice(0, index));
    return fault === undefined ? [] : [`${document}:${snippet.line} ${fault}`];
  });
  if (!/^# \S/.test(markdown)) faults.push(`${document} does not begin with a title`);
  if (markdown.includes('<!--')) faults.push(`${document} has a comment that readers do not see`);
  return faults;
}

function findSampleFault({ file, language, code }: Snippet, earlier: readonly Snippet[]): string | undefined {
  if (file === undefined) return `does not begin with the name of its file, such as "// a.${language}"`;
  if (!file.endsWith(`.${language}`)) return `is named ${file}, and marked as ${language}`;
  if (/^\s*(?:export )?declare (?:const|let|var|function|class)\b/m.test(code)) {
    return 'declares something that readers do not see';
  }
  return earlier.some((each) => each.file === file) ? `shows ${file} a second time` : undefined;
}
