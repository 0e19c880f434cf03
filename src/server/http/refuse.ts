/** The response to a request that is refused before it reaches a session. */
export function refuse(status: number, error: string, code: string): Response {
  return Response.json({ error, code }, { status });
}
