import { asGroup, asRows, type Draft, groupKey } from './draft.ts';
import type { FormField } from './form-field.ts';

/** The name of the first control of a form as it starts; a list without rows has the button that adds one. */
export function firstControl(field: FormField, name: string, draft: Draft | undefined): string | undefined {
  switch (field.kind) {
    case 'group':
      for (const [index, child] of field.fields.entries()) {
        const key = groupKey(index);
        const found = firstControl(child.field, `${name}.${key}`, asGroup(draft)[key]);
        if (found !== undefined) return found;
      }
      return undefined;
    case 'union':
      return `${name}.pick`;
    case 'constant':
      return field.required ? undefined : name;
    case 'list': {
      const [first] = asRows(draft);
      const row = first === undefined ? undefined : firstControl(field.item, `${name}.0.item`, first.item);
      return row ?? (field.maxItems === 0 ? undefined : name);
    }
    case 'record':
      return asRows(draft).length > 0 ? `${name}.0.key` : name;
    case 'text':
    case 'number':
    case 'boolean':
    case 'choice':
    case 'multi-choice':
    case 'json':
    case 'file':
      return name;
    default:
      return field satisfies never;
  }
}
