import { asksForSecret } from '../../shared/asks-for-secret.ts';
import { fields } from './kinds/fields.tsx';
import type { FormField } from './schema/form-field.ts';
import type { FormModel } from './schema/read-schema.ts';

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
  const field = fields.guard(model.field, '', isAsked);
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
