/** A message of the person becomes a run: by itself, or within a session (Mantyx protocol 0.11, sections 1 and 2). */
import type { TriggerCommand } from '../protocol/commands.ts';
import { invalidOptions } from '../shared/errors.ts';
import { callSafely } from '../shared/report-thrown.ts';
import { toInvalidResponse } from '../transport/request-error.ts';
import type { Api } from './api.ts';
import { checkMessage, checkSpec } from './check-spec.ts';
import { checkTools } from './check-tools.ts';
import { demand, demandText } from './limits.ts';
import { toWireRef } from './local-tools.ts';
import { createOutputReader, type OutputReader, toWireOutputSchema } from './output-schema.ts';
import type { MantyxMessage, MantyxSpec, RunOptions, ToolRef } from './spec.ts';

export interface SessionOptions {
  /** A session that exists. Absent: one is made for the first message. */
  readonly id?: string;
  /** Told once when one was made: keep the id to go on with it after a reload. */
  readonly onCreated?: (sessionId: string) => void;
}

export interface StartOptions {
  /** The agent. Leave it out where your own start route makes the spec. */
  readonly spec?: MantyxSpec;
  /**
   * The agent remembers the conversation: `true`, or which session to go on with. Default `false`: each message is a run
   * of its own that knows nothing of those before.
   */
  readonly session?: boolean | SessionOptions;
  /** What to send for a trigger, and what is different for it. Default: its `USER_MESSAGE` as `prompt`. */
  readonly message?: (command: TriggerCommand) => MantyxMessage | Promise<MantyxMessage>;
}

export interface StartedRun {
  readonly runId: string;
  /** Reads its final text, where it was asked for data. */
  readonly output: OutputReader | undefined;
}

export interface RunStarter {
  /**
   * Starts a run. Throws `invalid_options` before anything is sent, and what the request throws. The signal ends what comes
   * before the request for the run; that one goes on, so that the run is known and can be cancelled.
   */
  start(command: TriggerCommand, signal: AbortSignal): Promise<StartedRun>;
  /** Reads the final texts of runs whose message is not known any more. */
  readOutput(): Promise<OutputReader | undefined>;
}

/** @throws AgentChatError `invalid_options` for a spec that breaks a limit. */
export function createRunStarter(
  options: StartOptions,
  api: Api,
  resolveTools: (signal: AbortSignal) => Promise<readonly ToolRef[] | undefined>,
): RunStarter {
  const { spec, session = false, message: toMessage = toPrompt } = options;
  const wireSpec = spec && toWire(spec);
  if (wireSpec) checkSpec(wireSpec);
  const { id, onCreated } = readSession(session);
  let sessionId: string | Promise<string> | undefined = id;

  const post = async (
    path: string,
    body: Readonly<Record<string, unknown>>,
    field: 'runId' | 'sessionId',
  ) => {
    const answer = await api.ask({ path, body }, new AbortController().signal);
    const id = answer[field];
    if (typeof id === 'string' && id !== '') return id;
    throw toInvalidResponse(`Mantyx answered ${path} without a ${field}. Check baseUrl and the proxy.`);
  };
  const specWithTools = async (signal: AbortSignal) => {
    const tools = await resolveTools(signal);
    return { ...wireSpec, ...(tools === undefined ? {} : { tools }) };
  };
  /** Messages that come while it is being made go to the same one. */
  const openSession = async (signal: AbortSignal): Promise<string> => {
    if (sessionId !== undefined) return sessionId;
    const body = await specWithTools(signal);
    sessionId ??= post('agent-sessions', body, 'sessionId').then(tellCreated, (thrown: unknown) => {
      sessionId = undefined;
      throw thrown;
    });
    return sessionId;
  };
  const tellCreated = (id: string): string => {
    callSafely(() => onCreated?.(id));
    return id;
  };

  return {
    async start(command, signal) {
      const given = await toMessage(command);
      demand(typeof given === 'object' && given !== null, 'message', 'an object', given);
      const tools = given.tools?.map(toWireRef);
      const message = { ...toWire(given), ...(tools && { tools }) };
      checkMessage(message, session !== false);
      if (tools) checkTools(tools);
      const outputSchema = given.outputSchema ?? spec?.outputSchema;
      const output = outputSchema && (await createOutputReader(outputSchema));
      if (session !== false) {
        const name = encodeURIComponent(await openSession(signal));
        signal.throwIfAborted();
        return { runId: await post(`agent-sessions/${name}/messages`, message, 'runId'), output };
      }
      const body = { ...(await specWithTools(signal)), ...message };
      signal.throwIfAborted();
      return { runId: await post('agent-runs', body, 'runId'), output };
    },
    readOutput: async () => spec?.outputSchema && createOutputReader(spec.outputSchema),
  };
}

function readSession(session: boolean | SessionOptions): SessionOptions {
  if (typeof session === 'boolean') return {};
  demand(
    typeof session === 'object' && session !== null,
    'session',
    'true, false or { id, onCreated }',
    session,
  );
  if (session.id !== undefined) demandText(session.id, 'session.id');
  return session;
}

function toWire<Options extends RunOptions>(options: Options) {
  const { outputSchema, ...rest } = options;
  return {
    ...rest,
    ...(outputSchema === undefined ? {} : { outputSchema: toWireOutputSchema(outputSchema) }),
  };
}

function toPrompt({ triggerName, input = {} }: TriggerCommand): MantyxMessage {
  const { USER_MESSAGE: prompt, FILES: files } = input;
  if (Array.isArray(files) && files.length > 0) {
    throw invalidOptions(
      'Mantyx: a run takes text alone, and this message has files. Give createMantyxTransport a `message` that says what to make of them. Nothing was sent.',
    );
  }
  if (typeof prompt !== 'string') {
    throw invalidOptions(
      `Mantyx: the trigger ${JSON.stringify(triggerName)} has no USER_MESSAGE to be the prompt. Give createMantyxTransport a \`message\` that makes one. Nothing was sent.`,
    );
  }
  demandText(prompt, 'USER_MESSAGE');
  return { prompt };
}
