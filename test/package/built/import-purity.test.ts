import { expect, test } from 'vitest';
import { packageEntries } from '../../../.scripts/package-entries.mjs';
import { runNode } from '../../support/run-node.ts';

/**
 * Imports a module and reports what that did to the process. Packages we depend on are loaded before, so that only
 * our own modules are seen.
 */
function watchImport(specifier: string, packages: readonly string[]): string {
  return `
    await Promise.all(${JSON.stringify(packages)}.map((name) => import(name)));
    const did = [];
    const intrinsics = [Array, Date, Error, Map, Object, Promise, String].map((type) => type.prototype);
    const shape = () => [globalThis, console, ...intrinsics].map((each) => Reflect.ownKeys(each).length);
    const before = shape();
    for (const name of ['setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'fetch']) {
      globalThis[name] = () => did.push(name);
    }
    for (const name of ['log', 'info', 'warn', 'error', 'debug']) console[name] = () => did.push('console.' + name);
    for (const name of ['on', 'once', 'addListener']) {
      const original = process[name];
      process[name] = (event, ...rest) => { did.push('process.' + name + ' ' + event); return original.call(process, event, ...rest); };
    }
    Date.now = () => { did.push('Date.now'); return 0; };
    Math.random = () => { did.push('Math.random'); return 0; };
    await import('${specifier}');
    if (String(shape()) !== String(before)) did.push('globals changed');
    process.stdout.write(JSON.stringify(did));
  `;
}

const PACKAGES = [
  'ai',
  'eventsource-parser',
  'react',
  'react-dom',
  'react-hook-form',
  'zod',
  'zustand',
  '@radix-ui/react-dialog',
];

test.each(packageEntries())('importing $name does nothing', async ({ name }) => {
  expect(JSON.parse(await runNode(watchImport(name, PACKAGES)))).toEqual([]);
});

/**
 * Imports a module in a fresh process and reports each `new Function` and `eval`, also those of the packages that we depend on. A page
 * with Trusted Types reports even a probe whose error is caught, such as that of Zod when it makes an object schema.
 */
function watchCompiledText(specifier: string, use = ''): string {
  return `
    const did = [];
    const watch = (name) => {
      const original = globalThis[name];
      globalThis[name] = new Proxy(original, {
        apply(target, self, texts) { did.push(name); return Reflect.apply(target, self, texts); },
        construct(target, texts) { did.push('new ' + name); return Reflect.construct(target, texts); },
      });
    };
    watch('Function');
    watch('eval');
    const module = await import('${specifier}');
    ${use}
    process.stdout.write(JSON.stringify(did));
  `;
}

test.each(packageEntries())('importing $name compiles no text to code', async ({ name }) => {
  expect(JSON.parse(await runNode(watchCompiledText(name)))).toEqual([]);
});

test('runCodeTool and its schema compile no text to code when an app makes them', async () => {
  const use = `
    module.runCodeTool({ globals: {} });
    const { input } = module.runCodeInput()['~standard'].jsonSchema;
    const { required } = input({ target: 'draft-2020-12' });
    if (String(required) !== 'code') did.push('the schema requires ' + required);
  `;
  expect(JSON.parse(await runNode(watchCompiledText('handrail/sandbox', use)))).toEqual([]);
});

test('the watch sees a module that makes an object schema of Zod', async () => {
  const zod = import.meta.resolve('zod');
  const probing = `data:text/javascript,import { object } from '${zod}'; object({});`;
  expect(JSON.parse(await runNode(watchCompiledText(probing.replaceAll("'", '%27'))))).toEqual([
    'new Function',
  ]);
});

test('the watch sees a module that does something', async () => {
  const busy = 'data:text/javascript,setTimeout(() => {}); globalThis.mine = 1; console.warn(Date.now());';
  expect(JSON.parse(await runNode(watchImport(busy, [])))).toEqual([
    'setTimeout',
    'Date.now',
    'console.warn',
    'globals changed',
  ]);
});
