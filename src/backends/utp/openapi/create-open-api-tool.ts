/** Tools that call the search or the reader of Jina by its OpenAPI document (CommonGround v1r4, `services/tools/openapi_service`). */
import { describeThrown } from '../../../shared/errors.ts';
import { compact, isRecord } from '../../../shared/json.ts';
import { toHiddenTexts } from '../tool-definition/redact-values.ts';
import type { UtpToolOptions } from '../tool-definition/utp-tool-definition.ts';
import { type EnvSources, findEnvValue, hideIn, withEnvs } from '../tool-definition/with-envs.ts';
import { UtpToolError } from '../tool-error.ts';
import type { UtpToolFunction } from '../utp-tool.ts';
import { readJinaOptions } from './read-jina-options.ts';
import { readOperation } from './read-operation.ts';
import { readResponse } from './read-response.ts';
import { toRequest } from './to-request.ts';

/** How much of the answer to a failed request the agent reads. Characters. */
const MAX_DETAIL = 2_000;

/** Options of {@link createOpenApiTool}. */
export interface OpenApiToolOptions extends EnvSources {
  /** The OpenAPI 3 document of the API, such as that of `https://s.jina.ai/openapi.json`. */
  readonly document: object;
  /**
   * The options of the tool's definition. `jina` names the operation: `{ mode, path, method?, base_url?, auth_env? }`, where the mode `search`
   * is for `s.jina.ai` and `reader` for `r.jina.ai`.
   */
  readonly options: UtpToolOptions;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
}

/**
 * Returns a function for `tools` of `createUtpToolService` that sends the arguments of a call as the OpenAPI document says, and returns the
 * body of the response. Needs the package `@apidevtools/swagger-parser`.
 *
 * It reaches `s.jina.ai` and `r.jina.ai` alone, over HTTPS, and follows no redirect. The key comes from the environment variable of
 * `auth_env` (default `JINA_API_KEY`), and the arguments of `envs` as `withEnvs` takes them. No value of them is in a card or a log. A status
 * that is no success becomes an error with its code, such as `not_found` for 404.
 *
 * @throws AgentChatError `invalid_options` for `jina` options or a document that break these rules
 */
export async function createOpenApiTool(given: OpenApiToolOptions): Promise<UtpToolFunction> {
  const { document, options, environment, fetch: send = fetch } = given;
  const jina = readJinaOptions(options.jina);
  const operation = await readOperation(document, jina.path, jina.method);

  const tool = withEnvs(given, (args, { signal }) => {
    const key = findEnvValue('Authorization', jina.authEnv, { environment });
    return hideIn(toHiddenTexts(key, jina.authEnv), async () => {
      const request = toRequest(jina, operation, args);
      request.headers.set('authorization', `Bearer ${key}`);
      return readResponse(await reach(send, request, signal));
    });
  });
  return async (args, context) => {
    try {
      return await tool(args, context);
    } catch (thrown) {
      throw shortenDetail(thrown);
    }
  };
}

/** Cuts what the API said of a failure. This comes last: a key that is cut in two is no longer found, and its beginning would be shown. */
function shortenDetail(thrown: unknown): unknown {
  if (!(thrown instanceof UtpToolError) || !isRecord(thrown.detail)) return thrown;
  const { message, code, detail, retryable, cause } = thrown;
  const { body } = detail;
  if (typeof body !== 'string' || body.length <= MAX_DETAIL) return thrown;
  return new UtpToolError(
    code,
    message,
    compact({ detail: { ...detail, body: body.slice(0, MAX_DETAIL) }, retryable, cause }),
  );
}

async function reach(send: typeof fetch, request: Request, signal: AbortSignal): Promise<Response> {
  try {
    return await send(request, { signal });
  } catch (cause) {
    const { host } = new URL(request.url);
    throw new UtpToolError('upstream_unavailable', `${host} cannot be reached: ${describeThrown(cause)}`, {
      retryable: true,
      cause,
    });
  }
}
