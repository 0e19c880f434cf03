/** Runs before every test file, in Node, jsdom and Chromium. */
import { afterEach, expect } from 'vitest';

// An unexpected warning fails the test. A test that expects one replaces the method:
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
  // A wait must not fail on a busy machine.
  configure({ asyncUtilTimeout: 20_000 });
  const isJsdom = navigator.userAgent.includes('jsdom');
  afterEach(async () => {
    cleanup();
    // A dialog gives the focus back in a zero-length timer after it is removed. In a browser that must not reach into the next test.
    if (!isJsdom) await new Promise((resolve) => setTimeout(resolve));
  });
  // jsdom does not paint, so `act` flushes updates. In a browser React schedules updates as for users.
  (globalThis as { IS_REACT_ACT_ENVIRONMENT?: boolean }).IS_REACT_ACT_ENVIRONMENT = isJsdom;
}
