/** The one door for JSON: every route reads its body here, so that the same mistake gets the same answer. */
import { MAX_BODY_BYTES, readBody } from './read-body.ts';
import { refuse } from './refuse.ts';

/** Why a body cannot be used. A route answers it in its own form. */
export interface BodyFault {
  readonly status: number;
  readonly error: string;
  readonly code: string;
}

/** The parsed body, or what is wrong with it. */
export type JsonRequest =
  | { readonly body: unknown; readonly fault?: never }
  | { readonly fault: BodyFault; readonly body?: never };

const USED: BodyFault = {
  status: 500,
  error:
    'The body was read before the route got the request, so it cannot be read again: read a clone of the request instead.',
  code: 'internal_error',
};

const EMPTY: BodyFault = {
  status: 400,
  error:
    'The body is empty. Where a parser in front of the handler has read it, its result belongs on the request, as `body`.',
  code: 'invalid_request',
};

/** How much of a body that is not JSON its refusal repeats. */
const SHOWN_CHARACTERS = 40;

/** Reads the body of a request as JSON, up to `maxBodyBytes` (default 4 MiB). */
export async function readJsonRequest(
  request: Request,
  { maxBodyBytes = MAX_BODY_BYTES }: { readonly maxBodyBytes?: number },
): Promise<JsonRequest> {
  if (request.bodyUsed) return { fault: USED };
  let bytes: Uint8Array | null;
  try {
    bytes = await readBody(request.body ?? [], maxBodyBytes);
  } catch {
    // The client left in the middle of the body.
    return { fault: { status: 400, error: 'The body ended early.', code: 'invalid_request' } };
  }
  if (bytes === null) return { fault: longBody(maxBodyBytes) };
  if (bytes.byteLength === 0) return { fault: EMPTY };
  const text = new TextDecoder().decode(bytes);
  try {
    return { body: JSON.parse(text) };
  } catch {
    const error = `The body must be JSON. It begins with ${JSON.stringify(text.slice(0, SHOWN_CHARACTERS))}.`;
    return { fault: { status: 400, error, code: 'invalid_request' } };
  }
}

/** The response to a body that cannot be used. */
export function refuseBody({ status, error, code }: BodyFault): Response {
  return refuse(status, error, code);
}

/** The fault of a body that is longer than the limit. */
export function longBody(maxBytes: number): BodyFault {
  const error = `The body is longer than the ${maxBytes} bytes this route takes, so nothing was changed. Send less, or raise maxBodyBytes on the server.`;
  return { status: 413, error, code: 'body_too_large' };
}
