/** The arguments of a call of a server tool: read by its schema once, when the agent calls it. */
import { deepEqual } from '../../shared/deep-equal.ts';
import { describeThrown } from '../../shared/errors.ts';
import { isRecord, readOwn, toJsonValue } from '../../shared/json.ts';
import { findReadOnlyArguments } from '../../shared/read-only-arguments.ts';
import { describeIssues, validate } from '../../shared/validate.ts';
import { allowedArguments, type CallRecord, hasAskedArguments } from '../store/call-record.ts';
import type { ServerToolDefinition } from './server-tool.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** The arguments as a record has them, or what is wrong with them. */
export type ReadArguments = Pick<CallRecord, 'args' | 'input'> | { readonly error: string };

/**
 * Reads what the agent sent. `args` is the JSON of the value that the tool runs with, defaults and coerced values included. Where the
 * schema makes values that JSON does not carry, such as a `Date`, `input` has what the agent sent, for the schema to read again.
 */
export function readArguments(
  toolName: string,
  { input: schema }: ServerToolDefinition,
  sent: Arguments,
): ReadArguments {
  const parsed = validate(schema, structuredClone(sent));
  if ('issues' in parsed) return { error: describeInvalid(toolName, describeIssues(parsed.issues)) };
  try {
    const args = toJsonValue(parsed.value, 'arguments');
    if (!isRecord(args)) return { error: describeInvalid(toolName, 'its schema makes no object of them') };
    return isSameJson(parsed.value, args) ? { args } : { args, input: sent };
  } catch (thrown) {
    return { error: describeInvalid(toolName, describeThrown(thrown)) };
  }
}

/**
 * Returns the value that the tool runs with. It is that of the record, or of the person who edited it, and nothing else: whatever changed
 * since somebody was asked is an error.
 */
export async function argumentsToRun(
  call: CallRecord,
  { input: schema }: ServerToolDefinition,
): Promise<{ readonly value: unknown } | { readonly error: string }> {
  const { toolName, input, answer, digest } = call;
  const wasAsked = digest !== undefined || answer !== undefined;
  if (wasAsked && !(await hasAskedArguments(call)))
    return {
      error: `Not run: the arguments of ${toolName} in the store are not those that a person was asked about.`,
    };
  if (answer?.redacted)
    return {
      error: `Not run: the arguments that a person had edited held a secret, which was not stored. Call ${toolName} again.`,
    };
  const args = allowedArguments(call);
  if (args === call.args && input === undefined) return { value: structuredClone(args) };
  const read = readAgain(schema, args === call.args && input ? input : args, args);
  return 'error' in read ? { error: describeInvalid(toolName, read.error) } : read;
}

/**
 * Returns what is wrong with arguments that a person has edited: they must be those that the tool then runs with.
 *
 * @param shown the arguments before
 */
export function checkEdited(
  schema: ServerToolDefinition['input'],
  shown: Arguments,
  edited: Arguments,
): string | undefined {
  const fixed = findReadOnlyArguments(schema).find(
    (name) => !deepEqual(readOwn(shown, name), readOwn(edited, name)),
  );
  if (fixed !== undefined) return `${fixed} may not be changed`;
  const read = readAgain(schema, edited, edited);
  return 'error' in read ? read.error : undefined;
}

function readAgain(
  schema: ServerToolDefinition['input'],
  sent: Arguments,
  shown: Arguments,
): { readonly value: unknown } | { readonly error: string } {
  const parsed = validate(schema, structuredClone(sent));
  if ('issues' in parsed) return { error: describeIssues(parsed.issues) };
  if (isSameJson(shown, JSON.parse(JSON.stringify(parsed.value) ?? 'null'))) return parsed;
  return { error: `the schema reads others from them than were shown: ${JSON.stringify(parsed.value)}` };
}

/** True if JSON carries the value without a change. */
function isSameJson(value: unknown, json: unknown): boolean {
  return deepEqual(value, json) && isPlain(value);
}

function isPlain(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(isPlain);
  if (typeof value !== 'object' || value === null) return true;
  const prototype = Object.getPrototypeOf(value);
  return (
    (prototype === null || Object.hasOwn(prototype, 'isPrototypeOf')) && Object.values(value).every(isPlain)
  );
}

/** Says what is wrong with arguments, for a model or a person to read. */
function describeInvalid(toolName: string, issues: string): string {
  return `Invalid arguments for tool ${toolName}: ${issues}`;
}
