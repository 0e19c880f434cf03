import { parseJson } from '../../../shared/json.ts';
import { UtpToolError } from '../tool-error.ts';

/** The codes for the statuses with which an API refuses a request. Any other failure is one of the API. */
const CODES: Readonly<Record<number, string>> = {
  400: 'bad_request',
  401: 'auth_failed',
  403: 'auth_failed',
  404: 'not_found',
  409: 'conflict',
  422: 'bad_request',
};

/** Returns the result: the value of a JSON body, or the text of any other. @throws UtpToolError for a status that is no success */
export async function readResponse(response: Response): Promise<unknown> {
  const { status } = response;
  const text = await response.text();
  const isJson = /\bjson\b/.test(response.headers.get('content-type') ?? '');
  if (response.ok) return isJson ? parseJson(text, text) : text;
  const isRedirect = status >= 300 && status < 400;
  const message = isRedirect
    ? `The API redirects with status ${status}, which is not followed.`
    : `The API answered with status ${status}.`;
  throw new UtpToolError(CODES[status] ?? 'upstream_unavailable', message, {
    detail: { status, body: text },
    retryable: status === 429 || status >= 500,
  });
}
