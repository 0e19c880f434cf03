import { encodePathSegment } from '../../../shared/hide-texts.ts';
import { compact, hasOwn, isRecord } from '../../../shared/json.ts';
import { UtpToolError } from '../tool-error.ts';
import type { JinaOptions } from './read-jina-options.ts';
import type { Operation, OperationBody, OperationParameter } from './read-operation.ts';

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Returns the request of a call. An argument that the operation does not declare is not sent: a definition may add some that are for
 * CommonGround alone, such as the id of the project.
 *
 * @throws UtpToolError `bad_request` if a required argument is missing, or has a form that its place does not take
 */
export function toRequest(
  { baseUrl, path, method }: JinaOptions,
  { parameters, body }: Operation,
  args: Arguments,
): Request {
  const url = new URL(baseUrl);
  const headers = new Headers({ accept: 'application/json' });
  let filled = path;
  for (const parameter of parameters) {
    const { name, in: place } = parameter;
    const value = hasOwn(args, name) ? args[name] : undefined;
    if (value === undefined || value === null) {
      if (parameter.required) throw new UtpToolError('bad_request', `The argument ${name} is missing.`);
      continue;
    }
    if (place === 'path') filled = filled.replace(`{${name}}`, () => encodePath(name, toText(name, value)));
    if (place === 'header') setHeader(headers, name, toText(name, value));
    if (place === 'query')
      for (const [key, text] of toPairs(parameter, value)) url.searchParams.append(key, text);
  }
  url.pathname = `${url.pathname.replace(/\/$/, '')}${filled}`;
  const content = body && toBody(body, args, parameters);
  if (content !== undefined && body) headers.set('content-type', body.mediaType);
  // Another address could be one of another domain, which would get the key.
  return new Request(
    url,
    compact({ method: method.toUpperCase(), headers, body: content, redirect: 'manual' as const }),
  );
}

function toPairs(
  { name, explode, style }: OperationParameter,
  value: unknown,
): (readonly [string, string])[] {
  if (Array.isArray(value)) {
    const items = value.map((item) => toText(name, item));
    return explode ? items.map((item) => [name, item] as const) : [[name, items.join(',')]];
  }
  if (!isRecord(value)) return [[name, toText(name, value)]];
  const entries = Object.entries(value).map(([key, item]) => [key, toText(`${name}.${key}`, item)] as const);
  if (style === 'deepObject') return entries.map(([key, item]) => [`${name}[${key}]`, item]);
  return explode ? entries : [[name, entries.flat().join(',')]];
}

function toText(name: string, value: unknown): string {
  const items = Array.isArray(value) ? value : [value];
  if (items.every((item) => ['string', 'number', 'boolean'].includes(typeof item))) return items.join(',');
  throw new UtpToolError('bad_request', `The argument ${name} must be a text, a number or true or false.`);
}

function encodePath(name: string, text: string): string {
  // A URL drops such a segment, and the request would be one for another operation.
  if (text === '' || text === '.' || text === '..') {
    throw new UtpToolError('bad_request', `The argument ${name} cannot be "${text}": it is part of a path.`);
  }
  return encodePathSegment(text);
}

function setHeader(headers: Headers, name: string, text: string): void {
  try {
    headers.set(name, text);
  } catch {
    throw new UtpToolError('bad_request', `The argument ${name} has characters that a header cannot carry.`);
  }
}

function toBody(
  { mediaType, required, fields: declared }: OperationBody,
  args: Arguments,
  parameters: readonly OperationParameter[],
): string | undefined {
  const isField = (key: string) => declared?.includes(key) ?? !parameters.some(({ name }) => name === key);
  const fields = Object.fromEntries(Object.entries(args).filter(([key]) => isField(key)));
  if (Object.keys(fields).length === 0 && !required) return undefined;
  if (mediaType === 'application/json') return JSON.stringify(fields);
  const form = Object.entries(fields).map(([name, value]) => [name, toText(name, value)]);
  return new URLSearchParams(form).toString();
}
