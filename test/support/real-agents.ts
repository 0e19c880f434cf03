/** Starts the agents of test/agents, whose packages are installed apart from the library's. */
import { existsSync } from 'node:fs';
import { root } from '../../.scripts/package-entries.mjs';
import { createAgUiTransport } from '../../src/backends/ag-ui/create-ag-ui-transport.ts';
import {
  type AgentChat,
  type AgentChatOptions,
  type AgentChatState,
  createAgentChat,
  createPersistence,
} from '../../src/core.ts';
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

type Question = AgentChatState['pendingCalls'][number];

export interface Visit {
  /** Opens the page of the conversation, which is the one before after a reload. */
  open(options?: Partial<AgentChatOptions>): AgentChat;
  /** What the pages have posted. */
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

/** Resolves with the open question that shows a text: in its arguments, or in what the agent says of it. */
export function untilQuestion(chat: AgentChat, text: string): Promise<Question> {
  return new Promise((resolve, reject) => {
    const look = () => {
      const { pendingCalls, error } = chat.getState();
      const question = pendingCalls.find(
        (call) => call.status === 'waiting' && shownText(call).includes(text),
      );
      if (question === undefined && error === null) return;
      unsubscribe();
      if (question) resolve(question);
      else reject(new Error(`No question says "${text}": ${error?.code} ${error?.message}`));
    };
    const unsubscribe = chat.subscribe(look);
    look();
  });
}

export function shownText({ args, definition }: Question): string {
  return JSON.stringify([args, definition?.description ?? '']);
}

/** Resolves with the texts of the last message once the turn is over. */
export async function untilAnswered(chat: AgentChat): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    const look = () => {
      const { status, error } = chat.getState();
      if (error !== null) reject(new Error(`${error.code}: ${error.message}`));
      if (status === 'idle') resolve();
    };
    chat.subscribe(look);
    look();
  });
  return textOf(chat);
}

export function textOf(chat: AgentChat): string {
  const parts = chat.getState().messages.at(-1)?.parts ?? [];
  return parts.flatMap((part) => (part.type === 'text' ? part.text : [])).join('');
}
