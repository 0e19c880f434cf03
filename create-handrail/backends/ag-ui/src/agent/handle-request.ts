/** Everything under /api: the agent that speaks AG-UI, behind your login. */
import { findPerson } from './people.ts';

export async function handleRequest(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname !== '/api/agent') return refuse(404, `There is nothing at ${pathname}.`);
  if (request.method !== 'POST') return refuse(405, 'Send a POST.');
  // A page of another origin cannot send this type unasked.
  if (!request.headers.get('content-type')?.startsWith('application/json')) return refuse(415, 'Send JSON.');
  const person = findPerson(new URL(request.url));
  if (person === undefined) return refuse(401, 'Sign in first.');
  const agent = process.env.AG_UI_URL;
  if (agent === undefined) {
    return refuse(503, 'AG_UI_URL is not set. Set it to the address of your agent, and start the app again.');
  }
  const { threadId, ...input } = (await request.json()) as { threadId: string };
  const response = await fetch(agent, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    // With the id of the person in front, nobody reaches the thread of another one.
    body: JSON.stringify({ ...input, threadId: `${person.id}:${threadId}` }),
    signal: request.signal,
  });
  const type = response.headers.get('content-type') ?? 'text/event-stream';
  return new Response(response.body, { status: response.status, headers: { 'content-type': type } });
}

function refuse(status: number, error: string): Response {
  return Response.json({ error }, { status });
}
