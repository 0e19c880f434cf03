import { asksForSecret } from '../../shared/asks-for-secret.ts';
import type { FormField } from './form-field.ts';
import type { FormModel } from './read-schema.ts';

type Suspects = NonNullable<FormModel['suspects']>;

/**
 * Guards a form of an MCP server, which must not ask for secrets. A field that asks for one, by its texts or by a mark in
 * its schema, becomes suspect: the form shows it with a warning and without a browser's password manager, does not save
 * it, and does not show it again. When only the message asks for a secret, every free text field becomes suspect.
 */
export function guardElicitedForm(model: FormModel, message: unknown): FormModel {
  const guarded = guardForm(model, false);
  const onlyMessageAsks =
    guarded.suspects.length === 0 && typeof message === 'string' && asksForSecret(message);
  return onlyMessageAsks ? guardForm(model, true) : guarded;
}

function guardForm(model: FormModel, isAsked: boolean): FormModel & { readonly suspects: Suspects } {
  const field = guard(model.field, '', isAsked);
  return { ...model, field, suspects: findSuspects(model.field, field) };
}

/** Returns the names of properties with a suspect field, or `all` where the form is not a plain group of properties. */
function findSuspects(original: FormField, guarded: FormField): Suspects {
  if (original === guarded) return [];
  if (original.kind !== 'group' || guarded.kind !== 'group') return 'all';
  return guarded.fields
    .filter(({ field }, index) => field !== original.fields[index]?.field)
    .map(({ name }) => name);
}

/**
 * Returns the same field when nothing in it asks for a secret.
 *
 * @param isAsked Something around the field asks for a secret.
 */
function guard(field: FormField, name: string, isAsked: boolean): FormField {
  const asks =
    field.secret === true || [name, field.label, field.description].some((text) => asksForSecret(text ?? ''));
  switch (field.kind) {
    case 'text': {
      const isFree = field.format === 'plain' || field.format === 'multiline';
      if (!asks && !(isAsked && isFree)) return field;
      const format = field.format === 'secret' ? 'plain' : field.format;
      return { ...field, format, autoComplete: 'off', secret: true, suspect: true };
    }
    case 'number':
    case 'json':
      return asks || isAsked ? { ...field, secret: true, suspect: true } : field;
    case 'group': {
      const fields = field.fields.map((child) => ({
        ...child,
        field: guard(child.field, child.name, asks || isAsked),
      }));
      const isSame = fields.every((child, index) => child.field === field.fields[index]?.field);
      return isSame ? field : { ...field, fields };
    }
    case 'list':
    case 'record': {
      const item = guard(field.item, '', asks || isAsked);
      return item === field.item ? field : { ...field, item };
    }
    case 'union': {
      const variants = field.variants.map((variant) => guard(variant, '', asks || isAsked));
      const isSame = variants.every((variant, index) => variant === field.variants[index]);
      return isSame ? field : { ...field, variants };
    }
    // A person cannot type into these.
    case 'boolean':
    case 'choice':
    case 'multi-choice':
    case 'constant':
    case 'file':
      return field;
    default:
      return field satisfies never;
  }
}
