import { describe, expect, test } from 'vitest';
import { bundleApp } from '../../../.scripts/bundle-app.mjs';
import { packageEntries } from '../../../.scripts/package-entries.mjs';

const REACT = ['react', 'react-dom'];

async function packagesIn(code: string): Promise<string[]> {
  const { modules } = await bundleApp(code, REACT);
  const names = modules.map((file) => /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1]);
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

describe('an app carries only what it uses', () => {
  test.each(packageEntries())('$name imported and not used leaves nothing behind', async ({ name }) => {
    const { modules, texts } = await bundleApp(`import '${name}'; import * as all from '${name}';`, REACT);
    expect(modules).toEqual([]);
    expect(texts.join('').trim()).not.toMatch(/\w{3,}/);
  });

  test('the hook and a transport bring a store and an event stream parser, no schemas, no components', async () => {
    expect(await packagesIn(`export { useAgentChat, createHttpTransport } from 'handrail'`)).toEqual([
      'eventsource-parser',
      'zustand',
    ]);
  });

  test('one language does not bring another one, nor the components', async () => {
    const { modules } = await bundleApp(`export { de } from 'handrail/locales/de'`, REACT);
    const own = modules.filter((file) => /^dist\/locales\/(de\/|[\w-]+\.js)/.test(file));
    expect(own.length).toBeGreaterThan(4);
    expect(modules).toEqual(own);
  });

  test('one dialog does not bring the form library', async () => {
    const packages = await packagesIn(`export { ConfirmationDialog } from 'handrail/components'`);
    expect(packages).toContain('@radix-ui/react-dialog');
    expect(packages).not.toContain('react-hook-form');
  });
});
