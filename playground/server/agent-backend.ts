import {
  type Agent,
  createNodeHandler,
  handleInboxRequest,
  serveSocket,
  toNodeHandler,
} from 'handrail/server';
import type { Backend, BackendInfo } from './backend.ts';
import { type AgentHostOptions, createAgentHost } from './create-agent-host.ts';
import { findPerson, findSender } from './people.ts';

/** An agent behind handrail's own server. */
export function createAgentBackend(info: BackendInfo, agent: Agent, options: AgentHostOptions = {}): Backend {
  const host = createAgentHost(agent, options);
  return {
    info: { ...info, isOwnServer: true },
    handle: (request, response, session) =>
      createNodeHandler(() => host.open(session), { principal: findSender })(request, response),
    serve(socket, session, url) {
      // A browser cannot give a socket headers.
      const principal = findPerson(new URL(url, 'http://localhost').searchParams.get('user'));
      serveSocket(socket, host.open(session), { principal });
    },
    handleInbox: toNodeHandler((request) =>
      handleInboxRequest(request, {
        store: host.store,
        getSession: (id = '') => host.open(id),
        principal: findSender,
      }),
    ),
    readHistory: host.readHistory,
    isRunning: host.isRunning,
    recover: host.recover,
  };
}
