/** Reads JSON for the Mantyx proxy, and makes the refusals that the browser gets. */
import { isJson } from '../../../server/http/is-forgeable.ts';
import { readJsonRequest } from '../../../server/http/read-json-request.ts';
import { isRecord } from '../../../shared/json.ts';

export type Body = Readonly<Record<string, unknown>>;

/** Reads a JSON object, sent as JSON; otherwise returns the refusal of the request. */
export async function readJsonBody(request: Request, maxBodyBytes: number): Promise<Body | Response> {
  const notAnObject = 'The body must be a JSON object, sent as application/json.';
  if (!isJson(request)) return refuse(400, 'invalid_request', notAnObject);
  const { body, fault } = await readJsonRequest(request, { maxBodyBytes });
  if (fault) return refuse(fault.status, fault.code, fault.error);
  return isRecord(body) ? body : refuse(400, 'invalid_request', notAnObject);
}

/** Parses Mantyx's JSON reply. A proxy in between may answer 200 with a body that is not JSON. */
export async function readReply(response: Response): Promise<Body | undefined> {
  const reply: unknown = await response.json().catch(() => undefined);
  return isRecord(reply) ? reply : undefined;
}

/** The refusal of Mantyx for the browser. A refused credential is an error of the server, so the browser gets 502 without details. */
export async function toRefusal(response: Response): Promise<Response> {
  const { status } = response;
  if (status === 401 || status === 403) {
    await response.body?.cancel();
    return refuse(502, 'upstream_credential', 'The server may not do that at Mantyx.');
  }
  const { error = 'upstream_error', message, hint, code } = (await readReply(response)) ?? {};
  const retryAfter = response.headers.get('retry-after');
  return Response.json(
    { error, message, hint, code },
    { status, headers: retryAfter === null ? {} : { 'retry-after': retryAfter } },
  );
}

export function refuse(status: number, error: string, message: string): Response {
  return Response.json({ error, message }, { status });
}
