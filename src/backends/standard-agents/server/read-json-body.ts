import { readBody, refuse, refuseLongBody } from '../../../server/http/handle-agent-request.ts';
import { isRecord } from '../../../shared/json.ts';

/** Reads a JSON object; otherwise returns the refusal of the request. */
export async function readJsonBody(
  request: Request,
  maxBytes: number,
): Promise<Readonly<Record<string, unknown>> | Response> {
  const bytes = await readBody(request.body ?? [], maxBytes);
  if (bytes === null) return refuseLongBody(maxBytes);
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (isRecord(body)) return body;
  } catch {
    // The refusal below answers a body that is not JSON.
  }
  return refuse(400, 'The body must be a JSON object.', 'invalid_request');
}
