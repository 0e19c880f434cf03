import { asksForSecret } from '../../shared/secrets.ts';
import type { FormField } from './form-field.ts';
import type { FormModel } from './read-schema.ts';

type Suspects = NonNullable<FormModel['suspects']>;

/**
 * A form for an MCP server, which must not ask for secrets in one. Fields that ask for one all the same, by their words or
 * by being declared secret, become suspect: shown with a warning, out of reach of what a browser keeps for password
 * fields, and neither kept nor shown again. When only the message asks, every free text may be what it asks for.
 */
export function guardElicitedForm(model: FormModel, message: unknown): FormModel {
  const guarded = guardAll(model, false);
  const isMeant = guarded.suspects.length === 0 && typeof message === 'string' && asksForSecret(message);
  return isMeant ? guardAll(model, true) : guarded;
}

function guardAll(model: FormModel, isMeant: boolean): FormModel & { readonly suspects: Suspects } {
  const field = guard(model.field, '', isMeant);
  return { ...model, field, suspects: findSuspects(model.field, field) };
}

/** By property; where a schema asks in another way, in one of several shapes or for all of it at once, the whole is. */
function findSuspects(asRead: FormField, guarded: FormField): Suspects {
  if (asRead === guarded) return [];
  if (asRead.kind !== 'group' || guarded.kind !== 'group') return 'all';
  return guarded.fields
    .filter(({ field }, index) => field !== asRead.fields[index]?.field)
    .map(({ name }) => name);
}

/** The same field where nothing in it asks for a secret. */
function guard(field: FormField, name: string, isMeant: boolean): FormField {
  const asks =
    field.secret === true ||
    [name, field.label, field.description].some((words) => asksForSecret(words ?? ''));
  switch (field.kind) {
    case 'text': {
      const isFree = field.format === 'plain' || field.format === 'multiline';
      if (!asks && !(isMeant && isFree)) return field;
      const format = field.format === 'secret' ? 'plain' : field.format;
      return { ...field, format, autoComplete: 'off', secret: true, suspect: true };
    }
    case 'number':
    case 'json':
      return asks || isMeant ? { ...field, secret: true, suspect: true } : field;
    case 'group': {
      const fields = field.fields.map((child) => ({
        ...child,
        field: guard(child.field, child.name, asks || isMeant),
      }));
      const isSame = fields.every((child, index) => child.field === field.fields[index]?.field);
      return isSame ? field : { ...field, fields };
    }
    case 'list':
    case 'record': {
      const item = guard(field.item, '', asks || isMeant);
      return item === field.item ? field : { ...field, item };
    }
    case 'union': {
      const variants = field.variants.map((variant) => guard(variant, '', asks || isMeant));
      const isSame = variants.every((variant, index) => variant === field.variants[index]);
      return isSame ? field : { ...field, variants };
    }
    // Nothing can be typed into these.
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
