/** Secrets that a person typed: the agent gets them, and the store does not. */

import { describe, expect, it } from 'vitest';
import { readHistory } from '../../../src/server/runs/history.ts';
import {
  type AgentSessionOptions,
  createAgentSession,
} from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import type { SessionRecord, SessionStore } from '../../../src/server/store/session-store.ts';
import { calls, continueWith, createListAgent, hello, run, stop, text, types } from '../support.ts';

const redactStored: AgentSessionOptions['redactStored'] = (result, { toolName }) =>
  toolName === 'login' ? { ...(result as object), password: null } : result;

const answer = (name: string) => (name === 'login' ? { user: 'ada', password: 'hunter2' } : 'fine');

/** A store that records everything that it was asked to save. */
function createWatchedStore() {
  const memory = createMemorySessionStore();
  const saved: SessionRecord[] = [];
  const store: SessionStore = {
    ...memory,
    save(id, record) {
      saved.push(record);
      return memory.save(id, record);
    },
  };
  return { store, saved };
}

describe('redactStored', () => {
  it('redactStored keeps a typed password out of the store, and the agent still gets the password', async () => {
    const { store, saved } = createWatchedStore();
    const agent = createListAgent(calls('login', 'ask'), [...text('Welcome'), stop]);
    const session = createAgentSession({ id: 's', agent, store, redactStored });
    await run(session, continueWith(await run(session, hello), answer));
    expect(agent.contexts[1]?.messages.slice(-2)).toMatchObject([
      { toolName: 'login', result: { user: 'ada', password: 'hunter2' } },
      { toolName: 'ask', result: 'fine' },
    ]);
    expect(JSON.stringify(saved)).not.toContain('hunter2');
    expect(readHistory(saved.at(-1) as SessionRecord).slice(-3, -1)).toMatchObject([
      { toolName: 'login', result: { user: 'ada', password: null } },
      { toolName: 'ask', result: 'fine' },
    ]);
  });

  it('redactStored does not keep a client from repeating an answer whose request failed, and the agent gets it whole again', async () => {
    const { store, saved } = createWatchedStore();
    const failing = createListAgent(calls('login'), [{ type: 'finish', finishReason: 'error' }]);
    const first = createAgentSession({ id: 's', agent: failing, store, redactStored });
    const answers = continueWith(await run(first, hello), answer);
    expect(types(await run(first, answers)).at(-1)).toBe('finish');

    const agent = createListAgent([...text('Welcome'), stop]);
    const second = createAgentSession({ id: 's', agent, store, redactStored });
    const [login] = answers.toolResults;
    const other = { ...answers, toolResults: [{ ...login, result: { user: 'eve', password: 'hunter2' } }] };
    expect(await run(second, other)).toMatchObject([{ code: 'already_answered' }]);
    expect(types(await run(second, answers))).toContain('text-delta');
    expect(agent.contexts[0]?.messages.at(-1)).toMatchObject({
      result: { user: 'ada', password: 'hunter2' },
    });
    expect(JSON.stringify(saved)).not.toContain('hunter2');
  });

  it('a redactStored that throws stores nothing, and the page does not learn why', async () => {
    const { store, saved } = createWatchedStore();
    const failures: unknown[] = [];
    const agent = createListAgent(calls('login'), [...text('Welcome'), stop]);
    const session = createAgentSession({
      id: 's',
      agent,
      store,
      redactStored: () => {
        throw new Error('no rule for hunter2');
      },
      onError: (thrown) => failures.push(thrown),
    });
    const first = await run(session, hello);
    const before = saved.length;
    const events = await run(session, continueWith(first, answer));
    expect(events).toMatchObject([{ type: 'error', code: 'store_failed' }]);
    expect(JSON.stringify(events)).not.toContain('hunter2');
    expect(saved).toHaveLength(before);
    expect(failures).toEqual([new Error('no rule for hunter2')]);
  });
});
