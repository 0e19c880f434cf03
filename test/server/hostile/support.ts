/** A session under attack: an agent that calls one tool, people, and a store whose saves can be read. */
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import {
  type AgentSession,
  createMemorySessionStore,
  type ModelEvent,
  type SessionRecord,
  type SessionStore,
} from '../../../src/server.ts';
import type { Principal } from '../../../src/shared/principal.ts';
import { collect, requestIn, stop, text } from '../support.ts';

export const ADA: Principal = { id: 'ada', name: 'Ada' };
export const BOB: Principal = { id: 'bob', name: 'Bob' };

export const done: ModelEvent[] = [...text('Done'), stop];

/** The events of an agent that calls these tools, each with the same arguments. */
export function callTools(
  toolNames: readonly string[],
  args: Record<string, unknown> = { amount: 80 },
  more: object = {},
): ModelEvent[] {
  const toolCalls = toolNames.map((toolName) => ({ toolCallId: `${toolName}-id`, toolName, args, ...more }));
  return [
    { type: 'tool-request', toolCalls },
    { type: 'finish', finishReason: 'tool-calls' },
  ];
}

export function send(session: AgentSession, payload: unknown, principal?: Principal): Promise<AgentEvent[]> {
  return collect(session.execute(payload, { principal }));
}

/** The `continue` that gives the same answer to each call that is open, by default a yes. */
export function answerAll(events: readonly AgentEvent[], answer: object = { outcome: 'submitted' }) {
  const { executionId, toolCalls } = requestIn(events);
  const toolResults = toolCalls.map(({ toolCallId, receipt }) => ({ toolCallId, receipt, ...answer }));
  return { type: 'continue', executionId, toolResults };
}

/** A store, and the text of all that was saved in it. */
export function createReadStore(): { store: SessionStore; savedText(): string } {
  const memory = createMemorySessionStore();
  const saved: string[] = [];
  const save = (id: string, record: SessionRecord) => {
    saved.push(JSON.stringify(record));
    return memory.save(id, record);
  };
  return { store: { ...memory, save }, savedText: () => saved.join('\n') };
}

/** The arguments of the first call, as the store has them. */
export async function storedArguments(store: SessionStore): Promise<unknown> {
  const { calls = {} } = (await store.load('s')) ?? {};
  return Object.values(calls)[0]?.args;
}
