/** What of a result with secrets may be shown and kept. */
import { isRecord, toJsonValue } from '../shared/json.ts';
import { readStandardJsonSchema } from '../shared/read-standard-json-schema.ts';
import { withoutSecrets } from '../shared/secrets.ts';
import type { ToolCall } from '../state/tool-call.ts';
import type { AutomaticToolDefinition, InteractiveToolDefinition } from './client-tool.ts';

/**
 * The result as it was entered, before `output` made something else of it, without its secrets; `undefined` where it has
 * none. What is secret is said by `output`, else by what the arguments describe a form with; in arguments a person
 * edited, by `input`.
 */
export function redactResult(
  { request }: ToolCall,
  definition: InteractiveToolDefinition | AutomaticToolDefinition | undefined,
  result: unknown,
): unknown {
  const { input, output } = definition ?? {};
  const { fields, requestedSchema, schema } = request.args;
  const described = [requestedSchema, fields, schema].find(
    (form) => typeof form === 'object' && form !== null,
  );
  let shown = withoutSecrets(result, output === undefined ? described : readStandardJsonSchema(output));
  if (input !== undefined && isRecord(shown) && isRecord(shown.editedArgs)) {
    const editedArgs = withoutSecrets(shown.editedArgs, readStandardJsonSchema(input));
    if (editedArgs !== shown.editedArgs) shown = { ...shown, editedArgs };
  }
  if (shown === result) return undefined;
  try {
    return toJsonValue(shown);
  } catch {
    // What JSON cannot carry was entered, and `output` made something else of it.
    return null;
  }
}
