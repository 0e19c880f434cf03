/** One turn of an agent, from what it publishes to the events of a session. */
import type { NatsConnection } from '@nats-io/nats-core';
import type { ErrorEvent } from '../../../core/protocol/events.ts';
import type {
  AgentAssistantMessage,
  AgentContext,
  AgentUserMessage,
  ModelEvent,
} from '../../../server/agent.ts';
import { usedCallIds } from '../../../server/call-ids.ts';
import { type Clock, systemClock } from '../../../shared/clock.ts';
import { compact, isRecord } from '../../../shared/json.ts';
import type { CardStore } from '../cards.ts';
import type { UtpOpenCall } from '../open-calls.ts';
import type { AnswerSettings } from './answers.ts';
import { readDeliverable, toEnding, toRefusal } from './endings.ts';
import { readTurnId, sendMessage } from './send-message.ts';
import { StreamWriter } from './stream-writer.ts';
import type { FeedItem, TurnFeed } from './turn-feed.ts';

type Payload = Readonly<Record<string, unknown>>;
type Events = AsyncGenerator<ModelEvent, boolean, undefined>;

export interface TurnSettings extends AnswerSettings {
  readonly sessionId: string;
  readonly nats: NatsConnection;
  readonly cards: CardStore;
  readonly channel: string;
  readonly agent: string;
  readonly actor: string;
  readonly clock?: Clock | undefined;
  /** Stops a turn of the agent, where the app can. Never throws. */
  readonly stopTurn: (turnId: string) => void;
}

/** How long a question waits for other calls of its step, so that a person sees them together. Milliseconds. */
const GATHER_MS = 300;

/** Where an invocation stopped reading. The history keeps it, next to the calls that were asked. */
export interface Position {
  readonly turnId: string;
  /** The number of the last event that was read. */
  readonly sequence: number;
  /** The calls that the agent waited for. */
  readonly waiting: readonly string[];
}

export class Turn {
  readonly #settings: TurnSettings;
  readonly #feed: TurnFeed;
  readonly #writer = new StreamWriter();
  readonly #context: AgentContext;
  /** The calls of the history. A person is asked once. */
  readonly #asked: ReadonlySet<string>;
  /** The action that began the turn, and whether an earlier attempt published it. */
  #action: { readonly id: string; readonly text: string; readonly isRepeated: boolean } | undefined;
  /** Unknown until CommonGround says which turn the action began. The agent may still be in the turn of another client then. */
  #id: string | undefined;
  #sequence = 0;
  /** Chunks and events that came before the turn had a name. */
  #early: FeedItem[] = [];
  /** The calls that the agent waits for, while it is suspended. */
  #waiting: readonly string[] | undefined;
  #deadline = Infinity;
  #hasAllCalls = false;
  #stopGathering: (() => void) | undefined;

  constructor(settings: TurnSettings, feed: TurnFeed, context: AgentContext) {
    this.#settings = settings;
    this.#feed = feed;
    this.#context = context;
    this.#asked = usedCallIds(context.messages);
  }

  /** Sends the message at the end of the history. Sent again, it is the same message, and its turn is read from the beginning. */
  async begin(): Promise<void> {
    const { messages, executionId } = this.#context;
    const { id = executionId, content } = messages.at(-1) as AgentUserMessage;
    const time = await this.#send(id, content);
    await this.#feed.readEvents({ time });
  }

  /** Goes on with the turn whose calls were answered. */
  async goOn(): Promise<void> {
    const { messages } = this.#context;
    const asked = messages.findLast((message) => message.role === 'assistant') as AgentAssistantMessage;
    const { turnId, sequence, waiting } = asked.modelContent as Position;
    this.#id = turnId;
    this.#sequence = sequence;
    this.#waiting = waiting.filter((toolCallId) => !this.#asked.has(toolCallId));
    await this.#feed.readEvents({ after: sequence });
  }

  /** Takes what the feed brought. Returns true if the invocation is over: the turn has ended, or it waits for a person. */
  async *take(item: FeedItem): Events {
    switch (item.type) {
      case 'chunk':
        yield* this.#takeChunk(item);
        break;
      case 'event':
        if (yield* this.#takeEvent(item)) return true;
        break;
      case 'enough':
        this.#hasAllCalls = true;
        break;
      case 'calls':
        break;
      default:
        item satisfies never;
    }
    return yield* this.#ask();
  }

  /** The id of the turn, once CommonGround has told it. */
  get id(): string | undefined {
    return this.#id;
  }

  end(): void {
    this.#stopGathering?.();
  }

  async #send(id: string, text: string): Promise<Date> {
    const { nats, project, channel, agent, actor, clock = systemClock } = this.#settings;
    const message = { actionId: id, project, channel, agent, actor, text, now: clock.now() };
    const { time, isRepeated } = await sendMessage(nats, message);
    this.#action = { id, text, isRepeated };
    return time;
  }

  *#takeChunk(item: FeedItem & { readonly type: 'chunk' }): Generator<ModelEvent> {
    if (this.#id === undefined) this.#early.push(item);
    else if (item.payload.agent_turn_id === this.#id) yield* this.#writer.write(item.payload);
  }

  async *#takeEvent(item: FeedItem & { readonly type: 'event' }): Events {
    const { name, payload, sequence } = item;
    if (name === 'action_ack') return yield* this.#takeAck(payload);
    if (this.#id === undefined) {
      this.#early.push(item);
      return false;
    }
    this.#sequence = sequence;
    if (payload.agent_turn_id !== this.#id) return false;
    if (name === 'state') yield* this.#takeState(payload);
    if (name === 'step') yield* takeStep(payload);
    return name === 'task' && (yield* this.#takeTask(payload));
  }

  async *#takeAck(ack: Payload): Events {
    const action = this.#action;
    if (action === undefined || ack.action_id !== action.id) return false;
    const refusal = toRefusal(ack);
    if (refusal) return yield* this.#fail(refusal);
    const { cards, project } = this.#settings;
    this.#id ??= await readTurnId(cards, project, ack);
    if (this.#id === undefined) return false;
    for (const item of this.#early.splice(0)) if (yield* this.take(item)) return true;
    return false;
  }

  *#takeState({ status, metadata }: Payload): Generator<ModelEvent> {
    const details = isRecord(metadata) ? metadata : {};
    yield { type: 'resource-update', name: 'agent-state', value: { ...details, status } };
    const ids = Array.isArray(details.waiting_tool_call_ids) ? details.waiting_tool_call_ids : [];
    this.#waiting = status === 'suspended' ? ids.map(String) : undefined;
    this.#deadline = toTime(details.resume_deadline) ?? Infinity;
  }

  async *#takeTask(task: Payload): Events {
    const { cards, project } = this.#settings;
    yield* this.#writer.close(await readDeliverable(cards, project, task));
    const ending = toEnding(task);
    if (ending.type === 'error') return yield* this.#fail(ending);
    yield ending;
    return true;
  }

  /** A failure of an earlier attempt is why a person tries again: the message goes out as another action. */
  async *#fail(failure: ErrorEvent): Events {
    const action = this.#action;
    if (!action?.isRepeated || !failure.retryable) {
      yield failure;
      return true;
    }
    this.#id = undefined;
    await this.#send(`${action.id}+`, action.text);
    return false;
  }

  /** Asks the open calls of the turn, once the agent waits for them. */
  async *#ask(): Events {
    const waiting = this.#waiting;
    const calls = this.#openCalls();
    if (waiting === undefined || calls.length === 0) return false;
    const isComplete = waiting.every((id) => calls.some(({ toolCallId }) => toolCallId === id));
    if (!isComplete && !this.#hasAllCalls) {
      const { clock = systemClock } = this.#settings;
      this.#stopGathering ??= clock.after(GATHER_MS, () => this.#feed.push({ type: 'enough' }));
      return false;
    }
    const { service, sessionId } = this.#settings;
    await Promise.all(calls.map((call) => service.assign(call, sessionId)));
    yield* this.#writer.close();
    const position: Position = { turnId: this.#id ?? '', sequence: this.#sequence, waiting };
    yield { type: 'model-content', content: position };
    yield {
      type: 'tool-request',
      toolCalls: calls.map(({ toolCallId, toolName, args, deadline }) =>
        compact({ toolCallId, toolName, args, deadline: Math.min(deadline, this.#deadline) }),
      ),
    };
    return true;
  }

  #openCalls(): readonly UtpOpenCall[] {
    const { service, project, channel, agent } = this.#settings;
    return service
      .listOpenCalls()
      .filter(
        ({ projectId, channelId, agentId, agentTurnId, toolCallId }) =>
          projectId === project &&
          channelId === channel &&
          agentId === agent &&
          agentTurnId === this.#id &&
          !this.#asked.has(toolCallId),
      );
  }
}

function* takeStep({ step_id: id, phase }: Payload): Generator<ModelEvent> {
  if (typeof id !== 'string') return;
  if (phase === 'started')
    yield { type: 'block-start', blockId: id, blockName: 'step', blockType: 'step', display: 'hidden' };
  if (phase === 'completed' || phase === 'failed') yield { type: 'block-end', blockId: id };
}

/** Reads a time: text as of ISO 8601, or a number of seconds or milliseconds since the epoch. */
function toTime(value: unknown): number | undefined {
  const time = typeof value === 'string' ? Date.parse(value) : value;
  if (typeof time !== 'number' || !Number.isFinite(time)) return undefined;
  return time < 1e11 ? time * 1000 : time;
}
