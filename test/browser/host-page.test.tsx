/// <reference types="vite/client" />
/** The kit on pages with style sheets of their own. */
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import '../../src/styles.css';
import { ClientToolDialogs, Composer } from '../../src/components.ts';
import { Markdown } from '../../src/markdown.ts';
import { createTestTool } from '../components/create-test-tool.ts';
import { untilArmed } from '../support/until-armed.ts';

const sheets: HTMLStyleElement[] = [];
const addSheet = (css: string) => {
  const sheet = document.head.appendChild(document.createElement('style'));
  sheet.textContent = css;
  sheets.push(sheet);
};

afterEach(() => {
  cleanup();
  for (const sheet of sheets.splice(0)) sheet.remove();
});

const styleOf = (element: Element) => getComputedStyle(element);

test('a reset in a layer loaded after the kit, as with Tailwind, does not change a button', async () => {
  addSheet(
    '@layer theme, base, utilities; @layer base { * { padding: 0; border: 0 solid } button { background: none } }',
  );
  addSheet('@layer utilities { .wide { padding-inline: 50px } }');
  const parts = { button: { className: 'wide' } };
  render(<ClientToolDialogs tools={[createTestTool()]} slots={parts} />);
  await untilArmed();
  const button = screen.getByRole('button', { name: 'Confirm' });
  // Its colours change when it is ready.
  await Promise.allSettled(button.getAnimations().map(({ finished }) => finished));
  const { backgroundColor, borderTopWidth, paddingTop, paddingLeft } = styleOf(button);
  expect(backgroundColor).toBe('rgb(60, 80, 212)');
  expect([borderTopWidth, paddingTop]).toEqual(['1px', '7px']);
  // The class names that an app adds to a slot win.
  expect(paddingLeft).toBe('50px');
});

test('lists in an answer keep their markers', () => {
  addSheet('@layer base { ol, ul { margin: 0; padding: 0; list-style: none } }');
  const { container } = render(<Markdown text={'- one\n  - inside\n\n1. first\n'} />);
  const marks = [...container.querySelectorAll('ul, ol')].map((list) => styleOf(list).listStyleType);
  expect(marks).toEqual(['disc', 'circle', 'decimal']);
});

test('the text styles of the page do not change how arguments are displayed', async () => {
  addSheet(`body { text-transform: uppercase; font-style: italic; text-indent: 3em; word-spacing: 1em; white-space: nowrap;
    hyphens: auto; user-select: none; cursor: wait }`);
  render(
    <ClientToolDialogs mode="inline" tools={[createTestTool({ args: { path: '/home/Ann and Bob' } })]} />,
  );
  const style = styleOf(screen.getByText('/home/Ann and Bob'));
  expect(style.textTransform).toBe('none');
  expect(style.fontStyle).toBe('normal');
  expect([style.textIndent, style.wordSpacing]).toEqual(['0px', '0px']);
  expect(style.whiteSpace).toBe('pre-wrap');
  expect([style.hyphens, style.userSelect, style.cursor]).toEqual(['manual', 'text', 'auto']);
  expect(styleOf(screen.getByText('Path')).whiteSpace).toBe('normal');
});

test('an address and JSON to agree to are drawn letter by letter without ligatures', async () => {
  const args = { mode: 'url', message: 'Sign in', url: 'https://xn--pple-43d.example/a', path: 'a != b' };
  const server = createTestTool({ toolName: 'mcp:notes/elicitation', toolCallId: 'call-2', args });
  const { container } = render(<ClientToolDialogs mode="inline" tools={[server]} />);
  for (const details of container.querySelectorAll('details'))
    fireEvent.click(details.children[0] as Element);
  await screen.findByText(/a != b/, { selector: '.hr-text-piece' });
  const read = container.querySelectorAll('.hr-page-address, .hr-json');
  expect([...read].map((text) => styleOf(text).fontVariantLigatures)).toEqual(['none', 'none']);
});

test("the file input behind the composer's button stays invisible on a page that makes every input a block", () => {
  const show = () => render(<Composer attachments onSend={() => {}} onUpload={() => Promise.reject()} />);
  const measure = () => screen.getByRole('textbox').getBoundingClientRect().width;
  const { unmount } = show();
  const width = measure();
  unmount();
  addSheet('input { display: block; width: 100% }');
  const { container } = show();
  expect(measure()).toBe(width);
  expect(styleOf(container.querySelector('[type="file"]') as Element).visibility).toBe('hidden');
});

test('a dialog inside a form of the page submits its answer and not that form', async () => {
  const onSubmit = vi.fn();
  const tool = createTestTool({ args: { fields: [{ name: 'note', label: 'Note' }] } });
  render(
    <form onSubmit={onSubmit}>
      <ClientToolDialogs tools={[tool]} />
    </form>,
  );
  await untilArmed();
  await userEvent.type(await screen.findByRole('textbox', { name: 'Note' }), 'No sugar{Enter}');
  await vi.waitFor(() => expect(tool.submit.mock.calls).toEqual([[{ note: 'No sugar' }]]));
  expect(onSubmit).not.toHaveBeenCalled();
});
