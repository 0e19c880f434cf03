import { expect, it } from 'vitest';
import { describeUploads } from './uploads-suite.ts';

it('uploads use fetch where XMLHttpRequest does not exist', () => {
  expect(typeof XMLHttpRequest).toBe('undefined');
});

describeUploads('fetch');
