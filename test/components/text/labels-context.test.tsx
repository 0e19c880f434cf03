// @vitest-environment jsdom
import { renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { englishFormLabels } from '../../../src/components/text/form-labels.ts';
import { englishInboxLabels } from '../../../src/components/text/inbox-labels.ts';
import { LabelsProvider, useLabels } from '../../../src/components/text/labels-context.tsx';

const outer = { optional: 'freiwillig', confirm: 'Ja', inbox: 'Eingang' };
const inner = { confirm: 'Jawohl' };
const Providers = ({ children }: { children: ReactNode }) => (
  <LabelsProvider labels={outer}>
    <LabelsProvider labels={inner}>{children}</LabelsProvider>
  </LabelsProvider>
);

test('a room has its own English strings and the shared ones where no provider is around', () => {
  const { result } = renderHook(() => useLabels(englishFormLabels));
  expect(result.current).toMatchObject({ optional: 'Optional', confirm: 'Confirm' });
  expect(result.current).not.toHaveProperty('inbox');
});

test('the nearest provider that sets a string counts, for every room', () => {
  const { result } = renderHook(() => useLabels(englishFormLabels, englishInboxLabels), {
    wrapper: Providers,
  });
  expect(result.current).toMatchObject({
    optional: 'freiwillig',
    inbox: 'Eingang',
    confirm: 'Jawohl',
    decline: 'Decline',
  });
});

test('the strings of a room stay the same object, so that nothing that depends on them is made anew', () => {
  const { result, rerender } = renderHook(() => useLabels(englishFormLabels, englishInboxLabels), {
    wrapper: Providers,
  });
  const first = result.current;
  rerender();
  expect(result.current).toBe(first);
  const { result: alone } = renderHook(() => [useLabels(englishFormLabels), useLabels(englishFormLabels)]);
  expect(alone.current[0]).toBe(alone.current[1]);
});
