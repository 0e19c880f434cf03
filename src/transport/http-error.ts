/**
 * What is wrong with a response, in the words of the contract (Octavus wire protocol 2.0, section 8). Loaded when there is
 * one to tell about.
 */
import { classifyHttpStatus } from '../shared/classify-http-status.ts';
import type { Clock } from '../shared/clock.ts';
import { AgentChatError } from '../shared/errors.ts';
import { isRecord } from '../shared/json.ts';
import { parseRetryAfter } from '../shared/parse-retry-after.ts';
import { toInvalidResponse } from './request-error.ts';

/** Characters of a body that may go into a message. */
const EXCERPT_LENGTH = 200;
/** An error body is read no further than this: it may never end. */
const MAX_ERROR_BODY_BYTES = 64 * 1024;

/** A field or a comment: no other text begins like this. */
const EVENT_STREAM_START = /^\ufeff?\s*(?:(?:data|event|id|retry)(?:[:\r\n]|$)|:)/;
const EVENT_STREAM_LINE = /^(?:data|event|id|retry):/m;

/** The fields that an error body has. */
export interface ErrorBody {
  readonly message?: string;
  readonly code?: string;
}

/**
 * The error of a response whose status is no success. Reads its body.
 *
 * @param describe reads the words of a JSON body, where a backend has its own way with them
 */
export async function toHttpError(
  response: Response,
  signal: AbortSignal,
  clock: Clock,
  describe: (body: Readonly<Record<string, unknown>>) => ErrorBody = describeFields,
): Promise<AgentChatError> {
  const text = await readBeginning(response, signal);
  const contentType = response.headers?.get('content-type');
  const told: ErrorBody = isMarkup(text, contentType) ? {} : describeBody(text.trim(), describe);
  return new AgentChatError({
    code: 'http_error',
    message: !told.message || isPage(told.message) ? `Request failed: ${response.status}` : told.message,
    ...classifyHttpStatus(response.status),
    source: 'platform',
    status: response.status,
    retryAfter: parseRetryAfter(response.headers?.get('retry-after'), clock.now()),
    backendCode: told.code,
  });
}

/** The error of a response whose body cannot be read, or declares to be something else than an event stream. Reads its body. */
export async function toForeignError(response: Response, signal: AbortSignal): Promise<AgentChatError> {
  if (!response.body) return toInvalidResponse('Response body is empty');
  if (response.bodyUsed || response.body.locked) return toInvalidResponse('Response body is not readable');
  return notAnEventStream(response.headers.get('content-type'), await readBeginning(response, signal));
}

/** @throws AgentChatError `invalid_response` for a beginning that is not blank and nothing an event stream begins with. */
export function refuseForeign(contentType: string | null | undefined, beginning: readonly number[]): void {
  const text = new TextDecoder().decode(Uint8Array.from(beginning), { stream: true });
  if (text.trim() === '' || EVENT_STREAM_START.test(text) || EVENT_STREAM_LINE.test(text)) return;
  throw notAnEventStream(contentType, text);
}

/** The error of a request that gave something else than a response. */
export function toNoResponse(): AgentChatError {
  return toInvalidResponse('`request` must return the Response of its fetch (missing `return`?).');
}

function notAnEventStream(contentType: string | null | undefined, beginning: string): AgentChatError {
  const type = contentType ? `content type ${contentType}` : 'no content type';
  const body = isMarkup(beginning, contentType)
    ? 'a page of markup, such as a login or an error page'
    : `a body that begins with ${JSON.stringify(excerpt(beginning))}`;
  return toInvalidResponse(
    `Expected an event stream (text/event-stream), got ${type} and ${body}. Check the address and that the route answers with toSSEResponse or the like.`,
  );
}

/** Markup is written for browsers, not for people in a chat: it never becomes a message. */
function isMarkup(text: string, contentType: string | null | undefined): boolean {
  return text.trimStart().startsWith('<') || /html|xml/i.test(contentType ?? '');
}

/** True for a page within JSON, from a route that passes on the page of a proxy. `<name> is required` is no page. */
function isPage(message: string): boolean {
  return /^\s*<(?:!doctype|\?xml|html)\b/i.test(message);
}

/** Returns the first 64 KiB of a body as text, without unreadable parts. Ends the body. */
async function readBeginning(response: Response, signal: AbortSignal): Promise<string> {
  if (response.bodyUsed || response.body?.locked) return '';
  // A stand-in of a test or an older polyfill has no stream.
  if (!response.body) return (await response.text?.()) ?? '';
  const reader = response.body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  signal.addEventListener('abort', cancel);
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (let size = 0; size < MAX_ERROR_BODY_BYTES && !signal.aborted; ) {
      const { done, value } = await reader.read();
      if (done) break;
      size += value.byteLength;
      text += decoder.decode(value, { stream: true });
    }
  } catch {
    // The text before the break is used.
  }
  signal.removeEventListener('abort', cancel);
  cancel();
  return text;
}

/** The message and code of an error body. */
function describeBody(
  text: string,
  describe: (body: Readonly<Record<string, unknown>>) => ErrorBody,
): ErrorBody {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return text.startsWith('{') || text.startsWith('[') ? {} : { message: excerpt(text) };
  }
  if (typeof body === 'string') return { message: excerpt(body) };
  return isRecord(body) ? describe(body) : {};
}

function describeFields(body: Readonly<Record<string, unknown>>): ErrorBody {
  const nested = isRecord(body.error) ? body.error : {};
  const message = [body.error, nested.message, body.message].find(isText);
  const code = [body.code, nested.code].find(isText);
  return { ...(message === undefined ? {} : { message }), ...(code === undefined ? {} : { code }) };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}

function excerpt(text: string): string {
  const trimmed = text.trim();
  return trimmed.length > EXCERPT_LENGTH ? `${trimmed.slice(0, EXCERPT_LENGTH)}…` : trimmed;
}
