// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import type { ComponentProps } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { Transcript } from '../../src/components.ts';
import { Markdown, MarkdownText } from '../../src/markdown.ts';

const draw = (props: ComponentProps<typeof Markdown>) => render(<Markdown {...props} />).container;

test('markdown is rendered as HTML elements', () => {
  const page = draw({ text: '# Title\n\nSome **bold** and `code`.\n\n- one\n- two\n' });
  expect(screen.getByRole('heading', { name: 'Title' })).toBeTruthy();
  expect(screen.getAllByRole('listitem')).toHaveLength(2);
  expect(page.querySelector('strong')?.textContent).toBe('bold');
});

test.each(['<img src=x onerror=alert(1)>', '<script>alert(1)</script>', '<a href="https://evil.test">x</a>'])(
  '%s stays text',
  (html) => {
    const page = draw({ text: `Look: ${html}` });
    expect(page.textContent).toBe(`Look: ${html}`);
    expect(page.querySelector('img, script, a')).toBeNull();
  },
);

test.each([
  ['[a](javascript:alert(1))', 'a'],
  ['[a](data:text/html,x)', 'a'],
  ['[a](/relative)', 'a'],
  ['[a](//evil.test)', 'a'],
  ['[a](https://bank.example@evil.test)', 'a'],
  ['![a](javascript:alert(1))', 'a'],
])('%s is no link', (text, shown) => {
  const page = draw({ text });
  expect(page.querySelector('a, img')).toBeNull();
  expect(page.textContent).toBe(shown);
});

test.each([
  ['[the docs](https://example.com/a)', 'https://example.com/a', 'the docs (example.com)'],
  [
    '[https://bank.example/evil.test](https://evil.test/)',
    'https://evil.test/',
    'https://bank.example/evil.test (evil.test)',
  ],
  ['<https://example.com/a>', 'https://example.com/a', 'https://example.com/a'],
  ['[example.com](https://example.com/a)', 'https://example.com/a', 'example.com'],
  ['[write](mailto:ada@example.com)', 'mailto:ada@example.com', 'write (ada@example.com)'],
])('%s links to its address', (text, href, shown) => {
  const page = draw({ text });
  const link = screen.getByRole('link');
  expect([link.getAttribute('href'), link.getAttribute('rel'), link.getAttribute('title')]).toEqual([
    href,
    'noopener noreferrer nofollow',
    href,
  ]);
  expect(page.textContent).toBe(shown);
});

test('copied text keeps a line break between two paragraphs', () => {
  const page = draw({ text: 'Here is one:\n\n> A call is waiting\n\nDone.\n\n# Next\n\n- first\n' });
  expect(page.textContent?.trim().split(/\s+/)).toEqual(
    'Here is one: A call is waiting Done. Next first'.split(' '),
  );
});

test('plugins of the app are used', () => {
  const asHeadings = () => (tree: { children: { type: string; depth?: number }[] }) => {
    for (const node of tree.children) Object.assign(node, { type: 'heading', depth: 2 });
  };
  draw({ text: 'Title', remarkPlugins: [asHeadings] });
  expect(screen.getByRole('heading', { name: 'Title', level: 2 })).toBeTruthy();
});

test('an image is fetched only if allowImage returns true', () => {
  const text = '![a chart](https://cdn.example/a.png) ![](https://evil.test/?all=said)';
  const { container, rerender } = render(<Markdown text={text} />);
  expect(container.querySelector('img')).toBeNull();
  expect(screen.getAllByRole('link').map((link) => link.textContent)).toEqual([
    'a chart',
    'https://evil.test/?all=said',
  ]);
  rerender(<Markdown text={text} allowImage={({ host }) => host === 'cdn.example'} />);
  expect(screen.getByRole('img', { name: 'a chart' }).getAttribute('src')).toBe('https://cdn.example/a.png');
  expect(container.querySelectorAll('img')).toHaveLength(1);
});

test('an image inside a link, such as a badge, is no second link', () => {
  const text = '[![build](https://img.example/a.svg)](https://ci.example/)';
  const { container, rerender } = render(<Markdown text={text} />);
  expect(screen.getByRole('link', { name: 'build' }).getAttribute('href')).toBe('https://ci.example/');
  expect(container.textContent).toBe('build (ci.example)');
  rerender(<Markdown text={text} allowImage={() => true} />);
  expect(screen.getByRole('link').querySelector('img')?.alt).toBe('build');
});

test('MarkdownText renders markdown of the agent and plain text of the person', async () => {
  const message = (id: string, role: 'user' | 'assistant') =>
    ({
      id,
      role,
      status: 'done',
      createdAt: new Date(0),
      parts: [{ type: 'text', text: '*so*', status: 'done' }],
    }) as const;
  const messages = [message('1', 'user'), message('2', 'assistant')];
  const page = <Transcript messages={messages} renderers={{ text: MarkdownText }} />;
  render(page);
  await userEvent.tab();
  expect(screen.getByRole('article', { name: 'You' }).textContent).toBe('*so*');
  expect(screen.getByRole('article', { name: 'Agent' }).querySelector('em')?.textContent).toBe('so');
  expect(renderToString(page)).toContain('<em>so</em>');
});

test.each([
  ['emphasis', '*a_ '.repeat(500)],
  ['links', '[a]('.repeat(500)],
  ['images', '!['.repeat(500)],
  ['code', Array.from({ length: 500 }, (_, index) => '`'.repeat(index + 1)).join(' a ')],
  ['markup', '<a '.repeat(500)],
  ['quotes', `${'> '.repeat(500)}a`],
  ['lists', `${'- '.repeat(500)}a`],
])('a paragraph with more marks than the parser can pair in time is shown as plain text: %s', (_, slow) => {
  const page = draw({ text: `**Before**\n\n${slow}\n\n**After**` });
  expect(page.querySelector('.hr-plain')?.textContent).toContain(slow);
  expect(page.querySelector('em, a, code, blockquote, ul')).toBeNull();
});

test.each([
  ['a list', '- **one** `two` [three](https://a.test)\n'.repeat(300), 'li'],
  ['a program in a fence', `\`\`\`c\n${'int *a_b[] = { *c_d };\n'.repeat(300)}\`\`\`\n`, 'pre'],
  ['a fence that has not ended', `\`\`\`c\n${'int *a_b[] = { *c_d };\n'.repeat(300)}`, 'pre'],
  ['short paragraphs', 'Some **bold** and _italic_ words.\n\n'.repeat(300), 'strong'],
])('a long text with marks in many blocks is rendered as markdown: %s', (_, text, selector) => {
  const page = draw({ text });
  expect(page.querySelector('.hr-plain')).toBeNull();
  expect(page.querySelector(selector)).not.toBeNull();
});

test.each([
  ['quotes', '> a\n\n'],
  ['paragraphs', 'a\n\n'],
  ['items', '- a\n'],
  ['headings', '# a\n'],
  ['rules', '---\n'],
  ['marks in paragraphs', 'some *words* and *words*\n\n'],
  ['characters that may be marks', '&amp;\\a!'],
])('100 kB of text becomes few elements, and its end is plain text: %s', (_, block) => {
  const page = draw({ text: block.repeat(100_000 / block.length) });
  expect(page.querySelectorAll('*').length).toBeLessThan(3_000);
  expect(page.querySelector('.hr-plain')?.textContent).toContain(block.repeat(100));
});

test('the end of a long text that streams stays plain text, and its beginning keeps its elements', () => {
  const text = 'Some *words*.\n\n'.repeat(600);
  const { container, rerender } = render(<Markdown text={text} />);
  const first = container.querySelector('em');
  const count = container.querySelectorAll('em').length;
  expect(count).toBeGreaterThan(400);
  rerender(<Markdown text={`${text}And the end.`} />);
  expect(container.querySelector('em')).toBe(first);
  expect(container.querySelectorAll('em')).toHaveLength(count);
  expect(container.querySelector('.hr-plain')?.textContent).toMatch(/And the end\.$/);
});
