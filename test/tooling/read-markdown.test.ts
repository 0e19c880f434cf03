import { describe, expect, test } from 'vitest';
import { checkSnippets } from '../support/check-snippets.ts';
import { readAnchors, readLinks, readSnippets } from '../support/read-markdown.ts';

describe('reading Markdown', () => {
  const document = [
    '# The *first* `step`',
    'See [this](#the-first-step), [that](docs/a.md "Title") and [it][ref]; not `[code](gone.md)`.',
    '',
    '[ref]: https://example.com',
    '```ts',
    '// src/app.ts',
    'const b: number = a;',
    '```',
    '## Twice',
    '```bash',
    '# no heading',
    '```',
    '## Twice',
  ].join('\n');

  test('snippets have their language, line and file', () => {
    expect(readSnippets(document)).toEqual([
      {
        language: 'ts',
        code: '// src/app.ts\nconst b: number = a;\n',
        line: 5,
        file: 'src/app.ts',
      },
      { language: 'bash', code: '# no heading\n', line: 10 },
    ]);
  });

  test('links and anchors are those GitHub makes', () => {
    expect(readLinks(document)).toEqual(['#the-first-step', 'docs/a.md', 'https://example.com']);
    expect(readAnchors(document)).toEqual(['the-first-step', 'twice', 'twice-1']);
  });

  test('a snippet that does not compile is reported with its line', () => {
    const wrong = {
      language: 'ts',
      code: "const a = 1;\nexport const b: string = a;\nimport 'handrail';\n",
      line: 10,
    };
    expect(checkSnippets([{ document: 'README.md', snippets: [wrong] }])).toEqual([
      "README.md:12 Type 'number' is not assignable to type 'string'.",
    ]);
  }, 60_000);
});
