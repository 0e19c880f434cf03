/** A fenced block of code. */
export interface Snippet {
  /** `ts`, `tsx`, `bash`... */
  readonly language: string;
  readonly code: string;
  /** Line of its fence in the document, from 1. */
  readonly line: number;
  /** The path of the file, if the first line is a comment with a path: `// src/App.tsx`. */
  readonly file?: string;
}

/** Returns the code blocks of a Markdown document. */
export function readSnippets(markdown: string): Snippet[] {
  const pattern = /^```(?<language>\w+).*\n(?<code>[\s\S]*?)^```\s*$/gm;
  return [...markdown.matchAll(pattern)].map((match) => {
    const { language = '', code = '' } = match.groups ?? {};
    const file = /^\/\/ (\S+\.\w+)\n/.exec(code)?.[1];
    return {
      language,
      code,
      line: markdown.slice(0, match.index).split('\n').length,
      ...(file === undefined ? {} : { file }),
    };
  });
}

/** Returns the targets of the links and pictures of a Markdown document. Code is left out. */
export function readLinks(markdown: string): string[] {
  const text = withoutCode(markdown);
  const inline = [...text.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)];
  const references = [...text.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)];
  const html = [...text.matchAll(/\b(?:href|src)="([^"]+)"/g)];
  return [...inline, ...references, ...html].map((match) => match[1] ?? '');
}

/** Returns the anchors that GitHub makes of the headings of a Markdown document. */
export function readAnchors(markdown: string): string[] {
  const seen = new Map<string, number>();
  return [...markdown.replace(/^```[\s\S]*?^```\s*$/gm, '').matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)].map(
    (match) => {
      const slug = (match[1] ?? '')
        .toLowerCase()
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replace(/\s/g, '-');
      const count = seen.get(slug) ?? 0;
      seen.set(slug, count + 1);
      return count === 0 ? slug : `${slug}-${count}`;
    },
  );
}

function withoutCode(markdown: string): string {
  return markdown.replace(/^```[\s\S]*?^```\s*$/gm, '').replace(/`[^`\n]*`/g, '');
}
