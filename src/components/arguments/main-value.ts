import { isRecord } from '../../shared/json.ts';
import { displayText } from '../text/safe-text.ts';

/**
 * Returns the main value of a call as people read it, such as `€89.00`: the argument that the schema marks with `emphasis: true`.
 * Undefined if the schema marks none.
 */
export function mainValue(args: unknown, inputSchema: unknown, originalArgs?: unknown): string | undefined {
  const properties = isRecord(inputSchema) && isRecord(inputSchema.properties) ? inputSchema.properties : {};
  const main = Object.entries(properties).find(([, schema]) => isRecord(schema) && schema.emphasis === true);
  if (main === undefined || !isRecord(args)) return undefined;
  const [name, schema] = main;
  const value = args[name] ?? (isRecord(originalArgs) ? originalArgs[name] : undefined);
  if (typeof value !== 'number' && typeof value !== 'string') return undefined;
  const currency = isRecord(schema) && schema.format === 'currency' ? schema.currency : undefined;
  if (typeof value === 'number' && typeof currency === 'string')
    return new Intl.NumberFormat(undefined, { style: 'currency', currency }).format(value);
  return displayText(String(value), 60);
}
