/** One turn of an agent, from what it publishes to the events of a session. */
import type { NatsConnection } from '@nats-io/nats-core';
import type {
  AgentAssistantMessage,
  AgentContext,
  AgentMessage,
  AgentUserMessage,
  ModelEvent,
} from '../../server/agent.ts';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { compact, isRecord } from '../../shared/json.ts';
import type { CardStore } from '../cards.ts';
import type { UtpToolService } from '../create-utp-tool-service.ts';
import type { UtpOpenCall } from '../open-calls.ts';
import { readDeliverable, toEnding, toRefusal } from './endings.ts';
import { sendMessage } from './send-message.ts';
import { StreamWriter } from './stream-writer.ts';
import type { FeedItem, TurnFeed } from './turn-feed.ts';

type Payload = Readonly<Record<string, unknown>>;
type Events = AsyncGenerator<ModelEvent, boolean, undefined>;

export interface TurnSettings {
  readonly nats: NatsConnection;
  readonly cards: CardStore;
  readonly service: UtpToolService;
  readonly project: string;
  readonly channel: string;
  readonly agent: string;
  readonly actor: string;
  readonly clock?: Clock | undefined;
}

/** How long a question waits for other calls of its step, so that a person sees them together. Milliseconds. */
const GATHER_MS = 300;

/** Where an invocation stopped reading. The history keeps it, next to the calls that were asked. */
interface Position {
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
  /** The action that began the turn, and whether an earlier attempt published it. */
  #action: { readonly id: string; readonly text: string; isRepeated: boolean } | undefined;
  /** CommonGround names the turn in its first event. */
  #id: string | undefined;
  #sequence = 0;
  /** Chunks that came before the name of their turn. */
  #early: Payload[] = [];
  /** The calls that the agent waits for, while it is suspended. */
  #waiting: readonly string[] | undefined;
  #deadline = Infinity;
  #hasAllCalls = false;
  #stopGathering: (() => void) | undefined;

  constructor(settings: TurnSettings, feed: TurnFeed) {
    this.#settings = settings;
    this.#feed = feed;
  }

  /** Sends the message at the end of the history. Sent again, it is the same message, and its turn is read from the beginning. */
  async begin({ messages, executionId }: AgentContext): Promise<void> {
    const { id = executionId, content } = messages.at(-1) as AgentUserMessage;
    const time = await this.#send(id, content);
    await this.#feed.readEvents({ time });
  }

  /** Goes on with the turn whose calls were answered. */
  async goOn(messages: readonly AgentMessage[]): Promise<void> {
    const asked = messages.findLast((message) => message.role === 'assistant') as AgentAssistantMessage;
    const { turnId, sequence, waiting } = asked.modelContent as Position;
    const answered = asked.toolCalls?.map(({ toolCallId }) => toolCallId) ?? [];
    this.#id = turnId;
    this.#sequence = sequence;
    this.#waiting = waiting.filter((toolCallId) => !answered.includes(toolCallId));
    await this.#feed.readEvents({ after: sequence });
  }

  /** Takes what the feed brought. Returns true if the invocation is over: the turn has ended, or it waits for a person. */
  async *take(item: FeedItem): Events {
    if (item.kind === 'enough') this.#hasAllCalls = true;
    if (item.kind === 'chunk') yield* this.#takeChunk(item.payload);
    if (item.kind === 'event') {
      this.#sequence = item.sequence;
      if (yield* this.#takeEvent(item.name, item.payload)) return true;
    }
    return yield* this.#ask();
  }

  end(): void {
    this.#stopGathering?.();
  }

  async #send(id: string, text: string): Promise<Date> {
    const { nats, project, channel, agent, actor } = this.#settings;
    const { time, isRepeated } = await sendMessage(nats, {
      actionId: id,
      project,
      channel,
      agent,
      actor,
      text,
    });
    this.#action = { id, text, isRepeated };
    return time;
  }

  *#takeChunk(chunk: Payload): Generator<ModelEvent> {
    if (this.#id === undefined) this.#early.push(chunk);
    else if (chunk.agent_turn_id === this.#id) yield* this.#writer.write(chunk);
  }

  async *#takeEvent(name: string, event: Payload): Events {
    if (name === 'action_ack') return yield* this.#takeAck(event);
    const { agent_turn_id: turnId, status } = event;
    if (this.#id === undefined && name === 'state' && typeof turnId === 'string' && status !== 'idle') {
      this.#id = turnId;
      for (const chunk of this.#early.splice(0)) yield* this.#takeChunk(chunk);
    }
    if (turnId !== this.#id) return false;
    if (name === 'state') yield* this.#takeState(event);
    if (name === 'step') yield* takeStep(event);
    return name === 'task' && (yield* this.#takeTask(event));
  }

  async *#takeAck(ack: Payload): Events {
    const action = this.#action;
    if (action === undefined || ack.action_id !== action.id) return false;
    const refusal = toRefusal(ack);
    if (refusal === undefined) return false;
    if (action.isRepeated) {
      // An earlier attempt was refused, and a person tries again.
      await this.#send(`${action.id}+`, action.text);
      return false;
    }
    yield refusal;
    return true;
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
    yield toEnding(task);
    return true;
  }

  /** Asks the open calls of the turn, once the agent waits for them. */
  *#ask(): Generator<ModelEvent, boolean, undefined> {
    const waiting = this.#waiting;
    const calls = this.#openCalls();
    if (waiting === undefined || calls.length === 0) return false;
    const isComplete = waiting.every((id) => calls.some(({ toolCallId }) => toolCallId === id));
    if (!isComplete && !this.#hasAllCalls) {
      const { clock = systemClock } = this.#settings;
      this.#stopGathering ??= clock.after(GATHER_MS, () => this.#feed.push({ kind: 'enough' }));
      return false;
    }
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
    const { service, project, agent } = this.#settings;
    return service
      .listOpenCalls()
      .filter(
        ({ projectId, agentId, agentTurnId }) =>
          projectId === project && agentId === agent && agentTurnId === this.#id,
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
