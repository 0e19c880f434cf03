import { createAgentBackend } from './agent-backend.ts';
import type { Backend } from './backend.ts';
import { createPlaygroundAgent } from './playground-agent.ts';

export function createScriptedBackend(): Backend {
  const info = {
    id: 'scripted',
    label: 'Scripted agent',
    description: 'An agent that plays a script behind handrail/server. Needs no key and no network.',
  };
  return createAgentBackend(info, createPlaygroundAgent());
}
