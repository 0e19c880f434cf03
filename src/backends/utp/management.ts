/** Requests to the management API of CommonGround. */
import { classifyHttpStatus } from '../../shared/classify-http-status.ts';
import { AgentChatError, describeThrown } from '../../shared/errors.ts';

/** The management API of CommonGround. It has no authentication of its own, so keep it inside your network. */
export interface UtpManagement {
  /** Such as `http://localhost:8099`. */
  readonly url: string | URL;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/**
 * Posts to a route of a project.
 *
 * @param failed what has not happened if the request fails, such as `The tool search was not registered`
 * @throws AgentChatError `http_error` if the API refuses the request, `connection_failed` if it cannot be reached
 */
export async function postToProject(
  { url, fetch: send = fetch }: UtpManagement,
  { project, route, failed }: { readonly project: string; readonly route: string; readonly failed: string },
  init: Pick<RequestInit, 'body' | 'headers'>,
): Promise<void> {
  const address = `${String(url).replace(/\/$/, '')}/projects/${encodeURIComponent(project)}/${route}`;
  const response = await send(address, { method: 'POST', ...init }).catch((thrown: unknown) => {
    throw new AgentChatError({
      code: 'connection_failed',
      message: `${failed}: ${address} cannot be reached (${describeThrown(thrown)}).`,
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
    message: `${failed}: ${address} answered with status ${response.status}. ${await response.text()}`,
  });
}
