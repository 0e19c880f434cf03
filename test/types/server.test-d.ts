import { tool } from 'ai';
import {
  type Agent,
  type AgentEvent,
  type AgentSession,
  createAgentSession,
  createAiSdkAgent,
  createScriptedAgent,
  type SessionStore,
  serveSocket,
  toSSEResponse,
  toSSEStream,
} from 'handrail/server';
import { describe, expectTypeOf, it } from 'vitest';
import type { WebSocket as NodeWebSocket } from 'ws';
import { z } from 'zod';

declare const session: AgentSession;
declare const nodeSocket: NodeWebSocket;

describe('a session', () => {
  it('createAgentSession accepts an agent and tools that are written inline', () => {
    const made = createAgentSession({
      id: 's',
      async *agent({ messages, trigger, signal }) {
        expectTypeOf(messages[0]?.role).toEqualTypeOf<'user' | 'assistant' | 'tool' | undefined>();
        expectTypeOf(trigger.name).toEqualTypeOf<string>();
        expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        yield { type: 'text-start', id: 't' };
        yield { type: 'tool-request', toolCalls: [{ toolCallId: 'c', toolName: 'add', args: {} }] };
        yield { type: 'finish', finishReason: 'tool-calls' };
      },
      tools: {
        add: (args, { toolCallId, toolName, signal }) => {
          expectTypeOf(args).toEqualTypeOf<Record<string, unknown>>();
          expectTypeOf([toolCallId, toolName]).items.toEqualTypeOf<string>();
          expectTypeOf(signal).toEqualTypeOf<AbortSignal>();
        },
        later: async () => ({ sum: 3 }),
      },
    });
    expectTypeOf(made).toEqualTypeOf<AgentSession>();
  });

  it('a session accepts unknown input and returns events', () => {
    const payload: unknown = JSON.parse('{}');
    const events = session.execute(payload, { signal: new AbortController().signal });
    expectTypeOf(events).toEqualTypeOf<AsyncGenerator<AgentEvent, void, undefined>>();
    expectTypeOf(toSSEStream(events, { heartbeatMs: 5_000 })).toEqualTypeOf<ReadableStream<Uint8Array>>();
    expectTypeOf(toSSEResponse(events)).toEqualTypeOf<Response>();
  });

  it('createAgentSession refuses an agent that yields a value that is no event', () => {
    // @ts-expect-error a delta needs its text
    const agent: Agent = async function* () {
      yield { type: 'text-delta', id: 't' } as const;
    };
    expectTypeOf(agent).toEqualTypeOf<Agent>();
  });

  it('a session can be served over sockets of ws and of browsers', () => {
    expectTypeOf(serveSocket(nodeSocket, session).dispose).toEqualTypeOf<() => void>();
    serveSocket(new WebSocket('wss://x'), session, { heartbeatMs: 0 });
  });
});

describe('ready-made agents', () => {
  it('a scripted agent accepts steps, scenarios and functions of the turn', () => {
    expectTypeOf(createScriptedAgent(['Hi', { call: 'ask' }, (turn) => turn.text])).toEqualTypeOf<Agent>();
    createScriptedAgent([{ when: /order/, steps: [{ object: { a: 1 }, typeName: 'x' }] }]);
    // @ts-expect-error an event is a step as `{ event }`
    createScriptedAgent([{ type: 'text-start', id: 't' }]);
  });

  it('an agent of the AI SDK accepts tools of the AI SDK', () => {
    const find = tool({ inputSchema: z.object({ query: z.string() }), execute: async () => 'found' });
    const agent = createAiSdkAgent({
      model: 'openai/gpt-4.1-mini',
      system: 'Be brief',
      tools: { find, ask: {} },
    });
    expectTypeOf(agent).toEqualTypeOf<Agent>();
    // @ts-expect-error no model
    createAiSdkAgent({});
  });
});

describe('a session store', () => {
  const load: SessionStore['load'] = async () => null;

  it('a store must say whether it saved, so that a missing false of a compare-and-set is a type error', () => {
    const rows = new Map<string, number>();
    const store: SessionStore = {
      load,
      async save(id, { revision }) {
        if ((rows.get(id) ?? 0) >= revision) return false;
        rows.set(id, revision);
        return true;
      },
    };
    expectTypeOf(store.save).returns.resolves.toEqualTypeOf<boolean>();
    const save = (given: SessionStore['save']) => given;
    // @ts-expect-error save does not say whether it saved
    save(async () => {});
  });
});
