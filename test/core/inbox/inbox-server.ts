/** A server with an inbox, in the process of the test: its `fetch` calls the route. */

import type { AgentEvent, PendingToolCall, ToolResult } from '../../../src/core/protocol/events.ts';
import type { Agent } from '../../../src/server/agent.ts';
import { handleInboxRequest } from '../../../src/server/inbox/handle-inbox-request.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { getCalls } from '../../../src/server/store/call-keys.ts';
import { toToolResult } from '../../../src/server/store/call-record.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import type { SessionStore } from '../../../src/server/store/session-store.ts';
import { createManualClock, type ManualClock } from '../../../src/testing/manual-clock.ts';
import { createSampleRecord } from '../../../src/testing/session-store/sample-record.ts';

const ADA = { id: 'ada', name: 'Ada' };

export interface InboxServer {
  readonly clock: ManualClock;
  readonly store: SessionStore;
  /** Stores a session that asks. Its `askedAt` is the time of the clock. */
  ask(sessionId: string, call?: Partial<PendingToolCall>): Promise<void>;
  /** Answers the call of a session as another client does. */
  answerElsewhere(sessionId: string): Promise<readonly AgentEvent[]>;
  /** The answers that a session got, as its record has them. */
  answersOf(sessionId: string): Promise<readonly ToolResult[]>;
  readonly fetch: typeof fetch;
  /** The requests so far: `GET`, `GET stream` and `POST` with its body. */
  readonly requests: string[];
  /** Called for each request. What it returns, or throws, takes the place of the response. */
  onRequest: (request: Request) => Response | undefined | Promise<Response | undefined>;
}

/** Every session runs an agent that says "Done" to any answer. */
export function createInboxServer(): InboxServer {
  // The store compares deadlines with the time of the machine.
  const clock = createManualClock(Date.now());
  const store = createMemorySessionStore();
  const agent: Agent = async function* () {
    yield { type: 'finish', finishReason: 'stop' };
  };
  const open = (id = '') => createAgentSession({ id, agent, store, clock });
  const server: InboxServer = {
    clock,
    store,
    requests: [],
    onRequest: () => undefined,
    async ask(sessionId, call) {
      const asked = { toolCallId: `call-${sessionId}`, toolName: 'ask', args: {}, ...call };
      const record = createSampleRecord(1, 'Hi', {
        id: `execution-${sessionId}`,
        open: [asked],
        askedAt: clock.now(),
        historyStart: 0,
      });
      await store.save(sessionId, record);
      // A session notifies those who watch the store. This save is not made by one.
      await collect(open('another').execute({ type: 'trigger', triggerName: 'x' }));
    },
    answerElsewhere(sessionId) {
      const toolResults = [{ toolCallId: `call-${sessionId}`, result: 'elsewhere' }];
      const executionId = `execution-${sessionId}`;
      return collect(open(sessionId).execute({ type: 'continue', executionId, toolResults }));
    },
    answersOf: async (sessionId) => {
      const record = await store.load(sessionId);
      return record ? getCalls(record.calls, record.execution?.lastAnswers ?? []).map(toToolResult) : [];
    },
    fetch: async (url, init) => {
      const request = new Request(url as string, init);
      const isStream = request.headers.get('accept') === 'text/event-stream';
      const body = request.method === 'POST' ? ` ${await request.clone().text()}` : '';
      server.requests.push(`${request.method}${isStream ? ' stream' : ''}${body}`);
      const instead = await server.onRequest(request);
      return (
        instead ??
        handleInboxRequest(request, { store, clock, getSession: open, principal: () => ADA, heartbeatMs: 0 })
      );
    },
  };
  return server;
}

async function collect(events: AsyncIterable<AgentEvent>): Promise<readonly AgentEvent[]> {
  const all: AgentEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}
