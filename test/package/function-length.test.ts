import ts from 'typescript';
import { expect, test } from 'vitest';
import { expectNoFaults } from '../support/expect-no-faults.ts';
import { readSources, visit } from '../support/read-sources.ts';

/** Lines that fit a screen. */
const MAX_LINES = 60;

const FACTORY = 'a factory of an object with state. Make it a class when it is changed next';
const GUEST =
  'runs beside code that may replace every global: its helpers close over the intrinsics that were read before';

/**
 * Functions that are longer, each with the reason why it stays. Shorten one, and take it off the list.
 */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'components/hooks/use-answer.ts useAnswer': 'a hook: its callbacks close over one set of refs',
  'core/persistence/create-persisted-list.ts createPersistedList': FACTORY,
  'core/persistence/persisted-chat.ts openPersistedChat': FACTORY,
  'core/persistence/tabs/share-tabs.ts shareTabs': FACTORY,
  'sandbox/codec/create-decoder.ts anonymous': GUEST,
  'sandbox/codec/create-decoder.ts createDecoder': GUEST,
  'sandbox/codec/create-encoder.ts anonymous': GUEST,
  'sandbox/codec/create-encoder.ts createEncoder': GUEST,
  'sandbox/create-execution.ts createExecution': FACTORY,
  'sandbox/create-run-book.ts createRunBook': FACTORY,
  'sandbox/create-worker-pool.ts createWorkerPool': FACTORY,
  'sandbox/guest/guest.ts boot': GUEST,
  'sandbox/worker/create-run.ts createRun': FACTORY,
  'sandbox/worker/module-graph.ts createModuleGraph': FACTORY,
  'sandbox/worker/worker.ts start': 'a program: the whole life of a worker, from its first message on',
  'shared/incremental-json.ts createIncrementalJson': 'a state machine over one position in the text',
};

const GUARD = {
  rule: `A function has at most ${MAX_LINES} lines; a switch or a table may be longer.`,
  why: 'A function that fits a screen is read at once, and its name says what it does.',
  cure:
    'Move a step to a function that is named after it. If the function makes an object with four or more fields that change and three or ' +
    'more methods, write a class with #fields. A function that reads better in one piece goes to EXCEPTIONS with its reason.',
};

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
  const long = new Set(readSources().flatMap(({ file, tree }) => longFunctions(file, tree)));
  expectNoFaults(
    [...long].filter((name) => !Object.hasOwn(EXCEPTIONS, name)),
    GUARD,
  );
  expectNoFaults(
    Object.keys(EXCEPTIONS).filter((name) => !long.has(name)),
    {
      rule: 'Each name in EXCEPTIONS is a function that is too long today.',
      why: 'A list with names that are gone hides the next long function of that name.',
      cure: 'Take the name off the list.',
    },
  );
});

test('a long function is found, a long switch is not', () => {
  const lines = 'work();\n'.repeat(MAX_LINES);
  const parse = (text: string) => ts.createSourceFile('a.ts', text, ts.ScriptTarget.Latest, true);
  expect(longFunctions('a.ts', parse(`function long() {\n${lines}}`))).toEqual(['a.ts long']);
  const cases = `case 1:\n${lines}`;
  expect(longFunctions('a.ts', parse(`function table() {\n  switch (x) {\n${cases}}\n}`))).toEqual([]);
});
