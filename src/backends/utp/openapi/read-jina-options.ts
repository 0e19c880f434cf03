import { invalidOptions } from '../../../shared/errors.ts';
import { hasOwn, isRecord } from '../../../shared/json.ts';

/** The API that a tool calls, from `options.jina` of its definition (CommonGround v1r4). */
export interface JinaOptions {
  readonly baseUrl: URL;
  /** The path of the operation in the OpenAPI document, such as `/search`. */
  readonly path: string;
  /** In small letters, as in an OpenAPI document. */
  readonly method: string;
  /** The environment variable of the key. */
  readonly authEnv: string;
}

/** The one domain of each mode. No tool reaches another one, whatever its definition says. */
const DOMAINS: Readonly<Record<string, string>> = { search: 's.jina.ai', reader: 'r.jina.ai' };

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** @throws AgentChatError `invalid_options` that names the field, its value and the fix */
export function readJinaOptions(jina: unknown): JinaOptions {
  if (!isRecord(jina)) fail('jina', jina, "an object such as { mode: 'search', path: '/search' }");
  const { mode, path, method = 'GET', auth_env: authEnv = 'JINA_API_KEY' } = jina;
  const domain = typeof mode === 'string' && hasOwn(DOMAINS, mode) ? DOMAINS[mode] : undefined;
  if (domain === undefined) fail('jina.mode', mode, '"search" or "reader"');
  const { base_url: baseUrl = `https://${domain}` } = jina;
  if (typeof path !== 'string' || !path.startsWith('/'))
    fail('jina.path', path, 'a path of the OpenAPI document, such as "/search"');
  if (typeof method !== 'string' || !METHODS.includes(method.toUpperCase()))
    fail('jina.method', method, `one of ${METHODS.join(', ')}`);
  if (typeof authEnv !== 'string' || authEnv === '')
    fail('jina.auth_env', authEnv, 'the name of an environment variable');
  return { baseUrl: readBaseUrl(baseUrl, domain), path, method: method.toLowerCase(), authEnv };
}

function readBaseUrl(given: unknown, domain: string): URL {
  const expected = `an address of https://${domain}, which is the domain of its mode`;
  if (typeof given !== 'string' || !URL.canParse(given)) fail('jina.base_url', given, expected);
  const url = new URL(given);
  // An origin has no user and no password, and a URL with them would send them to the API.
  const isPlain = url.href === `${url.origin}${url.pathname}`;
  if (url.origin !== `https://${domain}` || !isPlain) fail('jina.base_url', given, expected);
  return url;
}

function fail(field: string, value: unknown, expected: string): never {
  throw invalidOptions(
    `createOpenApiTool: options.${field} must be ${expected}. It is ${JSON.stringify(value)}.`,
  );
}
