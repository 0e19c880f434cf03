/// <reference types="vite/client" />
/** A model may write a word of any length. It must neither widen a question nor be cut off. */
import { render, screen, waitFor } from '@testing-library/react';
import { afterEach, expect, test } from 'vitest';
import { page } from 'vitest/browser';
import '../../src/styles.css';
import { ClientToolDialogs } from '../../src/components/client-tools/client-tool-dialogs.tsx';
import { createTestTool } from '../components/create-test-tool.ts';

afterEach(() => page.viewport(1280, 800));

const word = 'Donaudampfschifffahrtsgesellschaftskapitän'.repeat(4);
const words = { action: word, description: word };
const kinds = ['text', 'number', 'boolean', 'select', 'checkboxes', 'textarea', 'json', 'file', 'password'];
const field = (type: string, index: number) => ({
  name: `${word}${index}`,
  label: word,
  description: word,
  type,
  ...(/select|checkboxes/.test(type) && { options: [word, 'b'] }),
});
const nested = {
  type: 'object',
  title: word,
  properties: {
    [word]: {
      type: 'array',
      title: word,
      minItems: 1,
      items: { anyOf: [{ type: 'string', title: word }, { type: 'number' }] },
    },
    b: { type: 'object', additionalProperties: { type: 'string' }, title: word, description: word },
    c: { const: word },
  },
  required: [word, 'c'],
};

test.each([
  [
    'a confirmation',
    {
      ...words,
      [word]: word,
      list: [word, { [word]: { [word]: [word] } }],
      link: `https://example.com/${word}`,
    },
  ],
  ['a form', { ...words, fields: kinds.map(field) }],
  ['a form of shapes', { ...words, schema: nested, fields: undefined, requestedSchema: nested }],
  ['a choice', { ...words, options: [{ value: 1, label: word, description: word }, word] }],
  ['a long choice', { ...words, options: Array.from({ length: 20 }, (_, index) => `${word}${index}`) }],
])('%s shows words of any length on a phone', async (_, args) => {
  await page.viewport(320, 600);
  for (const mode of ['modal', 'inline'] as const) {
    const tool = createTestTool({
      args,
      definition: { severity: 'caution' },
      expiresAt: new Date(Date.now() + 60_000),
    });
    const { unmount } = render(<ClientToolDialogs tools={[tool]} mode={mode} />);
    const surface = await screen.findByRole(mode === 'modal' ? 'dialog' : 'region', { name: /^Donau/ });
    for (const details of surface.querySelectorAll('details')) details.open = true;
    await waitFor(() => expect(surface.querySelector('details:not(:has(pre))')).toBeNull());
    expect(document.documentElement.scrollWidth).toBe(document.documentElement.clientWidth);
    const wide = [...surface.querySelectorAll<HTMLElement>('*')].filter(
      (element) =>
        getComputedStyle(element).display !== 'inline' &&
        !element.matches('input, textarea, select, pre, .hr-hidden') &&
        element.scrollWidth > element.clientWidth + 1 &&
        element.clientWidth > 0,
    );
    expect(
      wide.map(
        (element) =>
          `${mode} ${element.tagName} ${element.className} ${element.scrollWidth} > ${element.clientWidth}`,
      ),
    ).toEqual([]);
    unmount();
  }
});

test('a word with enough room is not broken, such as the text of the button beside a secret on a phone', async () => {
  await page.viewport(390, 600);
  const pin = { name: 'pin', label: 'PIN', type: 'password' };
  render(<ClientToolDialogs tools={[createTestTool({ args: { fields: [pin] } })]} mode="inline" />);
  const words = document.createRange();
  words.selectNodeContents(await screen.findByRole('button', { name: 'Show' }));
  expect(words.getClientRects()).toHaveLength(1);
});
