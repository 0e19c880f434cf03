/** Everything under /api: an agent of Octavus, behind your login. */
import { OctavusClient, type SessionRequest, toSSEStream } from '@octavus/server-sdk';
import { findSession } from './octavus-sessions.ts';
import { findPerson } from './people.ts';

export async function handleRequest(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname !== '/api/agent') return refuse(404, `There is nothing at ${pathname}.`);
  if (request.method !== 'POST') return refuse(405, 'Send a POST.');
  // A page of another origin cannot send this type unasked.
  if (!request.headers.get('content-type')?.startsWith('application/json')) return refuse(415, 'Send JSON.');
  const person = findPerson(new URL(request.url));
  if (person === undefined) return refuse(401, 'Sign in first.');
  const { OCTAVUS_API_KEY: apiKey, OCTAVUS_AGENT_ID: agentId } = process.env;
  if (apiKey === undefined || agentId === undefined) {
    return refuse(503, 'Set OCTAVUS_API_KEY and OCTAVUS_AGENT_ID, and start the app again.');
  }
  const client = new OctavusClient({ baseUrl: process.env.OCTAVUS_BASE_URL ?? 'https://octavus.ai', apiKey });
  const { sessionId, ...payload } = (await request.json()) as SessionRequest & { sessionId: string };
  const session = client.agentSessions.attach(await findSession(client, agentId, person, sessionId), {
    // Tools of the server go here. Every other call goes to the page.
    tools: {},
  });
  const events = session.execute(payload as SessionRequest, { signal: request.signal });
  return new Response(toSSEStream(events), { headers: { 'content-type': 'text/event-stream' } });
}

function refuse(status: number, error: string): Response {
  return Response.json({ error }, { status });
}
