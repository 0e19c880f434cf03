import { renderToStaticMarkup } from 'react-dom/server';
import ReactMarkdown from 'react-markdown';
import { expect, test } from 'vitest';
import { splitMarkdown } from '../../src/markdown/split-markdown.ts';
import fc, { caseCount } from '../support/fast-check.ts';

/** Lines that continue, end or start a block, and lines that only look like it. */
const line = fc.constantFrom(
  '',
  '',
  '',
  'Words of a paragraph',
  'More *words* and a [link](https://example.com)',
  '# Heading',
  '- item',
  '* other list',
  '1. first',
  '2. second',
  '  continues an item',
  '    indented',
  '> quote',
  '```',
  '```ts',
  '````',
  '~~~',
  '- ```',
  '> ```',
  '  ```',
  '```not a fence```',
  '---',
  '===',
  '<div>',
  '<!-- open',
  '-->',
  '[name]: https://example.com',
  '- [name]: https://example.com',
  '1. > [name]: https://example.com',
  '$$',
  '- $$',
  '  $$',
  'a [name] used',
  '\tтабуляция',
  'Слова',
  '`` ` ``',
);
const markdown = fc.array(line, { maxLength: 24 }).map((lines) => lines.join('\n'));

const draw = (text: string) => renderToStaticMarkup(<ReactMarkdown>{text}</ReactMarkdown>);

test('the pieces render the same as the whole text', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      const pieces = splitMarkdown(text);
      expect(pieces.join('')).toBe(text);
      expect(pieces.map(draw).filter(Boolean).join('\n')).toBe(draw(text));
    }),
    { numRuns: caseCount(60) },
  );
});

test('only the last piece changes while text arrives', () => {
  fc.assert(
    fc.property(markdown, (text) => {
      for (let end = 1; end <= text.length; end += 1) {
        const before = splitMarkdown(text.slice(0, end - 1));
        const now = splitMarkdown(text.slice(0, end));
        // A definition turns the whole text into one piece, once.
        if (now.length < before.length) expect(now).toHaveLength(1);
        else expect(now.slice(0, before.length - 1)).toEqual(before.slice(0, -1));
      }
    }),
    { numRuns: caseCount(60) },
  );
});

test('paragraphs, headings and code are separate pieces, and lists are not split', () => {
  expect(splitMarkdown('One\n\nTwo\n\n```\na\n\nb\n```\n\n# Three\n\n- a\n\n- b\n')).toEqual([
    'One\n\n',
    'Two\n\n',
    '```\na\n\nb\n```\n\n',
    '# Three\n\n- a\n\n- b\n',
  ]);
});

test('math is not split at its blank lines, and a text with link definitions is not split', () => {
  expect(splitMarkdown('One\n\n$$\na\n\nb\n$$\n\nTwo')).toEqual(['One\n\n$$\na\n\nb\n$$\n\n', 'Two']);
  const text = 'See [a].\n\nAnd:\n\n- [a]: https://example.com\n';
  expect(splitMarkdown(text)).toEqual([text]);
});

test.each([
  ['a list that ends in the middle of its code', '- a\n\n  ```\n  code\n\nText\n\n  ```\n\nMore\n\nLast\n'],
  ['dollar signs that open code without the math extension', '$$\n\n```\n\n$$\n\nText\n\n```\n'],
])('a text is not split after %s, because the rest may belong to it', (_, text) => {
  expect(splitMarkdown(text)).toEqual([text]);
});

test('a line that looks like a fence inside code ends neither the code nor the piece', () => {
  expect(splitMarkdown('```\n~~~\n```\n\nText\n')).toEqual(['```\n~~~\n```\n\n', 'Text\n']);
});

// In quadratic time this would take minutes and fail by its timeout.
test.each(['`', '$'])('a long run of %s in a line is read in linear time', (mark) => {
  const text = `${mark.repeat(700_000)}x${mark}`;
  expect(splitMarkdown(text)).toEqual([text]);
});
