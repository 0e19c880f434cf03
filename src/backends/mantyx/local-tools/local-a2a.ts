/**
 * `a2a_local` of the Mantyx protocol 0.11 (sections 3 and 8): an A2A agent that only this page can reach. The platform gets the
 * card as the agent serves it, so the page fetches the card itself: the SDK would convert it to its own form.
 */
import type { Message, Task } from '@a2a-js/sdk';
import { invalidOptions } from '../../../shared/errors.ts';
import { isRecord } from '../../../shared/json.ts';
import type { A2aLocalRef } from '../spec.ts';
import type { LocalToolAnswer, LocalToolSource } from './local-tool-source.ts';
import {
  checkPeerName,
  createPeerFetch,
  createSharedCall,
  importPeer,
  type PeerOptions,
  toPeerError,
} from './peer.ts';

/** An agent card as JSON has it, of A2A 0.3 or 1.0. */
export type AgentCardJson = Readonly<Record<string, unknown>>;

/** Options of {@link localA2a}. */
export interface LocalA2aOptions extends PeerOptions {
  /** The name under which the model calls the agent: letters, digits and underscores, up to 64. */
  readonly name: string;
  /** The description for the model. Default: the platform makes one from the card. */
  readonly description?: string;
  /** The URL of the card, such as `https://hr.example/.well-known/agent-card.json`, or the card, or a function that returns it. */
  readonly agentCard: string | URL | AgentCardJson | (() => AgentCardJson | Promise<AgentCardJson>);
}

/**
 * An A2A agent that this page can reach and the platform cannot, as a tool of `createMantyxTransport`. Called by JSON-RPC
 * (`message/send` of 0.3, `SendMessage` of 1.0) through `@a2a-js/sdk`, which you install and which is loaded at the first
 * call. Each call starts a new A2A context.
 *
 * @throws AgentChatError `invalid_options` for a name the platform would refuse.
 */
export function localA2a(options: LocalA2aOptions): LocalToolSource {
  const { name, description } = options;
  checkPeerName('localA2a', name);
  const peer = `The A2A agent ${name}`;
  const send = createPeerFetch(options);
  let cardUrl = isRecord(options.agentCard) ? readUrl(options.agentCard) : undefined;

  const getCard = createSharedCall(async () => {
    try {
      const card = await readCard(options.agentCard, send);
      cardUrl = readUrl(card);
      return card;
    } catch (thrown) {
      throw toPeerError(peer, thrown);
    }
  });
  const connect = createSharedCall(() => openClient(() => getCard(new AbortController().signal), send));

  return {
    kind: 'a2a_local',
    name,
    async resolve(signal): Promise<A2aLocalRef> {
      const agentCard = await getCard(signal);
      return { kind: 'a2a_local', name, ...(description === undefined ? {} : { description }), agentCard };
    },
    handles(call) {
      const calledUrl = isRecord(call.agentCard) ? readUrl(call.agentCard) : undefined;
      return calledUrl === undefined || cardUrl === undefined ? call.name === name : calledUrl === cardUrl;
    },
    async dispatch({ toolUseId, args }, signal) {
      const { message } = args;
      if (typeof message !== 'string' || message === '') return { error: `${peer} needs a message.` };
      const { client, role } = await connect(signal);
      const request = {
        tenant: '',
        message: toMessage(message, toolUseId, role),
        configuration: undefined,
        metadata: undefined,
      };
      return readReply(await client.sendMessage(request, { signal }));
    },
  };
}

async function openClient(getCard: () => Promise<AgentCardJson>, send: typeof fetch) {
  const [{ ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory }, { Role }] = await importPeer(
    '@a2a-js/sdk',
    () => Promise.all([import('@a2a-js/sdk/client'), import('@a2a-js/sdk')]),
  );
  const card = await getCard();
  const legacyCompat = { enabled: true };
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory({ fetchImpl: send, legacyCompat })],
  });
  const resolver = new DefaultAgentCardResolver({ legacyCompat });
  const client = await factory.createFromAgentCard(resolver.normalizeAgentCard(card));
  return { client, role: Role.ROLE_USER };
}

/** The message has the id of the call, so that an agent can recognise a message it gets twice. */
function toMessage(text: string, messageId: string, role: Message['role']): Message {
  const content = { $case: 'text' as const, value: text };
  return {
    messageId,
    contextId: '',
    taskId: '',
    role,
    parts: [{ content, metadata: undefined, filename: '', mediaType: 'text/plain' }],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}

async function readCard(given: LocalA2aOptions['agentCard'], send: typeof fetch): Promise<AgentCardJson> {
  if (typeof given === 'function') return checkCard(await given());
  if (typeof given !== 'string' && !(given instanceof URL)) return checkCard(given);
  const response = await send(given, { headers: { accept: 'application/json' } });
  if (!response.ok) throw new Error(`${given} answered with status ${response.status}`);
  return checkCard(await response.json());
}

function checkCard(card: unknown): AgentCardJson {
  if (isRecord(card) && readUrl(card) !== undefined) return card;
  throw invalidOptions(
    'The agent card says nowhere to call. It needs a `url` (A2A 0.3) or `supportedInterfaces` with one (1.0).',
  );
}

function readUrl({ url, supportedInterfaces }: AgentCardJson): string | undefined {
  if (typeof url === 'string') return url;
  const first: unknown = Array.isArray(supportedInterfaces) ? supportedInterfaces[0] : undefined;
  return isRecord(first) && typeof first.url === 'string' ? first.url : undefined;
}

type Parts = Message['parts'];

/** States of a task, by their numbers in A2A 1.0: failed, cancelled, rejected. */
const FAILED: readonly (number | undefined)[] = [4, 5, 7];
const COMPLETED = 3;
const INPUT_REQUIRED = 6;
const AUTH_REQUIRED = 8;

/**
 * The text of a reply for the model: the parts of a message, or those of a task's status, else of its last artifact (Mantyx
 * protocol 0.11, section 8). An agent that waits for more input asks in its status, so the model reads the question. A task that
 * is not complete and has no text is an error, because the model would take an empty text for a success.
 */
function readReply(reply: Message | Task): LocalToolAnswer {
  if ('parts' in reply) return { result: toText(reply.parts) };
  const { status, artifacts } = reply;
  const state = status?.state;
  const statusText = toText(status?.message?.parts ?? []);
  if (FAILED.includes(state)) return { error: statusText === '' ? describeState(state) : statusText };
  // A task that asks for a login has not answered yet, whatever it has made so far.
  const text =
    statusText !== '' || state === AUTH_REQUIRED ? statusText : toText(artifacts.at(-1)?.parts ?? []);
  return text === '' && state !== COMPLETED ? { error: describeState(state) } : { result: text };
}

function describeState(state: number | undefined): string {
  if (FAILED.includes(state)) return 'The agent could not do it.';
  if (state === AUTH_REQUIRED)
    return 'The agent requires a login and did not say which. Ask the user to sign in to it.';
  if (state === INPUT_REQUIRED) return 'The agent requires more input and did not say which.';
  return 'The agent has not finished and gave no text.';
}

/** The text of the parts. Without any text the media types are listed, because a model that gets no text calls again. */
function toText(parts: Parts): string {
  const texts = parts.flatMap(({ content }) => {
    if (content?.$case === 'text' || content?.$case === 'url') return content.value;
    return content?.$case === 'data' ? JSON.stringify(content.value) : [];
  });
  if (texts.length > 0) return texts.join('\n');
  return parts.map(({ mediaType }) => `[${mediaType || 'file'}]`).join('\n');
}
