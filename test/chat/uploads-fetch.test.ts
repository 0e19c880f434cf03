import { expect, it } from 'vitest';
import { describeUploads } from './uploads-suite.ts';

it('runs where there is no XMLHttpRequest', () => {
  expect(typeof XMLHttpRequest).toBe('undefined');
});

describeUploads('fetch');
