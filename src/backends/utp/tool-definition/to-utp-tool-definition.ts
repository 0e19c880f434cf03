import type { StandardSchemaV1 } from '@standard-schema/spec';
import { invalidOptions } from '../../../shared/errors.ts';
import { compact } from '../../../shared/json.ts';
import { readStandardJsonSchema } from '../../../shared/read-standard-json-schema.ts';
import type { AfterExecution } from '../call.ts';
import { checkToolDefinition } from './check-tool-definition.ts';
import type { UtpToolDefinition, UtpToolOptions } from './utp-tool-definition.ts';

/** The fields of a tool that agents are told about. A tool of `defineClientTool` has them. */
export interface DescribedTool {
  readonly title?: string;
  readonly description?: string;
  /** A Standard Schema that can describe itself as JSON Schema (Zod 4.2 and later). */
  readonly input?: StandardSchemaV1;
  /** Becomes `suspend_timeout_seconds`. Milliseconds; `Infinity` counts as absent. */
  readonly timeoutMs?: number;
}

/** The fields of a UTP definition that a tool itself does not have. */
export interface UtpRegistration {
  readonly name: string;
  readonly targetSubject: string;
  /** Default: `suspend`. */
  readonly afterExecution?: AfterExecution;
  readonly options?: UtpToolOptions;
}

/**
 * Returns the UTP definition of a tool, checked. The description is the tool's, else its title.
 *
 * @throws AgentChatError `invalid_options` for an `input` that has no JSON Schema, and as `checkToolDefinition` does.
 */
export function toUtpToolDefinition(
  { title, description = title, input, timeoutMs }: DescribedTool,
  { name, targetSubject, afterExecution = 'suspend', options }: UtpRegistration,
): UtpToolDefinition {
  const parameters = input && readStandardJsonSchema(input);
  if (input !== undefined && parameters === undefined) {
    throw invalidOptions(
      `input of the tool ${name} cannot be turned into JSON Schema. Use Zod 4.2 or later, or another library with Standard JSON Schema.`,
    );
  }
  const suspend_timeout_seconds =
    timeoutMs === undefined || timeoutMs === Number.POSITIVE_INFINITY ? undefined : timeoutMs / 1_000;
  return checkToolDefinition(
    compact({
      tool_name: name,
      description,
      target_subject: targetSubject,
      after_execution: afterExecution,
      parameters,
      options: compact({ suspend_timeout_seconds, ...options }),
    }),
  );
}
