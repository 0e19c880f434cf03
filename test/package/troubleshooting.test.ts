/** Whoever meets an error code finds it in docs/troubleshooting.md: what is seen, why, and what to do. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { root } from '../../.scripts/package-entries.mjs';
import { expectNoFaults } from '../support/expect-no-faults.ts';
import { readSources, type Source, visit } from '../support/read-sources.ts';

const PAGE = 'docs/troubleshooting.md';
const sources = readSources();

/** Returns the texts in the declaration of a type or a constant. */
function readTexts(file: string, name: string): string[] {
  const found: string[] = [];
  for (const statement of treeOf(file).statements) {
    const isType = ts.isTypeAliasDeclaration(statement) && statement.name.text === name;
    const isConstant = ts.isVariableStatement(statement) && declares(statement, name);
    if (isType || isConstant) found.push(...listTexts(statement));
  }
  if (found.length === 0) throw new Error(`${file} has no texts in ${name} any more: correct this test.`);
  return found;
}

function treeOf(file: string): ts.SourceFile {
  const source = sources.find((one) => one.file === file);
  if (source === undefined) throw new Error(`There is no src/${file} any more: correct this test.`);
  return source.tree;
}

function declares({ declarationList }: ts.VariableStatement, name: string): boolean {
  return declarationList.declarations.some((one) => one.name.getText() === name);
}

function listTexts(node: ts.Node): string[] {
  const texts: string[] = [];
  visit(node, (inner) => {
    if (ts.isStringLiteral(inner)) texts.push(inner.text);
  });
  return texts;
}

/** Returns the codes with which routes refuse a request: `refuse(status, text, code)`, and the `code` of what is wrong with a body. */
function readRouteCodes({ file, tree }: Source): string[] {
  if (!file.startsWith('server/')) return [];
  const codes: string[] = [];
  visit(tree, (node) => {
    const isRefusal = ts.isCallExpression(node) && node.expression.getText() === 'refuse';
    const isFault = ts.isPropertyAssignment(node) && node.name.getText() === 'code';
    const code = isRefusal ? node.arguments[2] : isFault ? node.initializer : undefined;
    if (code !== undefined && ts.isStringLiteral(code)) codes.push(code.text);
  });
  return codes;
}

const CHAT_CODES = readTexts('shared/errors.ts', 'AgentChatErrorCode');
const ERROR_TYPES = readTexts('shared/errors.ts', 'ErrorType');
const SESSION_CODES = [
  ...readTexts('server/session-errors.ts', 'SessionErrorCode'),
  ...['ASKED_AGAIN', 'SENT_AGAIN', 'FINAL'].flatMap((name) => readTexts('shared/answer-refusals.ts', name)),
];
/** The code of a notice, which has a row in the table of notices. */
const NOTICE = 'events_lost';
const ROUTE_CODES = sources.flatMap(readRouteCodes).filter((code) => code !== NOTICE);

/** Returns the entries of the page by the heading of their code. */
function readEntries(page: string): Map<string, string> {
  const [, ...sections] = page.split(/^### /m);
  return new Map(
    sections.map((section) => {
      const [heading = '', ...lines] = section.split(/^## /m)[0]?.split('\n') ?? [];
      return [heading, lines.join('\n')];
    }),
  );
}

const page = readFileSync(path.join(root, PAGE), 'utf8');
const entries = readEntries(page);

test('every error code has a heading that says what is seen, why, and what to do', () => {
  const codes = [...new Set([...CHAT_CODES, ...SESSION_CODES, ...ROUTE_CODES])];
  expect(codes).toEqual(expect.arrayContaining(['awaiting_input', 'call_expired', 'body_too_large']));
  const faults = codes.flatMap((code) => {
    const entry = entries.get(code);
    if (entry === undefined) return [`${PAGE} has no heading "### ${code}"`];
    const lacking = ['Seen', 'Why', 'Do'].filter((word) => !entry.includes(`- **${word}:** `));
    return lacking.map((word) => `${PAGE} has no "- **${word}:**" under "### ${code}"`);
  });
  expectNoFaults(faults, {
    rule: 'Every error code has a heading in docs/troubleshooting.md, with what is seen, why, and what to do.',
    why: 'A person who meets a code searches for it there, and has nothing else to go by.',
    cure: 'Add the heading where its neighbours are, with the three lines that they have.',
  });
});

test('every error type has a row that says what it means and what helps', () => {
  expect(ERROR_TYPES).toContain('quota_exceeded_error');
  const rows = [...page.matchAll(/^\| `(\w+)` \|[^|]*\|([^|]+)\|([^|]+)\|$/gm)];
  const said = rows.flatMap(([, type = '', means = '', helps = '']) =>
    means.trim() !== '' && helps.trim() !== '' ? [type] : [],
  );
  expect(ERROR_TYPES.filter((type) => !said.includes(type))).toEqual([]);
});

test('an entry reaches from its heading to the next heading', () => {
  const made = readEntries('# Page\n\n### one\n\n- **Seen:** a\n\n## Next\n\n### two\n\ntext\n');
  expect([...made]).toEqual([
    ['one', '\n- **Seen:** a\n\n'],
    ['two', '\ntext\n'],
  ]);
});

test('the page has no heading of a code that is gone', () => {
  const known = [...CHAT_CODES, ...SESSION_CODES, ...ROUTE_CODES, 'thread_taken'];
  expect([...entries.keys()].filter((code) => !known.includes(code))).toEqual([]);
});
