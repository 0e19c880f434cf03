import { classifyHttpStatus } from '../../../shared/classify-http-status.ts';
import { AgentChatError, describeThrown } from '../../../shared/errors.ts';
import { checkToolDefinition } from './check-tool-definition.ts';
import type { UtpToolDefinition } from './utp-tool-definition.ts';

/** Options of {@link uploadToolDefinition}. */
export interface UploadToolOptions {
  /** The management API of CommonGround, such as `http://localhost:8099`. */
  readonly url: string | URL;
  readonly project: string;
  readonly definition: UtpToolDefinition;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/**
 * Registers a tool, or replaces the one of the same name: `POST /projects/{project}/tools` of the management API (CommonGround v1r4).
 * The API has no authentication of its own, so keep it inside your network.
 *
 * @throws AgentChatError `invalid_options` for a definition that breaks the rules, `http_error` if the API refuses it,
 * `connection_failed` if the API cannot be reached.
 */
export async function uploadToolDefinition({
  url,
  project,
  definition,
  fetch: send = fetch,
}: UploadToolOptions): Promise<void> {
  const checked = checkToolDefinition(definition);
  const body = new FormData();
  // The API reads YAML, and JSON is YAML.
  const file = new Blob([JSON.stringify(checked)], { type: 'application/yaml' });
  body.set('file', file, `${checked.tool_name}.yaml`);
  const address = `${String(url).replace(/\/$/, '')}/projects/${encodeURIComponent(project)}/tools`;
  const response = await send(address, { method: 'POST', body }).catch((thrown: unknown) => {
    throw new AgentChatError({
      code: 'connection_failed',
      message: `The tool ${checked.tool_name} was not registered: ${address} cannot be reached (${describeThrown(thrown)}).`,
      retryable: true,
      cause: thrown,
    });
  });
  if (response.ok) return;
  throw new AgentChatError({
    code: 'http_error',
    ...classifyHttpStatus(response.status),
    source: 'platform',
    status: response.status,
    message: `The tool ${checked.tool_name} was not registered: ${address} answered with status ${response.status}. ${await response.text()}`,
  });
}
