/** An agent of CommonGround, behind a session, as a backend of the conversation suites. NATS is real, the rest of CommonGround a double. */
import { jetstreamManager } from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/nats-core';
import { connect as connectNats } from '@nats-io/transport-node';
import { COMMAND_STREAM } from '../../src/backends/utp/subject.ts';
import {
  createMemorySessionStore,
  createNodeHandler,
  type SessionRecord,
  type SessionStore,
} from '../../src/server.ts';
import { type Clock, systemClock } from '../../src/shared/clock.ts';
import { createUtpSession, createUtpToolService } from '../../src/utp.ts';
import { AgentWorker, type WishedCall } from '../backends/utp/support/agent-worker.ts';
import { createStreams } from '../backends/utp/support/create-streams.ts';
import { createMemoryCards } from '../backends/utp/support/memory-cards.ts';
import { createMemoryL0 } from '../backends/utp/support/memory-l0.ts';
import { type AgentStep, startScriptedAgent } from '../backends/utp/support/scripted-agent.ts';
import type { TranscriptLine } from '../support/octavus-platform-script.ts';
import type { AgentResponse, AgentScript, Backend, BackendKind, ServerToolTable } from './backend.ts';
import { connect, SESSION } from './connect.ts';
import { listen } from './listen.ts';

/** Time passes fifty times as fast for a tool service, so that it soon notices the death of another one. */
const FACTOR = 50;
const startedAt = systemClock.now();
const fastClock: Clock = {
  ...systemClock,
  now: () => startedAt + (systemClock.now() - startedAt) * FACTOR,
  after: (ms, callback) => systemClock.after(ms / FACTOR, callback),
};

const WAIT_MS = 900_000;
const tools = {
  locate: { interactive: true, timeoutMs: WAIT_MS },
  confirm: { interactive: true, timeoutMs: WAIT_MS },
} as const;

let count = 0;

/** @param url the address of a NATS server, which all conversations share */
export function utpBackend(url: string): BackendKind {
  return {
    name: 'handrail/utp',
    resumes: true,
    keepsRuns: true,
    numbersEvents: true,
    remembersMessages: true,
    open: (script, serverTools) => openUtp(url, script, serverTools),
  };
}

async function openUtp(
  url: string,
  script: AgentScript,
  serverTools: ServerToolTable = {},
): Promise<Backend> {
  count += 1;
  const projectId = `faults${count}`;
  const target = `page${count}`;
  const nats = await connectNats({ servers: url });
  await createStreams(nats);
  const cards = createMemoryCards();
  const l0 = createMemoryL0(cards);
  const transcript: TranscriptLine[] = [];
  const worker = new AgentWorker({
    ...{ nats, cards, l0, clock: systemClock, projectId, target },
    ...{ channelId: 'public', agentId: 'agent', workerTarget: `worker${count}` },
  });
  await startScriptedAgent({ nats, projectId, worker, cards, clock: systemClock }, (text) => {
    transcript.push({ user: text });
    const responses = script({ text, attempt: 1 });
    return {
      steps: responses.flatMap((steps) => translate(steps, serverTools)),
      deliverable: responses.at(-1)?.join('') ?? '',
    };
  });

  let store = createMortalStore();
  const open = async () => {
    const own: NatsConnection = await connectNats({ servers: url });
    const service = createUtpToolService({ nats: own, cards, l0, target, tools, clock: fastClock });
    await service.start();
    const { consumers } = await jetstreamManager(own);
    await consumers.update(COMMAND_STREAM, `utp_${target}`, { ack_wait: nanos(300) });
    const session = createUtpSession({
      ...{ id: SESSION, nats: own, cards, service, store },
      ...{ project: projectId, channel: 'public', agent: 'agent' },
    });
    return { nats: own, session };
  };
  let running = open();
  await running;
  const server = await listen(
    createNodeHandler(async (sessionId) => (sessionId === SESSION ? (await running).session : undefined)),
  );
  return {
    transport: connect('http', server.port),
    port: server.port,
    refusals: worker.violations,
    async restart() {
      const killed = running;
      const record = store.die();
      store = createMortalStore();
      running = (async () => {
        await (await killed).nats.close();
        const saved = await record;
        if (saved !== null) await store.save(SESSION, structuredClone(saved));
        return open();
      })();
      server.cut();
      await running;
    },
    readTranscript: async () => [...transcript, ...toLines(worker)],
    cut: server.cut,
    async close() {
      await server.close();
      await (await running).nats.close();
      await nats.close();
    },
  };
}

/** A store whose process can die: from then on nothing is saved, and nobody waits for it. */
function createMortalStore(): SessionStore & { die(): Promise<SessionRecord | null> } {
  const store = createMemorySessionStore();
  let isDead = false;
  return {
    ...store,
    save: (id, record) => (isDead ? new Promise<boolean>(() => {}) : store.save(id, record)),
    die() {
      isDead = true;
      return store.load(SESSION);
    },
  };
}

/** The steps of a response; its calls for the page are one batch at its end. */
function translate(steps: AgentResponse, serverTools: ServerToolTable): AgentStep[] {
  const calls: WishedCall[] = [];
  const played = steps.flatMap((step): AgentStep[] => {
    if (typeof step === 'string') return [{ say: [step] }];
    if ('reasoning' in step) return [{ reason: [step.reasoning] }];
    if (!('call' in step)) throw new Error(`The agent has no ${Object.keys(step).join(', ')}`);
    if (Object.hasOwn(serverTools, step.call)) serverTools[step.call]?.({ ...step.args });
    else calls.push({ toolName: step.call, args: step.args ?? {}, timeoutMs: WAIT_MS });
    return [];
  });
  return calls.length > 0 ? [...played, { call: calls }] : played;
}

/** The calls, and the results that the worker took into the turn. */
function toLines({ applied, sent }: AgentWorker): TranscriptLine[] {
  return [
    ...sent.map(({ toolCallId, payload }): TranscriptLine => {
      const { tool_name: toolName } = payload as { readonly tool_name: string };
      return { call: toolCallId, toolName };
    }),
    ...applied.map(({ toolCallId, content }): TranscriptLine => {
      const { result, error } = content as { readonly result: unknown; readonly error?: { message: string } };
      return error ? { answer: toolCallId, error: error.message } : { answer: toolCallId, result };
    }),
  ];
}
