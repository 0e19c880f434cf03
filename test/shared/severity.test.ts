import { expect, it } from 'vitest';
import { readDeclaredSeverity } from '../../src/shared/severity.ts';

const annotationsTrusted = true;

it.each<[Parameters<typeof readDeclaredSeverity>[0], string]>([
  [undefined, 'neutral'],
  [{ annotationsTrusted }, 'neutral'],
  [{ severity: 'caution', annotations: { readOnlyHint: true }, annotationsTrusted }, 'caution'],
  [{ severity: 'destrucitve' as never }, 'destructive'],
  [{ annotations: { readOnlyHint: true } }, 'destructive'],
  [{ annotations: { readOnlyHint: true }, annotationsTrusted: 'false' as never }, 'destructive'],
  [{ annotations: { destructiveHint: false } }, 'destructive'],
  [{ annotations: {}, annotationsTrusted }, 'destructive'],
  [{ annotations: { readOnlyHint: false, destructiveHint: true }, annotationsTrusted }, 'destructive'],
  [{ annotations: { readOnlyHint: true, destructiveHint: true }, annotationsTrusted }, 'neutral'],
  [{ annotations: { destructiveHint: false }, annotationsTrusted }, 'caution'],
])('readDeclaredSeverity: a tool declared with %j is %s', (declared, severity) => {
  expect(readDeclaredSeverity(declared)).toBe(severity);
});
