import ts from 'typescript';
import { expect, test } from 'vitest';
import { readSources, visit } from '../support/read-sources.ts';

/** Lines that fit a screen. */
const MAX_LINES = 60;

/** Functions that are longer and read better that way, by file. Shorten one, and take it off the list. */
const EXCEPTIONS: readonly string[] = [
  'components/hooks/use-answer.ts useAnswer',
  'components/hooks/use-arming.ts useArming',
  'core/persistence/create-persisted-list.ts createPersistedList',
  'core/persistence/persisted-chat.ts openPersistedChat',
  'core/persistence/tabs/share-tabs.ts shareTabs',
  'sandbox/codec/create-decoder.ts anonymous',
  'sandbox/codec/create-decoder.ts createDecoder',
  'sandbox/codec/create-encoder.ts anonymous',
  'sandbox/codec/create-encoder.ts createEncoder',
  'sandbox/create-execution.ts createExecution',
  'sandbox/create-run-book.ts createRunBook',
  'sandbox/create-worker-pool.ts createWorkerPool',
  'sandbox/guest/guest.ts boot',
  'sandbox/worker/create-run.ts createRun',
  'sandbox/worker/module-graph.ts createModuleGraph',
  'sandbox/worker/worker.ts start',
  'shared/incremental-json.ts createIncrementalJson',
];

/** A function whose body is one switch is a table. */
function isTable(body: ts.Node): boolean {
  if (!ts.isBlock(body)) return ts.isObjectLiteralExpression(body) || ts.isArrayLiteralExpression(body);
  const [first, ...others] = body.statements;
  if (first === undefined || others.length > 0) return false;
  return (
    ts.isSwitchStatement(first) ||
    (ts.isReturnStatement(first) && first.expression !== undefined && isTable(first.expression))
  );
}

function longFunctions(file: string, tree: ts.SourceFile): string[] {
  const found: string[] = [];
  visit(tree, (node) => {
    if (!ts.isFunctionLike(node) || !('body' in node) || node.body === undefined) return;
    const body = node.body as ts.Node;
    const lineOf = (position: number) => tree.getLineAndCharacterOfPosition(position).line;
    const lines = lineOf(body.getEnd()) - lineOf(body.getStart(tree)) + 1;
    if (lines <= MAX_LINES || isTable(body)) return;
    const { parent } = node;
    const name = node.name ?? (ts.isVariableDeclaration(parent) ? parent.name : undefined);
    found.push(`${file} ${name?.getText(tree) ?? 'anonymous'}`);
  });
  return found;
}

test('every function of src fits a screen, but for the named exceptions', () => {
  const long = readSources().flatMap(({ file, tree }) => longFunctions(file, tree));
  expect([...new Set(long)].sort()).toEqual([...EXCEPTIONS].sort());
});

test('a long function is found, a long switch is not', () => {
  const lines = 'work();\n'.repeat(MAX_LINES);
  const parse = (text: string) => ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
  expect(longFunctions('a.ts', parse(`function long() {\n${lines}}`))).toEqual(['a.ts long']);
  const cases = `case 1:\n${lines}`;
  expect(longFunctions('a.ts', parse(`function table() {\n  switch (x) {\n${cases}}\n}`))).toEqual([]);
});
