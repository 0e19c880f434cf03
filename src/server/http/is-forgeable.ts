/** Finds requests that a page of another origin can make a browser send, with the cookies of the person who visits that page. */

/**
 * Returns true if a page of another origin sent this POST, and its browser did not ask the server first. For the JSON content
 * type browsers ask (a CORS preflight), so a request with that type is never forgeable.
 */
export function isForgeable(request: Request): boolean {
  return request.method === 'POST' && !isJson(request) && isFromOtherOrigin(request);
}

/** Returns true if the content type is JSON. */
export function isJson({ headers }: Request): boolean {
  return /^application\/json\b/i.test(headers.get('content-type') ?? '');
}

/**
 * Browsers send `sec-fetch-site` to https and to localhost only. Over plain http the origin of the page is compared with the host
 * of the request. A request without an origin comes from no page.
 */
function isFromOtherOrigin({ headers, url }: Request): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null) return site !== 'same-origin' && site !== 'none';
  const origin = headers.get('origin');
  if (origin === null) return false;
  // The URL of a request that came through `createNodeHandler` does not have the host.
  const host = headers.get('host') ?? new URL(url).host;
  // The origin of a sandboxed frame is `null`, which is no URL.
  return !URL.canParse(origin) || new URL(origin).host !== host.toLowerCase();
}
