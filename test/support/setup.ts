/** Runs before every test file, in Node, jsdom and Chromium. */
import { afterEach, expect } from 'vitest';

// A warning nobody expected is a failure. A test that expects one replaces the method:
// `vi.spyOn(console, 'warn').mockImplementation(() => {})`, which is undone after the test.
const unexpected: string[] = [];
for (const method of ['error', 'warn'] as const) {
  console[method] = (...parts: unknown[]) => {
    unexpected.push(`console.${method}: ${describe(parts)}`);
  };
}

function describe(parts: readonly unknown[]): string {
  const texts = parts.map((part) => (part instanceof Error ? (part.stack ?? part.message) : String(part)));
  const [first = '', ...rest] = texts;
  // React writes printf formats.
  const filled = first.replace(/%[sdio]/g, (placeholder) => rest.shift() ?? placeholder);
  return [filled, ...rest].join(' ');
}

// Registered first, so it runs last: unmounting below may log too.
afterEach(() => {
  expect(unexpected.splice(0), 'nothing may be logged as error or warning').toEqual([]);
});

if (typeof document !== 'undefined') {
  const { cleanup, configure } = await import('@testing-library/react');
  // What is waited for must come, however busy the machine is.
  configure({ asyncUtilTimeout: 20_000 });
  afterEach(cleanup);
  // jsdom paints nothing, so updates are flushed by `act`; in a browser React schedules as it does for users.
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT =
    navigator.userAgent.includes('jsdom');
}
