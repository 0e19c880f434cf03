import { isStandardSchema } from '../shared/read-standard-json-schema.ts';
import { type AutomaticToolDefinition, DIALOG_KINDS, type InteractiveToolDefinition } from './client-tool.ts';

/**
 * Says why the engine could not use a definition, or returns undefined. Types refuse these faults; apps without types hear of
 * them from `defineClientTool`, and the agent hears of them when it calls a tool that was not made by it.
 */
export function findDefinitionFault(
  definition: Partial<InteractiveToolDefinition & AutomaticToolDefinition>,
): string | undefined {
  const { interactive, execute, timeoutMs = 0, ui = 'confirm' } = definition;
  if (interactive !== true && typeof execute !== 'function') {
    return 'A client tool needs interactive: true, for a tool that waits for a person, or execute, the function that runs it.';
  }
  if (typeof timeoutMs !== 'number' || !(timeoutMs >= 0)) {
    return `timeoutMs of a client tool must be a number of milliseconds, 0 or more, not ${String(timeoutMs)}.`;
  }
  // A component may be an object: `memo` and `lazy` return one.
  if (typeof ui === 'string' ? !isDialogKind(ui) : !ui) {
    return `ui of a client tool must be ${DIALOG_KINDS.map((kind) => `'${kind}'`).join(', ')} or a component, not ${JSON.stringify(ui)}.`;
  }
  for (const name of ['input', 'output'] as const) {
    if (definition[name] !== undefined && !isStandardSchema(definition[name])) {
      return `${name} of a client tool must be a Standard Schema: one of zod, valibot or arktype, for instance.`;
    }
  }
  return undefined;
}

function isDialogKind(ui: string): boolean {
  return DIALOG_KINDS.some((kind) => kind === ui);
}
