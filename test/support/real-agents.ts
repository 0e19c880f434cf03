/** Starts the agents of test/agents, whose packages are installed apart from the library's. */
import { existsSync } from 'node:fs';
import { root } from '../../.scripts/package-entries.mjs';
import { createAgUiTransport } from '../../src/backends/ag-ui/create-ag-ui-transport.ts';
import { type AgentChat, type AgentChatOptions, createAgentChat, createPersistence } from '../../src/core.ts';
import { createMemoryStorage } from '../../src/testing/memory-storage.ts';
import type { RawInput } from '../backends/ag-ui/raw-agent.ts';
import { startServerProcess } from './server-process.ts';

export interface RealAgents {
  /**
   * Returns the browser of a person who talks to one agent.
   *
   * @param naming the id of the conversation. Default: a new one. `{}` leaves it to the chat, which then is not kept
   */
  visit(agent: string, naming?: { readonly id?: string }): Visit;
  stop(): Promise<void>;
}

export interface Visit {
  /** Opens the page of the conversation, which is the one before after a reload. */
  open(options?: Partial<AgentChatOptions>): AgentChat;
  /** The pages have posted these, in their order. */
  readonly inputs: readonly RawInput[];
}

/** @throws Error where the packages of test/agents are not installed */
export async function startRealAgents(name: 'langgraph' | 'mastra'): Promise<RealAgents> {
  const folder = `${root}test/agents`;
  if (!existsSync(`${folder}/node_modules`)) {
    throw new Error(
      'These tests need the packages of test/agents: run "node .scripts/bootstrap.mjs --servers".',
    );
  }
  const program = await startServerProcess(process.execPath, [`${name}/start.mjs`], 'agents on ', {
    cwd: folder,
    env: { PATH: process.env.PATH },
  });
  const [, port] = /agents on (\d+)/.exec(program.lines.at(-1) ?? '') ?? [];
  const pages = new Set<AgentChat>();
  return {
    visit(agent, naming = { id: crypto.randomUUID() }) {
      const storage = createMemoryStorage();
      const inputs: RawInput[] = [];
      const send: typeof fetch = (url, init) => {
        inputs.push(JSON.parse(String(init?.body)));
        return fetch(url, init);
      };
      return {
        inputs,
        open(options) {
          const page = createAgentChat({
            ...naming,
            transport: createAgUiTransport({ url: `http://127.0.0.1:${port}/${agent}`, fetch: send }),
            ...(naming.id !== undefined && { persistence: createPersistence({ storage, tabs: false }) }),
            ...options,
          });
          pages.add(page);
          return page;
        },
      };
    },
    async stop() {
      for (const page of pages) page.destroy();
      await program.end('SIGTERM');
    },
  };
}
