import { createAgentBackend } from './agent-backend.ts';
import type { Backend, BackendInfo } from './backend.ts';
import { createPlaygroundAgent } from './playground-agent.ts';
import { REFUND } from './refund-tool.ts';

export function createScriptedBackend(): Backend {
  const info: BackendInfo = {
    id: 'scripted',
    label: 'Scripted agent',
    description: 'An agent that plays a script behind handrail/server. Needs no key and no network.',
    carriers: ['sse', 'socket'],
    takesFiles: true,
    hasInbox: true,
  };
  return createAgentBackend(info, createPlaygroundAgent([REFUND]));
}
