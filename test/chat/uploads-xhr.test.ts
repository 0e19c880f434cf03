// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { describeUploads } from './uploads-suite.ts';

// What it says of a lost connection is for people who develop jsdom.
declare const jsdom: { virtualConsole: { removeAllListeners(event: string): void } };
jsdom.virtualConsole.removeAllListeners('jsdomError');

it('runs where there is an XMLHttpRequest', () => {
  expect(typeof XMLHttpRequest).toBe('function');
});

describeUploads('XMLHttpRequest');
