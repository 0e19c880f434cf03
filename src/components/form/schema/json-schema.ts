import { hasOwn } from '../../../shared/json.ts';
import type { FormField } from './form-field.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** The label of a field and whether it is required, which the schema around it decides. */
export interface Place {
  readonly label: string;
  readonly required: boolean;
}

/** The properties that every kind of field has. */
export type Base = Place & Pick<FormField, 'description' | 'defaultValue' | 'secret'>;

/** Returns the finite number of a keyword. */
export function ownNumber(node: JsonSchema, key: string): number | undefined {
  const value = hasOwn(node, key) ? node[key] : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Returns the schema without these keywords. */
export function without(node: JsonSchema, ...keys: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(node).filter(([key]) => !keys.includes(key)));
}

/** Returns true for `format: 'file'`, the format of `fileReference`, and for OpenAPI's `format: 'binary'`. */
export function isFile(node: JsonSchema): boolean {
  return node.format === 'file' || node.format === 'binary';
}
