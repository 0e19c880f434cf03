import { expect, it } from 'vitest';
import { readDeclaredTone } from '../../src/shared/confirmation-tone.ts';

const annotationsTrusted = true;

it.each<[Parameters<typeof readDeclaredTone>[0], string]>([
  [undefined, 'neutral'],
  [{ annotationsTrusted }, 'neutral'],
  [{ tone: 'caution', annotations: { readOnlyHint: true }, annotationsTrusted }, 'caution'],
  [{ annotations: { readOnlyHint: true } }, 'destructive'],
  [{ annotations: { destructiveHint: false } }, 'destructive'],
  [{ annotations: {}, annotationsTrusted }, 'destructive'],
  [{ annotations: { readOnlyHint: false, destructiveHint: true }, annotationsTrusted }, 'destructive'],
  [{ annotations: { readOnlyHint: true, destructiveHint: true }, annotationsTrusted }, 'neutral'],
  [{ annotations: { destructiveHint: false }, annotationsTrusted }, 'caution'],
])('a tool declared with %j is %s', (declared, tone) => {
  expect(readDeclaredTone(declared)).toBe(tone);
});
