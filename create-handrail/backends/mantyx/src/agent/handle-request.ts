/** Everything under /api: runs of Mantyx, behind your login. The key stays on the server, and people reach their own runs alone. */
import { createMantyxProxy } from 'handrail/server';
import { WORKSPACE } from '../workspace.ts';
import { findPerson } from './people.ts';

const proxy = createMantyxProxy({
  baseUrl: process.env.MANTYX_BASE_URL ?? 'https://app.mantyx.io',
  workspace: WORKSPACE,
  credential: process.env.MANTYX_API_KEY ?? '',
  authenticate: ({ url }) => findPerson(new URL(url))?.id,
  spec: () => ({ systemPrompt: 'You are the assistant of a small shop.' }),
});

export async function handleRequest(request: Request): Promise<Response> {
  if (process.env.MANTYX_API_KEY === undefined) {
    const error = 'Set MANTYX_API_KEY, and your workspace in src/workspace.ts. Then start the app again.';
    return Response.json({ error }, { status: 503 });
  }
  return proxy(request);
}
