import { isRecord, toJsonValue } from '../../shared/json.ts';
import { readStandardJsonSchema } from '../../shared/read-standard-json-schema.ts';
import { withoutSecrets } from '../../shared/secrets.ts';
import type { ToolCall } from '../state/tool-call.ts';
import type { ClientToolDefinition } from './client-tool.ts';

/**
 * Returns the result without its secrets, as messages show it and storages keep it; undefined if it has none.
 *
 * The secrets are those of the value as it was entered, before `output` parsed it. The `output` schema marks them; without
 * `output`, the form that the arguments of the call describe does. In arguments that a person edited, `input` marks them.
 */
export function redactResult(
  { request }: ToolCall,
  definition: ClientToolDefinition | undefined,
  result: unknown,
): unknown {
  const { output } = definition ?? {};
  const { fields, requestedSchema, schema } = request.args;
  const form = [requestedSchema, fields, schema].find((given) => typeof given === 'object' && given !== null);
  let redacted = withoutSecrets(result, output === undefined ? form : readStandardJsonSchema(output));
  if (isRecord(redacted) && isRecord(redacted.editedArgs)) {
    const editedArgs = redactArgs(redacted.editedArgs, definition);
    if (editedArgs !== redacted.editedArgs) redacted = { ...redacted, editedArgs };
  }
  if (redacted === result) return undefined;
  try {
    return toJsonValue(redacted);
  } catch {
    // The person entered a value that JSON cannot carry, and `output` turned it into one that JSON can.
    return null;
  }
}

/** Returns arguments without the secrets that the `input` schema marks. */
export function redactArgs(args: unknown, definition: ClientToolDefinition | undefined): unknown {
  const { input } = definition ?? {};
  return input === undefined ? args : withoutSecrets(args, readStandardJsonSchema(input));
}
