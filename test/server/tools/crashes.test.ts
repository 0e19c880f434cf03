/** A process dies before or after each save; another one has the store, and its client sends again what had no answer. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AgentEvent, PendingToolCall } from '../../../src/core/protocol/events.ts';
import type { AgentMessage, ModelEvent } from '../../../src/server/agent.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import type { SessionStore } from '../../../src/server/store/session-store.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import { collect, hello, requestIn, stop, text } from '../support.ts';

/** A store for one process, which dies at its n-th save. */
function createMortalStore(store: SessionStore, dieAt: number, isSaved: boolean) {
  let saves = 0;
  let isDead = false;
  const die = () => {
    isDead = true;
    throw new Error('the process is dead');
  };
  const mortal: SessionStore = {
    load: (id) => (isDead ? die() : store.load(id)),
    async save(id, record) {
      if (isDead) return die();
      saves += 1;
      if (saves === dieAt && !isSaved) return die();
      const result = await store.save(id, record);
      return saves === dieAt ? die() : result;
    },
  };
  return { mortal, isDead: () => isDead };
}

/** The outside world: it counts payments by their key, as payment services do, and knows what was asked and answered. */
function createWorld() {
  const payments = new Map<string, number>();
  const results: unknown[] = [];
  const refund = defineServerTool({
    input: z.object({ amount: z.number() }),
    approval: 'always',
    async execute({ amount }, { ask, once }) {
      const { reason } = await ask({ message: 'Why?', output: z.object({ reason: z.string() }) });
      const paid = await once('pay', ({ idempotencyKey }) => {
        payments.set(idempotencyKey, amount);
        return { amount };
      });
      const { note } = await ask({ message: 'Anything else?', output: z.object({ note: z.string() }) });
      return { ...paid, reason, note };
    },
  });
  /** The agent calls the tool, and then a tool of the page. It decides by the history alone, as it may be called again. */
  const agent = async function* ({
    messages,
  }: {
    messages: readonly AgentMessage[];
  }): AsyncGenerator<ModelEvent> {
    // A call of the page that was not sent before the crash comes back as interrupted, and is made again.
    const answers = messages.filter(
      (message) => message.role === 'tool' && !message.error?.startsWith('Interrupted'),
    );
    const next = (toolName: string, args: Record<string, unknown>): ModelEvent => ({
      type: 'tool-request',
      toolCalls: [{ toolCallId: `${toolName}-${messages.length}`, toolName, args }],
    });
    if (answers.length === 0) yield next('refund', { amount: 80 });
    else if (answers.length === 1) yield next('show', {});
    else {
      results.push(...answers.map((answer) => answer.role === 'tool' && (answer.error ?? answer.result)));
      yield* text('Done');
      yield stop;
    }
  };
  return { payments, results, refund, agent };
}

function toAnswer({ toolName, question }: PendingToolCall): unknown {
  if (toolName === 'show') return 'shown';
  if (question?.description === 'Why?') return { reason: 'broken' };
  return question?.description === 'Anything else?' ? { note: 'none' } : { confirmed: true };
}

/** A client that sends a request again until it is answered, and goes on with whatever the answer asks. */
async function drive(open: () => { session: ReturnType<typeof createAgentSession>; isDead(): boolean }) {
  let process = open();
  let request: unknown = { ...hello, idempotencyKey: 'm-1' };
  for (let count = 0; count < 60; count += 1) {
    let events: AgentEvent[] = await collect(process.session.execute(request));
    if (process.isDead()) {
      process = open();
      continue;
    }
    const refused = events.find((event) => event.type === 'error');
    if (refused?.code === 'already_answered') {
      // The answers arrived before the crash.
      const { executionId } = request as { executionId: string };
      events = await collect(process.session.execute({ type: 'resume', executionId, cursor: 0 }));
      if (process.isDead()) {
        process = open();
        continue;
      }
    } else if (refused) throw new Error(refused.message);
    const last = events.findLast((event) => event.type === 'finish');
    if (last?.finishReason === 'stop') return;
    const asked = requestIn(events.filter((event) => event.type === 'client-tool-request').slice(-1));
    const toolResults = asked.toolCalls.map((call) => ({
      toolCallId: call.toolCallId,
      result: toAnswer(call),
    }));
    request = { type: 'continue', executionId: asked.executionId, toolResults };
  }
  throw new Error('the conversation did not come to its end');
}

describe.each([
  ['before', false],
  ['after', true],
])('a process that dies %s a save', (_name, isSaved) => {
  it.each(Array.from({ length: 16 }, (_, index) => index + 1))(
    'number %i: paid once, nothing lost',
    async (dieAt) => {
      const { payments, results, refund, agent } = createWorld();
      const store = createMemorySessionStore();
      let processes = 0;
      await drive(() => {
        processes += 1;
        const { mortal, isDead } = createMortalStore(store, processes === 1 ? dieAt : Infinity, isSaved);
        return { session: createAgentSession({ id: 's', agent, tools: { refund }, store: mortal }), isDead };
      });
      expect([...payments.values()]).toEqual([80]);
      expect(results).toEqual([{ amount: 80, reason: 'broken', note: 'none' }, 'shown']);
      expect(processes).toBe(2);
    },
  );
});
