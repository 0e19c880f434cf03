/** What the proxy in front of Mantyx takes from a browser, and what it says in place of the platform. */
import { isRecord } from '../../shared/json.ts';

export type Body = Readonly<Record<string, unknown>>;

/** JSON said to be JSON: a form of another origin cannot say that without being asked first. */
export async function readJsonBody(request: Request): Promise<Body | undefined> {
  if (!/^application\/json\b/i.test(request.headers.get('content-type') ?? '')) return undefined;
  try {
    const body: unknown = await request.json();
    return isRecord(body) ? body : undefined;
  } catch {
    return undefined;
  }
}

/** The object Mantyx answered with. What stands between may say something else, and say that all went well. */
export async function readAnswer(response: Response): Promise<Body | undefined> {
  const answer: unknown = await response.json().catch(() => undefined);
  return isRecord(answer) ? answer : undefined;
}

/** What Mantyx refused. That it refused our credential is not the browser's fault, and not for it to hear. */
export async function toRefusal(response: Response): Promise<Response> {
  const { status } = response;
  if (status === 401 || status === 403) {
    await response.body?.cancel();
    return refuse(502, 'upstream_credential', 'The server may not do that at Mantyx.');
  }
  const { error = 'upstream_error', message, hint, code } = (await readAnswer(response)) ?? {};
  const retryAfter = response.headers.get('retry-after');
  return Response.json(
    { error, message, hint, code },
    { status, headers: retryAfter === null ? {} : { 'retry-after': retryAfter } },
  );
}

export function refuse(status: number, error: string, message: string): Response {
  return Response.json({ error, message }, { status });
}
