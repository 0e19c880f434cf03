/** Starts a run for a message: a run of its own, or one within a session (Mantyx protocol 0.11, sections 1 and 2). */
import type { TriggerCommand } from '../../core/protocol/commands.ts';
import { invalidOptions, invalidResponse } from '../../shared/errors.ts';
import { callSafely } from '../../shared/report-thrown.ts';
import { assertLimit, assertText } from './assert-limit.ts';
import { checkMessage, checkSpec } from './check-spec.ts';
import { checkTools } from './check-tools.ts';
import type { Api } from './create-api.ts';
import { toWireRef } from './local-tools/local-tools.ts';
import { createOutputReader, type OutputReader, toWireOutputSchema } from './output-schema.ts';
import type { MantyxMessage, MantyxSpec, RunOptions, ToolRef } from './spec.ts';

export interface SessionOptions {
  /** The id of an existing session. Default: the first message creates a session. */
  readonly id?: string;
  /** Called once when a session was created. Save the id to continue the session after a reload. */
  readonly onCreated?: (sessionId: string) => void;
}

export interface StartOptions {
  /** The agent. Leave it out if your own start route makes the spec. */
  readonly spec?: MantyxSpec;
  /**
   * The agent remembers the conversation: `true`, or the session to continue. Default `false`: each message is a run of its own
   * without the earlier messages.
   */
  readonly session?: boolean | SessionOptions;
  /** Makes the message for a trigger, with options for that run. Default: its `USER_MESSAGE` as `prompt`. */
  readonly message?: (command: TriggerCommand) => MantyxMessage | Promise<MantyxMessage>;
}

export interface StartedRun {
  readonly runId: string;
  /** Checks its final text, if the run has an output schema. */
  readonly output: OutputReader | undefined;
}

export interface RunStarter {
  /**
   * Starts a run. Throws `invalid_options` before the first request, and the errors of the requests. The signal aborts the
   * preparation but not the request that starts the run, so that the run is known and can be cancelled.
   */
  start(command: TriggerCommand, signal: AbortSignal): Promise<StartedRun>;
  /** The output reader for a run whose message is not known any more, such as after a reload. */
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
  const specWithTools = async (signal: AbortSignal) => {
    const tools = await resolveTools(signal);
    return { ...wireSpec, ...(tools === undefined ? {} : { tools }) };
  };
  const openSession = createSessionOpener(readSession(session), api, specWithTools);

  return {
    async start(command, signal) {
      const given = await toMessage(command);
      assertLimit(typeof given === 'object' && given !== null, 'message', 'an object', given);
      const tools = given.tools?.map(toWireRef);
      const message = { ...toWire(given), ...(tools && { tools }) };
      checkMessage(message, session !== false);
      if (tools) checkTools(tools);
      const outputSchema = given.outputSchema ?? spec?.outputSchema;
      const output = outputSchema && (await createOutputReader(outputSchema));
      if (session !== false) {
        const name = encodeURIComponent(await openSession(signal));
        signal.throwIfAborted();
        return { runId: await create(api, `agent-sessions/${name}/messages`, message, 'runId'), output };
      }
      const body = { ...(await specWithTools(signal)), ...message };
      signal.throwIfAborted();
      return { runId: await create(api, 'agent-runs', body, 'runId'), output };
    },
    readOutput: async () => spec?.outputSchema && createOutputReader(spec.outputSchema),
  };
}

/** Returns the session id. The first message creates the session; messages sent meanwhile wait for the same one. */
function createSessionOpener(
  { id, onCreated }: SessionOptions,
  api: Api,
  specWithTools: (signal: AbortSignal) => Promise<Readonly<Record<string, unknown>>>,
): (signal: AbortSignal) => Promise<string> {
  let sessionId: string | Promise<string> | undefined = id;
  const notifyCreated = (created: string): string => {
    callSafely(() => onCreated?.(created));
    return created;
  };
  return async (signal) => {
    if (sessionId !== undefined) return sessionId;
    const body = await specWithTools(signal);
    sessionId ??= create(api, 'agent-sessions', body, 'sessionId').then(notifyCreated, (thrown: unknown) => {
      sessionId = undefined;
      throw thrown;
    });
    return sessionId;
  };
}

/** Creates a run or a session and returns its id. The request is not aborted, so that a created run is known. */
async function create(
  api: Api,
  path: string,
  body: Readonly<Record<string, unknown>>,
  field: 'runId' | 'sessionId',
): Promise<string> {
  const answer = await api.ask({ path, body }, new AbortController().signal);
  const id = answer[field];
  if (typeof id === 'string' && id !== '') return id;
  throw invalidResponse(`Mantyx answered ${path} without a ${field}. Check baseUrl and the proxy.`);
}

function readSession(session: boolean | SessionOptions): SessionOptions {
  if (typeof session === 'boolean') return {};
  assertLimit(
    typeof session === 'object' && session !== null,
    'session',
    'true, false or { id, onCreated }',
    session,
  );
  if (session.id !== undefined) assertText(session.id, 'session.id');
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
  assertText(prompt, 'USER_MESSAGE');
  return { prompt };
}
