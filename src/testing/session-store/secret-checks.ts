/** What a person gave and `redactStored` removes is in no byte of the store, at any moment. */
import type { AgentEvent, PendingToolCall } from '../../core/protocol/events.ts';
import type { Agent } from '../../server/agent.ts';
import { type AgentSession, createAgentSession } from '../../server/sessions/create-agent-session.ts';
import type { SessionStore } from '../../server/store/session-store.ts';
import { defineServerTool } from '../../server/tools/define-server-tool.ts';
import type { ServerTools } from '../../server/tools/server-tool.ts';
import { createId } from '../../shared/ids.ts';
import { toOpaqueSchema } from '../../shared/to-opaque-schema.ts';
import { collect } from './session-checks.ts';
import { assertEqual, type OpenSessionStore, type StoreCheck } from './store-check.ts';

/** Returns all that the store has, as text. */
export type DumpStore = () => string | Promise<string>;

/** @param dump default: what the store returns of the session */
export function createSecretChecks(dump: DumpStore | undefined): readonly StoreCheck[] {
  return [
    {
      name: 'no byte of the store has a secret that redactStored removes',
      check: (openStore) => searchSecrets(openStore, dump),
    },
  ];
}

/** One person answers everything that a session can ask, each time with a secret in the answer. */
async function searchSecrets(openStore: OpenSessionStore, dump: DumpStore | undefined): Promise<void> {
  const store = await openStore();
  const id = createId();
  const secret = `secret ${createId()}`;
  const read = dump ?? (() => dumpSession(store, id));
  const finds: string[] = [];
  const look = async (when: string): Promise<void> => {
    if ((await read()).includes(secret)) finds.push(when);
  };
  const got: string[] = [];
  const session = createAgentSession({
    id,
    store: watchWrites(store, look),
    agent: createSecretAgent(got),
    tools: createSecretTools(got),
    redactStored: (result) => JSON.parse(JSON.stringify(result ?? null).replaceAll(secret, 'redacted')),
  });
  await answerAll(session, secret);
  await look('the end');
  assertEqual(finds, [], 'The store must have no secret after any of these');
  assertEqual(
    got.toSorted(),
    [`agent ${secret}`, `login ${secret}`, `pay ${secret}`],
    'The agent and each tool must get the secret all the same',
  );
}

/** The tools and the agent write down what they got. */
function createSecretTools(got: string[]): ServerTools {
  const login = defineServerTool({
    async execute(_, { ask, once }) {
      const password = await ask({ message: 'Your password?' });
      got.push(`login ${password}`);
      // The value of a step is stored, too.
      await once('token', () => ({ token: password }));
      return 'signed in';
    },
  });
  const pay = defineServerTool({
    approval: 'always',
    editable: true,
    input: toOpaqueSchema({ type: 'object', properties: { note: { type: 'string' } } }),
    execute(args) {
      got.push(`pay ${(args as { readonly note: string }).note}`);
      return 'paid';
    },
  });
  return { login, pay };
}

/** Calls both tools of the server, and one of the client. */
function createSecretAgent(got: string[]): Agent {
  return async function* ({ messages }) {
    const results = messages.flatMap((message) => (message.role === 'tool' ? [message] : []));
    const form = results.find(({ toolName }) => toolName === 'form');
    if (form === undefined) {
      const args = { note: 'as the agent wrote it' };
      const toolCalls = ['login', 'pay', 'form'].map((name) => ({ toolCallId: name, toolName: name, args }));
      yield { type: 'tool-request', toolCalls };
      yield { type: 'finish', finishReason: 'tool-calls' };
      return;
    }
    got.push(`agent ${(form.result as { readonly typed: string }).typed}`);
    yield { type: 'finish', finishReason: 'stop' };
  };
}

/** Sends the message, and answers one call after the other. */
async function answerAll(session: AgentSession, secret: string): Promise<void> {
  const input = { USER_MESSAGE: 'Hi' };
  const asked = await collect(
    session.execute({ type: 'trigger', triggerName: 'user-message', input, idempotencyKey: createId() }),
  );
  const { executionId, toolCalls } = findRequest(asked);
  for (const call of toolCalls) {
    const toolResults = [
      { toolCallId: call.toolCallId, result: toResult(call, secret), outcome: 'submitted' },
    ];
    const events = await collect(
      session.execute({ type: 'continue', executionId, toolResults, partial: true }),
    );
    const failure = events.find((event) => event.type === 'error');
    assertEqual(failure, undefined, `The answer to '${call.toolCallId}' must be accepted`);
  }
}

function toResult({ toolName, executedBy }: PendingToolCall, secret: string): unknown {
  if (executedBy === 'server') return { confirmed: true, editedArgs: { note: secret } };
  return toolName === 'login' ? { answer: secret } : { typed: secret };
}

function findRequest(events: readonly AgentEvent[]) {
  const request = events.find((event) => event.type === 'client-tool-request');
  if (request === undefined)
    throw new Error(`The session must ask its questions. Received: ${JSON.stringify(events)}.`);
  return request;
}

/** A store that looks after each write. It has no `cluster`, so that all writes of the session go through it. */
function watchWrites(store: SessionStore, look: (when: string) => Promise<void>): SessionStore {
  const { openLog } = store;
  return {
    load: (sessionId) => store.load(sessionId),
    async save(sessionId, record) {
      const isSaved = await store.save(sessionId, record);
      await look(`the save of revision ${record.revision}`);
      return isSaved;
    },
    ...(openLog && {
      openLog(...args) {
        const log = openLog.apply(store, args);
        return {
          read: (seq) => log.read(seq),
          async append(entry) {
            await log.append(entry);
            await look(`the event ${entry.seq}, ${entry.event.type}`);
          },
        };
      },
    }),
  };
}

async function dumpSession(store: SessionStore, sessionId: string): Promise<string> {
  const record = await store.load(sessionId);
  const list = await store.listOpenCalls?.({ limit: 100_000 });
  const { id = '', lastSeq = 0 } = record?.execution ?? {};
  const events = await store.openLog?.(sessionId, id, lastSeq).read(0);
  return JSON.stringify([record, list, events]);
}
