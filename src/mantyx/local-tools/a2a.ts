/**
 * `a2a_local` of the Mantyx protocol 0.11 (sections 3 and 8): an A2A agent only this page can reach. The card goes to
 * the platform as it was found, so it is fetched here and not by the SDK, whose own form of a card is another one.
 */
import { invalidOptions } from '../../shared/errors.ts';
import { isRecord } from '../../shared/json.ts';
import type { A2aLocalRef } from '../spec.ts';
import { readReply } from './a2a-reply.ts';
import type { LocalToolSource } from './local-tool-source.ts';
import {
  askOnce,
  checkPeerName,
  createPeerFetch,
  importPeer,
  type PeerOptions,
  toPeerError,
} from './peer.ts';

/** An agent card as JSON has it, of A2A 0.3 or 1.0. */
export type AgentCardJson = Readonly<Record<string, unknown>>;

/** Options of {@link localA2a}. */
export interface LocalA2aOptions extends PeerOptions {
  /** Under which the model calls the agent: letters, digits and underscores, up to 64. */
  readonly name: string;
  /** For the model. Default: the platform makes one of the card. */
  readonly description?: string;
  /** Where the card is, such as `https://hr.example/.well-known/agent-card.json`, or the card, or how to get it. */
  readonly agentCard: string | URL | AgentCardJson | (() => AgentCardJson | Promise<AgentCardJson>);
}

/**
 * An A2A agent this page can reach and the platform cannot, as a tool of `createMantyxTransport`. Called by JSON-RPC
 * (`message/send` of 0.3, `SendMessage` of 1.0), through `@a2a-js/sdk`, which you install and which is loaded at the
 * first call. One question, one answer: each call begins a context of its own.
 *
 * @throws AgentChatError `invalid_options` for a name the platform would refuse.
 */
export function localA2a(options: LocalA2aOptions): LocalToolSource {
  const { name, description } = options;
  checkPeerName('localA2a', name);
  const peer = `The A2A agent ${name}`;
  const send = createPeerFetch(options);
  let cardUrl = isRecord(options.agentCard) ? readUrl(options.agentCard) : undefined;

  const getCard = askOnce(async () => {
    try {
      const card = await readCard(options.agentCard, send);
      cardUrl = readUrl(card);
      return card;
    } catch (thrown) {
      throw toPeerError(peer, thrown);
    }
  });
  const connect = askOnce(async () => {
    const [{ ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory }, { Role }] = await importPeer(
      '@a2a-js/sdk',
      () => Promise.all([import('@a2a-js/sdk/client'), import('@a2a-js/sdk')]),
    );
    const card = await getCard(new AbortController().signal);
    const legacyCompat = { enabled: true };
    const factory = new ClientFactory({
      transports: [new JsonRpcTransportFactory({ fetchImpl: send, legacyCompat })],
    });
    const resolver = new DefaultAgentCardResolver({ legacyCompat });
    const client = await factory.createFromAgentCard(resolver.normalizeAgentCard(card));
    return { client, role: Role.ROLE_USER };
  });

  return {
    kind: 'a2a_local',
    name,
    async resolve(signal): Promise<A2aLocalRef> {
      const agentCard = await getCard(signal);
      return { kind: 'a2a_local', name, ...(description === undefined ? {} : { description }), agentCard };
    },
    handles(call) {
      const asked = isRecord(call.agentCard) ? readUrl(call.agentCard) : undefined;
      return asked === undefined || cardUrl === undefined ? call.name === name : asked === cardUrl;
    },
    async dispatch({ toolUseId, args }, signal) {
      const { message } = args;
      if (typeof message !== 'string' || message === '') return { error: `${peer} needs a message.` };
      const { client, role } = await connect(signal);
      const reply = await client.sendMessage(
        {
          tenant: '',
          // The call's own id: an agent that gets it twice can tell.
          message: {
            messageId: toolUseId,
            contextId: '',
            taskId: '',
            role,
            parts: [
              {
                content: { $case: 'text', value: message },
                metadata: undefined,
                filename: '',
                mediaType: 'text/plain',
              },
            ],
            metadata: undefined,
            extensions: [],
            referenceTaskIds: [],
          },
          configuration: undefined,
          metadata: undefined,
        },
        { signal },
      );
      return readReply(reply);
    },
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
