/** An agent of a CommonGround channel as a session: pages talk to it through `handleAgentRequest` or `serveSocket`. */
import type { NatsConnection } from '@nats-io/nats-core';
import type { AgentEvent } from '../../../core/protocol/events.ts';
import type { AgentAssistantMessage, AgentMessage } from '../../../server/agent.ts';
import { reportFailure } from '../../../server/report-failure.ts';
import { readHistory } from '../../../server/runs/history.ts';
import {
  type AgentSession,
  type AgentSessionOptions,
  createAgentSession,
  type ExecuteOptions,
} from '../../../server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../server/store/create-memory-session-store.ts';
import {
  createEventGenerator,
  createListSource,
  type EventSource,
} from '../../../server/store/event-source.ts';
import { invalidOptions } from '../../../shared/errors.ts';
import { isRecord } from '../../../shared/json.ts';
import type { CardStore } from '../cards.ts';
import type { UtpToolService } from '../create-utp-tool-service.ts';
import type { UtpManagement } from '../management.ts';
import { isSubjectToken } from '../subject.ts';
import { settleCallsOf } from './answers.ts';
import { createUtpAgent } from './create-utp-agent.ts';
import { stopAgent } from './stop-agent.ts';
import type { Position } from './turn.ts';

/** Options of {@link createUtpSession}. `agent` is the id of the CommonGround agent. */
export interface UtpSessionOptions extends Omit<AgentSessionOptions, 'id' | 'agent' | 'tools'> {
  /** Names the conversation. Default: `{project}/{channel}/{agent}`. */
  readonly id?: string;
  readonly nats: NatsConnection;
  readonly cards: CardStore;
  /** Takes the calls that are addressed to the person. The sessions of a process share one; each starts it, none stops it. */
  readonly service: UtpToolService;
  readonly project: string;
  readonly channel: string;
  readonly agent: string;
  /**
   * The agent of the roster in whose name messages are sent; its worker target is `ui_worker`. It sends one message at a time, so give each
   * conversation its own. Default `ui`.
   */
  readonly actor?: string;
  /**
   * The management API, through which a stop of the page stops the agent too: CommonGround needs `CG_ENABLE_GOD_API` for it. Default: the
   * agent goes on.
   */
  readonly management?: UtpManagement;
  /** The person of this session. Passed to `mayAnswer` of the tools with each answer. */
  readonly principal?: unknown;
}

/**
 * Creates a session of a CommonGround agent (UTP v1r4).
 *
 * - A message becomes the UI action `delegate_async`, under the key of its trigger: sent again within the duplicate window of the stream of
 *   commands (of NATS: two minutes), it is the same action. The card of its result names the turn that is shown: what the agent does for
 *   others is not.
 * - What the agent streams becomes text and reasoning; its state is the resource `agent-state`; the end of its task ends the run. Text
 *   that was lost on the way is taken from the deliverable card.
 * - Its calls to the target of `service` are asked in the page, with the time at which the call expires. The answers are delivered once,
 *   by the service, whatever happens to the page. An answer that the agent does not get is a `notice`: `answer_expired` came too late,
 *   `answer_forbidden` is not for this person to give, `answer_refused` is too large for NATS.
 * - A failure of NATS, of the card store or of L0 is an error that can be retried.
 * - A stop ends the run on the page, stops the turn of the agent where `management` is given and CommonGround has named the turn, and settles
 *   its open calls as aborted. A call that an agent makes after a stop is asked nowhere and times out. An agent that could not be stopped is
 *   an error for `onError`.
 *
 * @throws AgentChatError `invalid_options` if an option is missing or wrong.
 */
export function createUtpSession(options: UtpSessionOptions): AgentSession {
  checkOptions(options);
  const { nats, cards, service, project, channel, agent, actor = 'ui', ...others } = options;
  const { management, principal, ...rest } = others;
  const defaultId = [project, channel, agent].map(encodeURIComponent).join('/');
  const { id = defaultId, store = createMemorySessionStore({ maxSessions: 1 }) } = rest;
  const person = { service, project, principal };
  const stopTurn = (turnId: string) => {
    if (management === undefined) return;
    stopAgent(management, { project, channel, agent, turnId }).catch((thrown: unknown) =>
      reportFailure(rest.onError, thrown, { source: 'agent', sessionId: id }),
    );
  };
  const session = createAgentSession({
    ...rest,
    id,
    store,
    agent: createUtpAgent({
      ...person,
      sessionId: id,
      nats,
      cards,
      channel,
      agent,
      actor,
      clock: rest.clock,
      stopTurn,
    }),
  });
  /** Stops the run, and then settles the calls that the stop has closed. */
  const stop = async (payload: unknown, executeOptions?: ExecuteOptions): Promise<EventSource> => {
    const events: AgentEvent[] = [];
    const before = await store.load(id);
    for await (const event of session.execute(payload, executeOptions)) events.push(event);
    const record = await store.load(id);
    if (record?.execution?.state === 'stopped') {
      if (before?.execution?.state === 'waiting') stopTurn(waitingTurnOf(readHistory(before)));
      await settleCallsOf(person, readHistory(record), 'aborted');
    }
    return createListSource(events);
  };
  return {
    ...session,
    execute(payload, executeOptions) {
      const isStop = isRecord(payload) && payload.type === 'stop';
      return isStop
        ? createEventGenerator(() => stop(payload, executeOptions))
        : session.execute(payload, executeOptions);
    },
  };
}

/** A run under way stops its turn by itself. That of a conversation that waits is in the message with the questions. */
function waitingTurnOf(messages: readonly AgentMessage[]): string {
  const asked = messages.findLast((message) => message.role === 'assistant') as AgentAssistantMessage;
  return (asked.modelContent as Position).turnId;
}

function checkOptions(options: Partial<UtpSessionOptions>): void {
  const { nats, cards, service, actor = 'ui' } = options ?? {};
  if (!isRecord(nats))
    fail('nats must be a NATS connection, as connect() of @nats-io/transport-node returns it');
  if (typeof cards?.get !== 'function') fail('cards must be a CardStore');
  if (typeof service?.answer !== 'function') fail('service must be what createUtpToolService returned');
  for (const name of ['project', 'channel', 'agent'] as const) {
    if (!isSubjectToken(options[name])) fail(`${name} must be one token of a NATS subject`);
  }
  if (typeof actor !== 'string' || actor === '') fail('actor must be the id of an actor of the roster');
}

function fail(message: string): never {
  throw invalidOptions(`createUtpSession: ${message}.`);
}
