import { readFileSync } from 'node:fs';
import path from 'node:path';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { root } from '../../.scripts/package-entries.mjs';
import { expectNoFaults } from '../support/expect-no-faults.ts';
import { listFiles } from '../support/list-files.ts';
import { visit } from '../support/read-sources.ts';

/** Words that mean something in this project alone. ARCHITECTURE.md has the glossary with the words in their place. */
const PRIVATE_WORDS = /\b(owed|lends?|lent|legs?|forgo|takeUp|kept-\w+|hand(?:s|ed)? over)\b/i;

/** A sentence that is a noun phrase: it begins like a question, has no question mark, and no clause follows. */
const NOUN_PHRASE = /^(?:What|Who|Whether) [^,:;?]*[^?]$/;

interface Text {
  readonly file: string;
  readonly text: string;
}

/** Returns the comments of a file and the names of its tests. */
function readTexts(file: string, source: string): readonly Text[] {
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, languageOf(file), source);
  const comments: string[] = [];
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    const isComment =
      token === ts.SyntaxKind.SingleLineCommentTrivia || token === ts.SyntaxKind.MultiLineCommentTrivia;
    if (isComment) comments.push(scanner.getTokenText());
  }
  return [...comments, ...readTestNames(file, source)].map((text) => ({ file, text }));
}

function readTestNames(file: string, source: string): readonly string[] {
  if (!/\.test(-d)?\.tsx?$/.test(file)) return [];
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const names: string[] = [];
  visit(tree, (node) => {
    if (!ts.isCallExpression(node) || !/^(?:test|it|describe)\b/.test(node.expression.getText(tree))) return;
    const [name] = node.arguments;
    if (name && ts.isStringLiteralLike(name)) names.push(name.text);
  });
  return names;
}

function languageOf(file: string): ts.LanguageVariant {
  return file.endsWith('x') ? ts.LanguageVariant.JSX : ts.LanguageVariant.Standard;
}

function findFault({ text }: Text): string | undefined {
  const plain = text.replaceAll(/^\s*(?:\/\*\*?|\*\/?|\/\/)|\*\/$/gm, '').trim();
  const privateWord = PRIVATE_WORDS.exec(plain);
  if (privateWord) return `says "${privateWord[0]}", which no glossary has`;
  const [first = ''] = plain.split(/(?<=[.?!])\s/);
  const isNounPhrase = NOUN_PHRASE.test(first.replaceAll(/\s+/g, ' ')) && text.startsWith('/');
  return isNounPhrase ? `has a comment without a main verb: "${first}"` : undefined;
}

test('comments and test names are written in words that a newcomer knows', () => {
  const files = ['src', 'test', 'stories', 'playground'].flatMap((folder) => listFiles(folder, /\.tsx?$/));
  const faults = files
    .filter((file) => !file.endsWith(path.basename(import.meta.url)))
    .flatMap((file) => readTexts(file, readFileSync(path.join(root, file), 'utf8')))
    .flatMap((text) => (findFault(text) === undefined ? [] : [`${text.file} ${findFault(text)}`]));
  expectNoFaults(faults, {
    rule: 'A comment is a sentence with a subject and a verb, in the words of the glossary.',
    why: 'It is read by people who have never seen this code, many of them in their second language.',
    cure:
      'Take the word from the glossary of ARCHITECTURE.md (undelivered, request, saved input), and begin a comment with what happens: ' +
      '"Returns true if the call waits." in place of "Whether it waits."',
  });
});

test.each([
  ['// Answers that are owed.', 'says "owed", which no glossary has'],
  ['/** Whether it does. */', 'has a comment without a main verb: "Whether it does."'],
  ["test('is handed over', () => {});", 'says "handed over", which no glossary has'],
])('the words of %s are found', (source, fault) => {
  expect(readTexts('a.test.ts', source).map(findFault)).toEqual([fault]);
});
