/** Agents that speak AG-UI 1.0 as a backend: `POST` of the whole thread, and one event stream per run. */
import type { RunCommand } from '../../core/protocol/commands.ts';
import { replaceMessages } from '../../core/state/replace-messages.ts';
import type { ClientTools } from '../../core/tools/client-tool.ts';
import { describeTools } from '../../core/tools/describe-tools.ts';
import type { AgentTransport, TransportIO } from '../../core/transport/agent-transport.ts';
import {
  createSender,
  type MayBeMade,
  made,
  type SenderOptions,
} from '../../core/transport/create-sender.ts';
import { readFiles } from '../../core/transport/read-files.ts';
import { TranslatedStream } from '../../core/transport/translated-stream.ts';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { invalidOptions } from '../../shared/errors.ts';
import { isRecord } from '../../shared/json.ts';
import { findStoredCalls } from './find-stored-calls.ts';
import { toLegacyCommand } from './legacy-interrupt.ts';
import { readMemory, writeMemory } from './memory.ts';
import { isLegacy } from './messages.ts';
import { type PreparedRun, prepareAnswers, prepareMessage } from './prepare-run.ts';
import { type ClientCall, type InterruptCall, toQuestion } from './questions.ts';
import { readRun } from './read-run.ts';
import { RunReader } from './run-reader.ts';

/** Options of {@link createAgUiTransport}. */
export interface AgUiTransportOptions extends SenderOptions {
  /** The address of the agent. */
  readonly url: string | URL;
  /** The id of the thread on the server; then the transport serves one chat. Default: the `id` of the chat. */
  readonly threadId?: string;
  /** Facts for the agent, such as where the person is. `value` is text. */
  readonly context?: MayBeMade<readonly { readonly description: string; readonly value: string }[]>;
  /** The state of the thread before the agent has sent one (JSON). */
  readonly state?: unknown;
  /** Passed through to the agent (JSON). */
  readonly forwardedProps?: MayBeMade<Readonly<Record<string, unknown>>>;
  /** For tests: time under your control. Default: the real clock. */
  readonly clock?: Clock;
}

/**
 * Talks to an AG-UI agent: LangGraph, Mastra, Pydantic AI, ADK and others.
 *
 * The thread is kept on the client: every run posts all messages and the state. It begins with the `initialMessages` of the chat, whose open
 * calls of the page are asked. It is persisted with the conversation, and without
 * secrets: a secret is posted once, with its answer. The agent is told of the app's `clientTools`; calls of other tools are left to it.
 * An interrupt becomes a question: an approval, or a form made of its `responseSchema`. A changed state is an `onResourceUpdate` of `state`.
 * Files without `requestUploadUrls` go as content parts with their data, up to 4 MB together.
 * An activity is an `operation` part, and its content an `onResourceUpdate` of `activity`: `{ messageId, activityType, content }`.
 *
 * AG-UI cannot resume a response: one that is cut is `stream_interrupted`, and `retry()` runs the same input again. A stop aborts the
 * request.
 *
 * Streams throw `invalid_options` for a trigger that is no message, `http_error`, `connection_failed` and `invalid_response`.
 *
 * @throws AgentChatError `invalid_options` without an address
 */
export function createAgUiTransport(options: AgUiTransportOptions): AgentTransport {
  const { url, clock = systemClock } = options ?? {};
  if (!(url instanceof URL) && !(url && typeof url === 'string'))
    throw invalidOptions('createAgUiTransport needs the address of the agent as `url`.');
  const send = createSender(options, clock);
  /** The latest response of each chat. */
  const readers = new Map<string, RunReader>();

  const openRun = async (command: RunCommand, io: TransportIO) => {
    // The response before may still be open. What has arrived of it is part of the thread.
    readers.get(io.chat.id)?.close();
    const run = prepare(command, options, io);
    if (command.type === 'respond' && command.beforeMessage) return keepAnswers(run, io);
    writeMemory(io.memory, run.kept);
    const tools = describeForAgent(io);
    const input = { ...(await toInput(run, options)), tools };
    const post = () => send(String(url), input, { accept: 'text/event-stream' }, io.signal);
    const reader = new RunReader(run.kept, new Set(tools.map(({ name }) => name)), io, clock);
    readers.set(io.chat.id, reader);
    const onEnd = () => {
      if (readers.get(io.chat.id) === reader) readers.delete(io.chat.id);
    };
    return { response: readRun(post, reader, { io, clock, onEnd }) };
  };

  return {
    capabilities: {
      results: 'together',
      resume: false,
      stop: false,
      deadlines: true,
      joins: true,
      describeTools: true,
    },
    run(command, io) {
      return new TranslatedStream(() => openRun(command, io), { clock, signal: io.signal });
    },
    async *open(_command, io) {
      const snapshot = findStoredCalls(io);
      if (snapshot) yield [snapshot];
    },
    readFiles,
    replaceMessages,
    clientTool(call) {
      const { interrupt, hasBrokenArgs } = call as Partial<InterruptCall & ClientCall>;
      if (hasBrokenArgs) return { execute: refuseArgs, idempotent: true };
      return interrupt && toQuestion(call as InterruptCall);
    },
  };
}

/** The message that follows carries these answers with it, so that the agent does not react to them on their own. */
function keepAnswers({ kept }: PreparedRun, io: TransportIO): undefined {
  const { parentRunId: runId, ...thread } = kept;
  writeMemory(io.memory, { ...thread, ...(runId !== undefined && { runId }) });
}

async function refuseArgs(): Promise<never> {
  throw new Error('The arguments of this call are no JSON object');
}

function prepare(
  command: RunCommand,
  { threadId, state }: AgUiTransportOptions,
  io: TransportIO,
): PreparedRun {
  const memory = readMemory(io.memory, { threadId, state }, io.chat);
  if (command.type === 'respond') return prepareAnswers(command, memory);
  if (command.type === 'trigger') return prepareMessage(command, memory);
  throw invalidOptions('AG-UI cannot resume a run.');
}

/**
 * The input of the run but for its tools. Optional keys are left out, because null in them makes the input invalid. Servers of Python want
 * `state` and `forwardedProps` all the same, so these two are always there, as those of the reference client are.
 */
async function toInput({ kept, messages, resume }: PreparedRun, options: AgUiTransportOptions) {
  const { threadId, runId, state, parentRunId, interrupts } = kept;
  const legacy = interrupts.filter(isLegacy);
  const takesCommand = legacy.length > 0;
  const given = await made(options.forwardedProps);
  const forwardedProps =
    takesCommand && resume.length > 0
      ? { ...given, command: toLegacyCommand(legacy, resume) }
      : (given ?? {});
  return {
    threadId,
    runId,
    protocolVersion: '1.0',
    messages,
    context: (await made(options.context)) ?? [],
    state: state ?? {},
    forwardedProps,
    ...(!takesCommand && resume.length > 0 && { resume }),
    ...(resume.length > 0 && parentRunId !== undefined && { parentRunId }),
  };
}

function describeForAgent(io: TransportIO) {
  return describeTools((io.clientTools?.() ?? {}) as ClientTools).map(
    ({ name, description = '', inputSchema }) => ({
      name,
      description,
      parameters: isRecord(inputSchema) ? inputSchema : { type: 'object', properties: {} },
    }),
  );
}
