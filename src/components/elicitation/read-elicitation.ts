/**
 * What a server asks through MCP elicitation (specifications 2025-06-18 to 2026-07-28), as it arrives in a call: with
 * the `params` of the request as arguments. `{ message, requestedSchema }` is form mode, `{ mode: 'url', message, url }`
 * URL mode; a call named `mcp:<server>/elicitation` is one whatever it leaves out.
 *
 * What is submitted is the `content` of an `accept`: the values, `{}` where nothing was asked, `null` for a page.
 */
import { hasOwn, isRecord } from '../../shared/json.ts';
import type { AnyTool } from '../primitives/any-tool.ts';
import { readAskingServer } from '../text/tool-prompt.ts';

export type Elicitation =
  /** A page to open. The address is as hostile as any argument. */
  | { readonly type: 'page'; readonly url: unknown }
  /** Nothing to fill in: go on, or not. */
  | { readonly type: 'consent' }
  /** A question whose two answers are the values of one property. */
  | { readonly type: 'yes-no'; readonly property: string; readonly schema: JsonSchema }
  | { readonly type: 'choice'; readonly requestedSchema: JsonSchema }
  | { readonly type: 'form' };

type JsonSchema = Readonly<Record<string, unknown>>;

/** More options than these are a form's field, which folds them away. */
const MAX_OPTIONS = 7;

/** `undefined` for any other call: one that asks before a handler runs, or whose result the app described itself. */
export function readElicitation({
  approvalReason,
  definition,
  toolName,
  args,
}: AnyTool): Elicitation | undefined {
  if (approvalReason !== undefined || definition?.output !== undefined) return undefined;
  // A copy has own properties only.
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

/** Of an `enum`, or of a `oneOf` of labelled constants; that may also list other schemas, which nobody can pick. */
function isTextOption(option: unknown): boolean {
  return typeof (isRecord(option) ? option.const : option) === 'string';
}

/** Whether a text ends as a question, in the scripts that have a mark for it: Latin, Greek, Arabic, Armenian, wide forms. */
function isQuestion(text: unknown): boolean {
  return typeof text === 'string' && /[?\u037E\u055E\u061F\u203D\u2E2E\uFF1F]["'»”’)\]]*\s*$/.test(text);
}
