import { postToProject, type UtpManagement } from '../management.ts';
import { checkToolDefinition } from './check-tool-definition.ts';
import type { UtpToolDefinition } from './utp-tool-definition.ts';

/** Options of {@link uploadToolDefinition}. */
export interface UploadToolOptions extends UtpManagement {
  readonly project: string;
  readonly definition: UtpToolDefinition;
}

/**
 * Registers a tool, or replaces the one of the same name: `POST /projects/{project}/tools` of the management API (CommonGround v1r4).
 *
 * @throws AgentChatError `invalid_options` for a definition that breaks the rules, `http_error` if the API refuses it,
 * `connection_failed` if the API cannot be reached.
 */
export async function uploadToolDefinition({
  project,
  definition,
  ...management
}: UploadToolOptions): Promise<void> {
  const checked = checkToolDefinition(definition);
  const body = new FormData();
  // The API reads YAML, and JSON is YAML.
  const file = new Blob([JSON.stringify(checked)], { type: 'application/yaml' });
  body.set('file', file, `${checked.tool_name}.yaml`);
  const failed = `The tool ${checked.tool_name} was not registered`;
  await postToProject(management, { project, route: 'tools', failed }, { body });
}
