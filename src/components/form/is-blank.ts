import { asGroup, type Draft, variantKey } from './draft.ts';

/** Whether nothing was entered: by the shape of the draft, since every leaf of it is a text. */
export function isBlank(draft: Draft | undefined): boolean {
  if (draft === undefined) return true;
  if (typeof draft === 'string') return draft.trim() === '';
  if (Array.isArray(draft)) return draft.length === 0;
  const { pick, ...parts } = asGroup(draft);
  if (pick === undefined) return Object.values(parts).every(isBlank);
  // A required union begins with its first shape; that alone is no answer.
  return pick === '' || (pick === '0' && isBlank(parts[variantKey(0)]));
}
