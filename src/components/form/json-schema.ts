import { hasOwn } from '../../shared/json.ts';
import type { FormField } from './form-field.ts';

export type JsonSchema = Readonly<Record<string, unknown>>;

/** What surrounds a schema says about its field. */
export interface Place {
  readonly label: string;
  readonly required: boolean;
}

/** What every field of a schema has. */
export type Base = Place & Pick<FormField, 'description' | 'defaultValue' | 'secret'>;

/** A keyword's text; keywords of the prototype and empty texts do not count. */
export function ownString(node: JsonSchema, key: string): string | undefined {
  const value = hasOwn(node, key) ? node[key] : undefined;
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A keyword's number. */
export function ownNumber(node: JsonSchema, key: string): number | undefined {
  const value = hasOwn(node, key) ? node[key] : undefined;
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** A schema with some of its keywords left out. */
export function without(node: JsonSchema, ...keys: readonly string[]): JsonSchema {
  return Object.fromEntries(Object.entries(node).filter(([key]) => !keys.includes(key)));
}
