/** The playground's server for a page that has none: it answers the same paths, and its sessions live as long as the tab. */
import { handleAgentRequest, handleInboxRequest } from 'handrail/server';
import { createAgentHost } from '../server/create-agent-host.ts';
import { findSender } from '../server/people.ts';
import { createPlaygroundAgent } from '../server/playground-agent.ts';
import { REFUND, refund } from '../server/refund-scenario.ts';
import { RETURN, takeBack } from '../server/return-scenario.ts';
import type { BackendInfo } from '../src/use-backends.ts';
import { createPageCuts } from './create-page-cuts.ts';

const INFO: BackendInfo = {
  id: 'scripted',
  label: 'Scripted agent',
  description:
    'An agent that plays a script behind handrail/server, in this tab. A reload begins a new conversation.',
  carriers: ['sse'],
  isOwnServer: true,
};

/** Returns what answers requests to `/api`. A request while the server is "away" throws, as `fetch` does. */
export function createPageServer(): (request: Request) => Promise<Response> {
  const host = createAgentHost(createPlaygroundAgent([RETURN, REFUND]), {
    tools: { refund, take_back: takeBack },
  });
  const cuts = createPageCuts();
  return async (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const session = searchParams.get('session') ?? '';
    switch (pathname) {
      case '/api/backends':
        return Response.json([INFO]);
      case '/api/agent':
        cuts.refuseWhileAway();
        return cuts.watch(
          await handleAgentRequest(request, () => host.open(session), { principal: findSender }),
        );
      case '/api/inbox':
        return handleInboxRequest(request, {
          store: host.store,
          getSession: (id = '') => host.open(id),
          principal: findSender,
        });
      case '/api/cut':
        cuts.cut(searchParams.has('away'));
        return Response.json({ cut: true });
      default:
        return Response.json({ error: `There is nothing at ${pathname}.` }, { status: 404 });
    }
  };
}
