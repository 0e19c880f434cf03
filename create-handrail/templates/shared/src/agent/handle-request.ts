/** Everything under /api: two routes for any server that knows Request and Response. */
import { handleAgentRequest, handleInboxRequest } from 'handrail/server';
import { findPerson } from './people.ts';
import { openSession } from './session.ts';
import { getStore } from './store.ts';

const principal = ({ url }: Request) => findPerson(new URL(url));

export async function handleRequest(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === '/api/agent') {
    return handleAgentRequest(request, (id) => (id ? openSession(id) : null), { principal });
  }
  if (pathname === '/api/inbox') {
    const getSession = (id?: string) => (id ? openSession(id) : null);
    return handleInboxRequest(request, { store: getStore(), getSession, principal, onError: console.error });
  }
  return Response.json({ error: `There is nothing at ${pathname}.` }, { status: 404 });
}
