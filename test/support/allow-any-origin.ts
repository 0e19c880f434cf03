/** The headers that let a page of another origin reach a server. */

const ALLOWED = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'GET, POST, DELETE',
  'access-control-allow-headers': '*, authorization',
  'access-control-expose-headers': '*',
};

export function allowAnyOrigin(handle: (request: Request) => Promise<Response>) {
  return async (request: Request): Promise<Response> => {
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers: ALLOWED });
    const { body, status, headers } = await handle(request);
    return new Response(body, { status, headers: { ...Object.fromEntries(headers), ...ALLOWED } });
  };
}
