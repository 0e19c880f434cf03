import { readJsonRequest, refuseBody } from '../../../server/http/read-json-request.ts';
import { refuse } from '../../../server/http/refuse.ts';
import { isRecord } from '../../../shared/json.ts';

/** Reads a JSON object; otherwise returns the refusal of the request. */
export async function readJsonBody(
  request: Request,
  maxBodyBytes: number,
): Promise<Readonly<Record<string, unknown>> | Response> {
  const { body, fault } = await readJsonRequest(request, { maxBodyBytes });
  if (fault) return refuseBody(fault);
  return isRecord(body) ? body : refuse(400, 'The body must be a JSON object.', 'invalid_request');
}
