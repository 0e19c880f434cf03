import { createAgentBackend } from './agent-backend.ts';
import type { Backend, BackendInfo } from './backend.ts';
import type { AgentHostOptions } from './create-agent-host.ts';
import { createPlaygroundAgent } from './playground-agent.ts';
import { REFUND, refund } from './refund-scenario.ts';
import { RETURN, takeBack } from './return-scenario.ts';

const SCRIPTED: BackendInfo = {
  id: 'scripted',
  label: 'Scripted agent',
  description: 'An agent that plays a script behind handrail/server. Needs no key and no network.',
  carriers: ['sse', 'socket'],
  takesFiles: true,
};

/** @param given what differs in a cluster */
export function createScriptedBackend(
  given: Partial<BackendInfo> = {},
  options: Omit<AgentHostOptions, 'tools'> = {},
): Backend {
  const tools = { refund, take_back: takeBack };
  return createAgentBackend({ ...SCRIPTED, ...given }, createPlaygroundAgent([RETURN, REFUND]), {
    ...options,
    tools,
  });
}
