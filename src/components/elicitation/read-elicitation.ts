/**
 * An MCP elicitation (specifications 2025-06-18 to 2026-07-28) as it arrives in a call, with the `params` of the request
 * as arguments: `{ message, requestedSchema }` is form mode, `{ mode: 'url', message, url }` is URL mode. A call named
 * `mcp:<server>/elicitation` is an elicitation even without these.
 *
 * The dialog submits the `content` of an `accept`: the values of a form, `{}` for a consent, `null` for a page.
 */
import { hasOwn, isRecord } from '../../shared/json.ts';
import type { AnyTool } from '../any-tool.ts';
import { readAskingServer } from '../text/tool-prompt.ts';

export type Elicitation =
  /** A page to open. The URL comes from a model or a server, so it may be hostile. */
  | { readonly type: 'page'; readonly url: unknown }
  /** A question without fields: go on, or not. */
  | { readonly type: 'consent' }
  /** A question about one boolean property. */
  | { readonly type: 'yes-no'; readonly property: string; readonly schema: JsonSchema }
  | { readonly type: 'choice'; readonly requestedSchema: JsonSchema }
  | { readonly type: 'form' };

type JsonSchema = Readonly<Record<string, unknown>>;

/** A choice with more options is shown as a form, whose field folds them into a list. */
const MAX_OPTIONS = 7;

/**
 * Returns undefined for any other call, also for one that waits for approval and for one whose result the app described
 * with an `output` schema.
 */
export function readElicitation({
  approvalReason,
  definition,
  toolName,
  args,
}: AnyTool): Elicitation | undefined {
  if (approvalReason !== undefined || definition?.output !== undefined) return undefined;
  // A copy has no inherited properties, so destructuring below reads own ones only.
  const own: JsonSchema = isRecord(args) ? { ...args } : {};
  const isNamed = readAskingServer(toolName) !== undefined;
  const { mode, url, message, requestedSchema } = own;
  if (
    hasOwn(own, 'url') &&
    (mode === 'url' || (isNamed && mode === undefined && !isRecord(requestedSchema)))
  ) {
    return { type: 'page', url };
  }
  if (isRecord(requestedSchema)) return readQuestion(requestedSchema, message);
  return isNamed ? { type: 'consent' } : undefined;
}

function readQuestion(requestedSchema: JsonSchema, message: unknown): Elicitation {
  const { properties, required } = requestedSchema;
  const [first, ...others] = isRecord(properties) ? Object.entries(properties) : [];
  if (first === undefined) return { type: 'consent' };
  const [property, schema] = first;
  if (others.length > 0 || !isRecord(schema)) return { type: 'form' };
  const isRequired = Array.isArray(required) && required.includes(property);
  if (schema.type === 'boolean' && isRequired && !hasOwn(schema, 'default') && isQuestion(message)) {
    return { type: 'yes-no', property, schema };
  }
  const options: readonly unknown[] = [schema.oneOf, schema.enum].find(Array.isArray) ?? [];
  const isChoice = schema.type === 'string' && options.length > 0 && options.every(isTextOption);
  return isChoice && options.length <= MAX_OPTIONS ? { type: 'choice', requestedSchema } : { type: 'form' };
}

/**
 * An option of an `enum`, or of a `oneOf` of labelled constants. A `oneOf` may also list schemas that cannot be picked.
 */
function isTextOption(option: unknown): boolean {
  return typeof (isRecord(option) ? option.const : option) === 'string';
}

/** Returns true for a text that ends with a question mark: Latin, Greek, Arabic, Armenian or full-width. */
function isQuestion(text: unknown): boolean {
  return typeof text === 'string' && /[?\u037E\u055E\u061F\u203D\u2E2E\uFF1F]["'»”’)\]]*\s*$/.test(text);
}
