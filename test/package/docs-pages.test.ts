/** Every component an app can import has a page in Storybook, with its props as live controls. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { readCsf } from 'storybook/internal/csf-tools';
import { expect, test } from 'vitest';
import { root } from '../../.scripts/package-entries.mjs';
import * as components from '../../src/components.ts';
import * as devtools from '../../src/devtools.ts';
import * as markdown from '../../src/markdown.ts';
import * as sandbox from '../../src/sandbox.ts';

const exported = Object.keys({ ...components, ...devtools, ...markdown, ...sandbox }).filter((name) =>
  /^[A-Z]/.test(name),
);

function pageOf(component: string): string {
  const name = component.replace(/(?<=.)[A-Z]/g, '-$&').toLowerCase();
  return `stories/components/${name}.stories.tsx`;
}

test.each(exported)('%s has a docs page', async (component) => {
  const page = pageOf(component);
  expect(existsSync(path.join(root, page)), `Write ${page}, as its neighbours are.`).toBe(true);
  // As Storybook reads it. Importing it would bring Storybook's own expect along.
  const csf = (await readCsf(path.join(root, page), { makeTitle: String })).parse();
  expect(csf.meta).toMatchObject({ title: `Components/${component}`, component, tags: ['autodocs'] });
  expect(csf.stories.map(({ name }) => name)).toContain('Live');
});
