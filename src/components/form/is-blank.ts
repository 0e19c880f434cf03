import { asGroup, type Draft, groupKey, pickedVariant, TAKEN, variantKey } from './draft.ts';
import type { FormField } from './form-field.ts';

/** Whether nothing was entered: a constant or a switched-off box does not make a group wanted. */
export function isBlank(field: FormField, draft: Draft | undefined): boolean {
  switch (field.kind) {
    case 'constant':
      return draft !== TAKEN;
    case 'text':
    case 'number':
    case 'choice':
    case 'json':
    case 'file':
      return typeof draft !== 'string' || draft.trim() === '';
    case 'boolean':
      return draft === '' || draft === undefined;
    case 'multi-choice':
    case 'list':
    case 'record':
      return !Array.isArray(draft) || draft.length === 0;
    case 'group':
      return field.fields.every((child, index) => isBlank(child.field, asGroup(draft)[groupKey(index)]));
    case 'union': {
      const pick = pickedVariant(draft);
      const variant = field.variants[pick];
      return (
        pick === -1 ||
        (pick === 0 && variant !== undefined && isBlank(variant, asGroup(draft)[variantKey(pick)]))
      );
    }
    default:
      return field satisfies never;
  }
}
