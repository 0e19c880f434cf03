/** The samples of the migration guides compile against the packages that a team comes from. */
import { expect, test } from 'vitest';
import { checkSnippets } from '../support/check-snippets.ts';
import { expectNoFaults } from '../support/expect-no-faults.ts';
import { isMigrationGuide, readDocs } from '../support/read-docs.ts';

const guides = readDocs().filter(isMigrationGuide);

test('every sample of the migration guides compiles as it is shown', () => {
  expect(guides.length).toBeGreaterThan(0);
  expectNoFaults(checkSnippets(guides, 'test/agents'), {
    rule: 'A sample of docs/migrate-from-*.md compiles by itself, or with the other samples of its page.',
    why: 'Teams compare it with code of their own, and copy what comes after.',
    cure: 'Mend the page of test/agents/pages that it shows, then the guide. A package that is missing belongs into test/agents.',
  });
}, 300_000);

test('a sample that uses the original package in a wrong way is found', () => {
  const code = "// src/a.ts\nimport { useChat } from '@ai-sdk/react';\nuseChat({ nothing: 1 });\n";
  const snippet = { language: 'ts', code, line: 1, file: 'src/a.ts' };
  expect(checkSnippets([{ document: 'docs/a.md', snippets: [snippet] }], 'test/agents')).toEqual([
    expect.stringContaining("'nothing' does not exist"),
  ]);
}, 300_000);
