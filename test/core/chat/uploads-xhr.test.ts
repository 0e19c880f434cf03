// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { describeUploads } from './uploads-suite.ts';

// jsdom logs a lost connection.
declare const jsdom: { virtualConsole: { removeAllListeners(event: string): void } };
jsdom.virtualConsole.removeAllListeners('jsdomError');

it('uploads use XMLHttpRequest where it exists', () => {
  expect(typeof XMLHttpRequest).toBe('function');
});

describeUploads('XMLHttpRequest');
