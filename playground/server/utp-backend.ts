/**
 * An agent of CommonGround behind a session of `handrail/utp`, with a real nats-server. The worker of the agent, the cards and L0 are
 * stand-ins. Nothing starts before the first request.
 */
import { connect } from '@nats-io/transport-node';
import { type AgentMessage, createMemorySessionStore, createNodeHandler } from 'handrail/server';
import { createUtpSession, createUtpToolService, type UtpTools } from 'handrail/utp';
import { systemClock as clock } from '../../src/shared/clock.ts';
import { AgentWorker } from '../../test/backends/utp/support/agent-worker.ts';
import { createStreams } from '../../test/backends/utp/support/create-streams.ts';
import { createMemoryCards } from '../../test/backends/utp/support/memory-cards.ts';
import { createMemoryL0 } from '../../test/backends/utp/support/memory-l0.ts';
import { startScriptedAgent } from '../../test/backends/utp/support/scripted-agent.ts';
import { startNatsServer } from '../../test/support/nats-server.ts';
import type { Backend } from './backend.ts';
import { createPlaygroundAgent } from './playground-agent.ts';
import { sendJson } from './send-json.ts';
import { serverTools } from './server-tools.ts';
import { createUtpScript } from './utp-script.ts';

/** How long a question waits for a person. Milliseconds. */
const QUESTION_MS = 15 * 60_000;
/** How long a run waits for its reader after a cut. Milliseconds. */
const RESUME_WINDOW_MS = 60_000;

const question = { interactive: true, timeoutMs: QUESTION_MS } as const;
const tools: UtpTools = {
  ...serverTools,
  confirm_order: question,
  get_browser_location: question,
  get_local_time: question,
  copy_to_clipboard: question,
  request_feedback: question,
  choose_option: question,
  run_code: question,
};

const TARGET = 'shop';
const CHANNEL = 'public';
const AGENT = 'shop-assistant';

const MISSING =
  'This backend needs nats-server, which this machine does not have. Install it (Debian: "apt-get install nats-server", macOS: ' +
  '"brew install nats-server"), then start the playground again.';

/** @param program the path of nats-server; undefined where there is none */
export function createUtpBackend(program: string | undefined): Backend {
  let starting: ReturnType<typeof startCommonGround> | undefined;
  const start = () => {
    starting ??= startCommonGround();
    return starting;
  };
  return {
    info: {
      id: 'utp',
      label: 'UTP (CommonGround)',
      description: 'The same script as an agent of CommonGround, whose tools are reached over NATS.',
      carriers: ['sse'],
      missing: program === undefined ? MISSING : undefined,
    },
    async handle(request, response, session) {
      if (program === undefined) return sendJson(response, 503, { error: MISSING });
      const { open } = await start();
      await createNodeHandler(() => open(session))(request, response);
    },
    readHistory: async (session) => (await starting)?.readHistory(session) ?? [],
    close: async () => (await starting)?.stop(),
  };
}

async function startCommonGround() {
  const server = await startNatsServer();
  const nats = await connect({ servers: server.url });
  await createStreams(nats);
  const cards = createMemoryCards();
  const l0 = createMemoryL0(cards);
  const service = createUtpToolService({
    ...{ nats, cards, l0, tools, target: TARGET },
    onError: (thrown, { step }) => console.error(`The step ${step} of a tool failed:`, thrown),
  });
  const store = createMemorySessionStore();
  const histories = new Map<string, AgentMessage[]>();
  const agent = createPlaygroundAgent();

  /** Each conversation is a project with an agent of its own. */
  async function startAgent(session: string): Promise<void> {
    if (histories.has(session)) return;
    const messages: AgentMessage[] = [];
    histories.set(session, messages);
    const worker = new AgentWorker({
      ...{ nats, cards, l0, clock, projectId: session, channelId: CHANNEL, agentId: AGENT },
      ...{ workerTarget: session, target: TARGET },
    });
    const script = createUtpScript({ agent, worker, sessionId: session, timeoutMs: QUESTION_MS, messages });
    await startScriptedAgent({ nats, projectId: session, worker, cards, clock }, script);
  }

  return {
    async open(session: string) {
      await startAgent(session);
      return createUtpSession({
        ...{ id: session, nats, cards, service, store, resumeWindowMs: RESUME_WINDOW_MS },
        ...{ project: session, channel: CHANNEL, agent: AGENT },
      });
    },
    readHistory: (session: string) => histories.get(session),
    async stop() {
      await service.stop();
      await nats.close();
      await server.stop();
    },
  };
}
