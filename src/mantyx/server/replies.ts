/** Reads JSON for the Mantyx proxy, and makes the refusals that the browser gets. */
import { isRecord } from '../../shared/json.ts';

export type Body = Readonly<Record<string, unknown>>;

/** Reads a body with the JSON content type. A form of another origin cannot send that type without a CORS preflight. */
export async function readJsonBody(request: Request): Promise<Body | undefined> {
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) return undefined;
  try {
    const body: unknown = await request.json();
    return isRecord(body) ? body : undefined;
  } catch {
    return undefined;
  }
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
