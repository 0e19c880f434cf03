/** A request that is refused before any session sees it: the client is told why, as `{ error, code }`. */
export function refuse(status: number, error: string, code: string): Response {
  return Response.json({ error, code }, { status });
}

/** Names the limit and what to do about it. */
export function refuseLongBody(maxBytes: number): Response {
  const error = `The body is longer than the ${maxBytes} bytes this route takes, so nothing was changed. Send less, or raise maxBodyBytes on the server.`;
  return refuse(413, error, 'body_too_large');
}
