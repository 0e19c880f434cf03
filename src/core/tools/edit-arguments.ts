/** Arguments that a person corrects before allowing a call: the handler runs with them, and the agent is told. */
import { deepEqual } from '../../shared/deep-equal.ts';
import { describeThrown } from '../../shared/errors.ts';
import { deepFreeze, hasOwn, isRecord, readOwn, toJsonValue } from '../../shared/json.ts';
import { findReadOnlyArguments } from '../../shared/read-only-arguments.ts';
import type { Validation } from '../../shared/validate.ts';
import { type ToolCall, type ToolCallAnswer, visibleResult } from '../state/tool-call.ts';
import type { RefusedResult } from './check-result.ts';
import type { ClientToolDefinition } from './client-tool.ts';
import { parseArguments } from './parse-arguments.ts';
import { redactArgs } from './redact-result.ts';

type Args = ToolCall['request']['args'];

/** Arguments as a person corrected them. */
export interface Edit {
  /** JSON, for `input` to parse. */
  readonly args: Args;
  /** What `input` made of them, where they were parsed on this page: the handler runs with it. */
  readonly parsed?: unknown;
}

/**
 * Checks the arguments that a person corrected. Returns undefined if they are those that the person was shown.
 *
 * @param shown the parsed arguments that the person was shown
 * @param edited the whole of the arguments, with the changes of the person
 */
export function checkEdit(
  { request }: ToolCall,
  definition: Pick<ClientToolDefinition, 'editable' | 'input'> | undefined,
  shown: unknown,
  edited: unknown,
): Edit | RefusedResult | undefined {
  if (definition?.editable !== true || !isRecord(edited))
    return refuse(
      isRecord(edited)
        ? `Tool ${request.toolName} is not editable: allow the call as it is, or decline it`
        : 'editedArgs must be an object with all arguments',
    );
  const changed = findChangedNames(shown, edited);
  if (changed.length === 0) return undefined;
  const fixed = findReadOnlyArguments(definition.input).find((name) => changed.includes(name));
  if (fixed !== undefined)
    return refuse(`${fixed} may not be changed: allow it as it is, or decline the call`);
  // An argument that the person left alone stays as the agent sent it: the schema may not take its own output a second time.
  const merged = new Map(Object.entries(request.args));
  for (const name of changed) {
    const value = readOwn(edited, name);
    if (value === undefined) merged.delete(name);
    else merged.set(name, value);
  }
  try {
    const args = toJsonValue(Object.fromEntries(merged), 'editedArgs') as Args;
    const parsed = parseEdit(definition, request.args, shown, args);
    return 'issues' in parsed
      ? { settled: false, reason: 'invalid-result', issues: parsed.issues }
      : { args, parsed: parsed.value };
  } catch (thrown) {
    return refuse(describeThrown(thrown, 'JSON cannot carry it'), 'not-serializable');
  }
}

/**
 * Parses corrected arguments. A default that the person was shown runs as it was shown, also where the schema makes another one each time.
 *
 * @param sent the arguments of the agent
 */
export function parseEdit(
  definition: Pick<ClientToolDefinition, 'input'>,
  sent: Args,
  shown: unknown,
  args: Args,
): Validation {
  const defaults = Object.entries(isRecord(shown) ? shown : {}).filter(
    ([name]) => !hasOwn(sent, name) && !hasOwn(args, name),
  );
  const parsed = parseArguments(definition, { ...Object.fromEntries(defaults), ...args });
  // A schema may compute a field, and refuse that field as an argument.
  return 'issues' in parsed && defaults.length > 0 ? parseArguments(definition, args) : parsed;
}

/** Adds the corrected arguments to the result of a handler that ran with them. */
export function tellOfEdit(
  { request: { args, originalArgs } }: ToolCall,
  definition: ClientToolDefinition,
  answer: ToolCallAnswer,
): ToolCallAnswer {
  if (originalArgs === undefined || answer.outcome !== 'submitted') return answer;
  const changedArgs = findChangedNames(originalArgs, args);
  const tell = (result: unknown, editedArgs: unknown) => deepFreeze({ result, editedArgs, changedArgs });
  const shownArgs = redactArgs(args, definition);
  const hasSecrets = shownArgs !== args || 'redactedResult' in answer;
  return {
    ...answer,
    result: tell(answer.result, args),
    ...(hasSecrets && { redactedResult: tell(visibleResult(answer), shownArgs) }),
  };
}

function findChangedNames(before: unknown, after: Readonly<Record<string, unknown>>): readonly string[] {
  const old = isRecord(before) ? before : {};
  return [...new Set([...Object.keys(old), ...Object.keys(after)])].filter(
    (name) => !deepEqual(readOwn(old, name), readOwn(after, name)),
  );
}

function refuse(message: string, reason: RefusedResult['reason'] = 'invalid-result'): RefusedResult {
  return { settled: false, reason, issues: [{ message }] };
}
