/** Standard Schema validation, synchronous and never throwing. See https://standardschema.dev */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { describeThrown } from './errors.ts';

export type Validation = { readonly value: unknown } | { readonly issues: readonly StandardSchemaV1.Issue[] };

/** Returns the parsed value or its issues. Without a schema every value is valid. */
export function validate(schema: StandardSchemaV1 | undefined, value: unknown): Validation {
  if (schema === undefined) return { value };
  try {
    const result = schema['~standard'].validate(value);
    if ('then' in result) {
      // The promise may still reject, and no other code handles that.
      Promise.resolve(result).catch(() => {});
      return {
        issues: [{ message: 'The schema validates asynchronously. Use one that does not.' }],
      };
    }
    return result.issues === undefined ? { value: result.value } : { issues: result.issues };
  } catch (thrown) {
    return { issues: [{ message: `The schema threw: ${describeThrown(thrown, 'no message')}` }] };
  }
}

/** Returns the issues as `path.to.field: message; ...`. */
export function describeIssues(issues: readonly StandardSchemaV1.Issue[]): string {
  return issues
    .map(({ message, path }) => {
      const place = (path ?? []).map((step) => String(typeof step === 'object' ? step.key : step)).join('.');
      return place === '' ? message : `${place}: ${message}`;
    })
    .join('; ');
}
