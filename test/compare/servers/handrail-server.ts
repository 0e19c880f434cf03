/** A session of `handrail/server` with the scripted agent. */
import {
  type Agent,
  createAgentSession,
  createMemorySessionStore,
  defineServerTool,
  handleAgentRequest,
} from 'handrail/server';
import { z } from 'zod';
import type { CompareServer } from './compare-server.ts';
import { answer, createServerState } from './script.ts';

const ID = 'chat-7';

export function createHandrailServer(): CompareServer {
  const state = createServerState();
  let store = createMemorySessionStore();
  const agent: Agent = async function* ({ messages }) {
    const last = messages.at(-1);
    const said = messages.findLast(({ role }) => role === 'user');
    const text = said?.role === 'user' ? said.content : '';
    const next = answer(text, last?.role === 'tool' ? describeResult(last) : undefined, state);
    if (next.type === 'pay') {
      const call = { toolCallId: crypto.randomUUID(), toolName: 'pay', args: { amount: next.amount } };
      yield { type: 'tool-request', toolCalls: [call] };
      yield { type: 'finish', finishReason: 'tool-calls' };
      return;
    }
    const id = crypto.randomUUID();
    const [first, second] = next.type === 'slow' ? next.halves : [next.text, ''];
    yield { type: 'text-start', id };
    yield { type: 'text-delta', id, delta: first };
    if (next.type === 'slow') await state.gate.promise;
    yield { type: 'text-delta', id, delta: second };
    yield { type: 'text-end', id };
    yield { type: 'finish', finishReason: 'stop' };
  };
  const pay = defineServerTool({
    input: z.object({ amount: z.number() }),
    approval: 'always',
    editable: true,
    execute: async (args) => {
      state.paid.push(args);
      return `paid ${args.amount}`;
    },
  });
  return {
    state,
    async restart() {
      // Live runs and logs belong to the store object: a new one has only the saved record.
      const record = await store.load(ID);
      store = createMemorySessionStore();
      if (record !== null) await store.save(ID, structuredClone(record));
    },
    handle: (request) =>
      handleAgentRequest(request, (id) =>
        id === ID ? createAgentSession({ id, agent, store, tools: { pay } }) : null,
      ),
  };
}

function describeResult({
  result,
  error,
  outcome,
}: {
  result?: unknown;
  error?: string;
  outcome?: string;
}): string {
  if (outcome === 'declined') return 'declined';
  return error ?? (typeof result === 'string' ? result : JSON.stringify(result));
}
