/** Standard Schema validation, synchronous and never throwing. See https://standardschema.dev */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { describeThrown } from './errors.ts';

export type Validation = { readonly value: unknown } | { readonly issues: readonly StandardSchemaV1.Issue[] };

/** The parsed value, or what is wrong with it. Without a schema everything is right. */
export function validate(schema: StandardSchemaV1 | undefined, value: unknown): Validation {
  if (schema === undefined) return { value };
  try {
    const result = schema['~standard'].validate(value);
    if ('then' in result) {
      // It may still reject, and nobody else would hear of it.
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

/** `path.to.field: what is wrong; ...` */
export function describeIssues(issues: readonly StandardSchemaV1.Issue[]): string {
  return issues
    .map(({ message, path }) => {
      const place = (path ?? []).map((step) => String(typeof step === 'object' ? step.key : step)).join('.');
      return place === '' ? message : `${place}: ${message}`;
    })
    .join('; ');
}
