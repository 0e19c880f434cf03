/** Builds the errors of failed requests and responses (Octavus wire protocol 2.0, section 8). */
import { classifyHttpStatus } from '../../shared/classify-http-status.ts';
import type { Clock } from '../../shared/clock.ts';
import { AgentChatError, describeThrown, invalidResponse, isReadable } from '../../shared/errors.ts';
import { compact, isRecord, parseJson } from '../../shared/json.ts';
import { parseRetryAfter } from '../../shared/parse-retry-after.ts';
import { untilAborted } from '../../shared/until-aborted.ts';

/** Characters of a body that an error text may have. */
const EXCERPT_LENGTH = 200;
/** An error body may never end, so the rest of it is not read. */
const MAX_ERROR_BODY_BYTES = 64 * 1024;

/** A blank body, or an event stream: it begins with a comment or a field, or has a field in a later line. */
const EVENT_STREAM =
  /^\s*(?:(?:data|event|id|retry)?(?::|$)|(?:data|event|id|retry)[\r\n])|[\r\n](?:data|event|id|retry):/;

/** The message and code of an error body, if it has them. */
export interface ErrorBody {
  readonly message?: string;
  readonly code?: string;
}

/**
 * Returns the error of a response whose status is no success. Reads its body.
 *
 * @param describe Reads the message and code of a JSON body in the form of the backend.
 */
export async function toHttpError(
  response: Response,
  signal: AbortSignal,
  clock: Clock,
  describe: (body: Readonly<Record<string, unknown>>) => ErrorBody = describeFields,
): Promise<AgentChatError> {
  const text = await readBeginning(response, signal);
  const contentType = response.headers?.get('content-type');
  const { message, code }: ErrorBody = isMarkup(text, contentType) ? {} : describeBody(text.trim(), describe);
  return new AgentChatError({
    code: 'http_error',
    message: !message || isPage(message) ? `Request failed: ${response.status}` : message,
    ...classifyHttpStatus(response.status),
    source: 'platform',
    status: response.status,
    retryAfter: parseRetryAfter(response.headers?.get('retry-after'), clock.now()),
    backendCode: code,
    cause: response,
  });
}

/** Returns the error of a response whose body has another type than an event stream. Reads its body. */
export async function toForeignError(response: Response, signal: AbortSignal): Promise<AgentChatError> {
  return notAnEventStream(response.headers.get('content-type'), await readBeginning(response, signal));
}

/** @throws AgentChatError `invalid_response` if a body begins with something that is neither blank nor an event stream. */
export function refuseForeign(contentType: string | null | undefined, beginning: readonly number[]): void {
  const text = new TextDecoder().decode(Uint8Array.from(beginning), { stream: true });
  if (EVENT_STREAM.test(text)) return;
  throw notAnEventStream(contentType, text);
}

/** Returns the error of a request that got no response. */
export function toConnectionError(thrown: unknown): AgentChatError {
  if (AgentChatError.isInstance(thrown)) return thrown;
  return new AgentChatError({
    code: 'connection_failed',
    message: `The agent could not be reached: ${describeThrown(thrown, 'the request failed')}. Check the network and the address, then retry.`,
    retryable: true,
    cause: thrown,
  });
}

function notAnEventStream(contentType: string | null | undefined, beginning: string): AgentChatError {
  const type = contentType ? `content type ${contentType}` : 'no content type';
  const body = isMarkup(beginning, contentType)
    ? 'a page of markup, such as a login page'
    : `a body that begins with ${JSON.stringify(excerpt(beginning))}`;
  return invalidResponse(
    `Expected an event stream (text/event-stream), got ${type} and ${body}. Check the address and the route.`,
  );
}

/** Returns true for markup, which is meant for browsers and must not be shown to a person as an error text. */
function isMarkup(text: string, contentType: string | null | undefined): boolean {
  return text.trimStart().startsWith('<') || /html|xml/i.test(contentType ?? '');
}

/** Returns true for a page within JSON, from a route that passes on the answer of a proxy. `<name> is required` is no page. */
function isPage(message: string): boolean {
  return /^\s*<(?:!doctype|\?xml|html)\b/i.test(message);
}

/** Reads the first 64 KiB of a body as text, or less if the body breaks off. Closes the body. */
async function readBeginning(response: Response, signal: AbortSignal): Promise<string> {
  if (response.bodyUsed || response.body?.locked) return '';
  // A test double or an old polyfill of Response may have no stream.
  if (!response.body) return (await response.text?.()) ?? '';
  const reader = response.body.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let size = 0; size < MAX_ERROR_BODY_BYTES; ) {
      const { value } = (await untilAborted(reader.read(), signal)) ?? {};
      if (!value) break;
      size += value.byteLength;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // The body broke off. The text so far may still explain the error.
  }
  void reader.cancel().catch(() => {});
  return text;
}

function describeBody(
  text: string,
  describe: (body: Readonly<Record<string, unknown>>) => ErrorBody,
): ErrorBody {
  const body = parseJson(text);
  // Broken JSON is no text for a person.
  if (body === undefined) return /^[{[]/.test(text) ? {} : { message: excerpt(text) };
  if (typeof body === 'string') return { message: excerpt(body) };
  return isRecord(body) ? describe(body) : {};
}

function describeFields(body: Readonly<Record<string, unknown>>): ErrorBody {
  const nested = isRecord(body.error) ? body.error : {};
  return compact({
    message: [body.error, nested.message, body.message].find(isReadable),
    code: [body.code, nested.code].find(isReadable),
  });
}

function excerpt(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > EXCERPT_LENGTH ? `${trimmed.slice(0, EXCERPT_LENGTH)}…` : trimmed;
}
