import { waitFor } from '@testing-library/react';
import { expect } from 'vitest';

/** Waits until the open dialogs accept keys and presses, which they do not in their first half second. */
export async function untilArmed(root: ParentNode = document): Promise<void> {
  const states = () =>
    [...root.querySelectorAll<HTMLElement>('.hr-dialog[data-state="open"]')].map(
      ({ dataset }) => dataset.arming,
    );
  await waitFor(() => expect(new Set(states())).toEqual(new Set(['armed'])), { timeout: 20_000 });
}
