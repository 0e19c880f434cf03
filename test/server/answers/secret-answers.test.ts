/** A person types a password into the question of a tool. Only the tool gets it. */
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import type { SessionStore } from '../../../src/server/store/session-store.ts';
import { defineServerTool } from '../../../src/server/tools/define-server-tool.ts';
import { collect, createListAgent, hello, requestIn, settle } from '../support.ts';
import { answer, callRefund, done } from '../tools/support.ts';

const ADA = { id: 'ada', name: 'Ada' };
const BOB = { id: 'bob', name: 'Bob' };
const login = { user: 'ada', password: 'hunter2' };

function createLogin(password: z.ZodType<string>) {
  const got: unknown[] = [];
  const saved: string[] = [];
  const memory = createMemorySessionStore();
  const output = z.object({ user: z.string(), password });
  const refund = defineServerTool({
    async execute(_args, { ask, once }) {
      const given = await ask({ message: 'Log in', output });
      got.push(given);
      const { user } = await once('log in', () => ({ user: given.user }));
      await ask({ message: 'Anything else?' });
      return user;
    },
  });
  const agent = createListAgent(callRefund, done);
  /** A process, whose `isDying` store fails once it has saved an answer. */
  const process = (isDying = false) => {
    let isDead = false;
    const store: SessionStore = {
      load: (id) => memory.load(id),
      openLog: memory.openLog as NonNullable<SessionStore['openLog']>,
      async save(id, record) {
        if (isDead) throw new Error('the process is dead');
        saved.push(JSON.stringify(record));
        const isTaken = await memory.save(id, record);
        isDead = isDying;
        if (isDead) throw new Error('the process is dead');
        return isTaken;
      },
    };
    return createAgentSession({ id: 's', agent, store, tools: { refund }, mayOpen: () => true });
  };
  return { got, saved, process, agent };
}

describe.each([
  ['format: password', z.string().meta({ format: 'password' })],
  ['writeOnly', z.string().meta({ writeOnly: true })],
])('a field with %s in the answer to a question', (_, password) => {
  it('reaches the tool whole, and neither the store nor the page of anybody else', async () => {
    const { got, saved, process, agent } = createLogin(password);
    const session = process();
    const asked = await collect(session.execute(hello, { principal: ADA }));
    const followed: AgentEvent[] = [];
    const leaving = new AbortController();
    const following = (async () => {
      const options = { principal: BOB, signal: leaving.signal };
      for await (const event of session.execute({ type: 'open', follow: true }, options))
        followed.push(event);
    })();
    await settle();
    const next = await collect(session.execute(answer(asked, login), { principal: ADA }));
    expect(got).toEqual([login]);
    const last = await collect(session.execute(answer(next, { answer: 'no' }), { principal: ADA }));
    const opened = await collect(session.execute({ type: 'open' }, { principal: BOB }));
    const { executionId } = requestIn(asked);
    const resumed = await collect(
      session.execute({ type: 'resume', executionId, cursor: 0 }, { principal: BOB }),
    );
    await settle();
    leaving.abort();
    await following;
    const acknowledged = followed.filter((event) => event.type === 'tool-result-acknowledged');
    expect(acknowledged[0]).toMatchObject({ outcome: 'submitted', answeredBy: ADA, result: { user: 'ada' } });
    const seen = JSON.stringify([saved, next, last, followed, opened, resumed, agent.contexts]);
    expect(seen).not.toContain('hunter2');
    expect(got).toEqual([login, login]);
  });

  it('is asked for again when the process died before its tool got it', async () => {
    const { got, saved, process } = createLogin(password);
    const asked = await collect(process().execute(hello, { principal: ADA }));
    await collect(process(true).execute(answer(asked, login), { principal: ADA }));
    expect(got).toEqual([]);
    const next = process();
    const again = await collect(next.execute({ type: 'open' }, { principal: ADA }));
    await settle();
    const { executionId, openCalls } = (await collect(next.execute({ type: 'open' }, { principal: ADA })))
      .concat(again)
      .find((event) => event.type === 'snapshot' && event.openCalls.length > 0) as Extract<
      AgentEvent,
      { type: 'snapshot' }
    >;
    expect(openCalls).toMatchObject([{ question: { description: 'Log in' } }]);
    expect(openCalls[0]?.toolCallId).not.toBe(requestIn(asked).toolCalls[0]?.toolCallId);
    const toolResults = openCalls.map(({ toolCallId }) => ({ toolCallId, result: login }));
    await collect(next.execute({ type: 'continue', executionId, toolResults }, { principal: ADA }));
    expect(got).toEqual([login]);
    expect(JSON.stringify(saved)).not.toContain('hunter2');
  });
});
