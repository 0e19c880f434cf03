/** Everything that happens to an agent, from three sources in one queue: its stream, its events, and the open calls of the service. */
import { DeliverPolicy, jetstream } from '@nats-io/jetstream';
import type { NatsConnection } from '@nats-io/nats-core';
import { isRecord, parseJson } from '../../../shared/json.ts';
import { Mailbox } from '../../../shared/mailbox.ts';
import type { UtpToolService } from '../create-utp-tool-service.ts';
import { channelEventFilter, EVENT_STREAM, formatSubject, parseSubject } from '../subject.ts';

type Payload = Readonly<Record<string, unknown>>;

/**
 * - `chunk`: a piece of the agent's stream. NATS may lose it
 * - `event`: `state`, `step`, `task` or `action_ack` by its name, with its number in the stream of events
 * - `calls`: the open calls may have changed
 * - `enough`: no further call is waited for
 */
export type FeedItem =
  | { readonly type: 'chunk'; readonly payload: Payload }
  | { readonly type: 'event'; readonly name: string; readonly payload: Payload; readonly sequence: number }
  | { readonly type: 'calls' | 'enough' };

export interface FeedSource {
  readonly nats: NatsConnection;
  readonly service: UtpToolService;
  readonly project: string;
  readonly channel: string;
  readonly agent: string;
  readonly signal: AbortSignal;
}

/** A queue that is read once. It ends when the signal aborts, and throws when the events end. */
export interface TurnFeed extends AsyncIterable<FeedItem> {
  /** Reads events from a time, or after a number. @throws Error if NATS cannot be reached or lacks the stream. */
  readEvents(from: { readonly time: Date } | { readonly after: number }): Promise<void>;
  /** Adds an item of the reader's own. */
  push(item: FeedItem): void;
  close(): void;
}

/** Opens the feed: from here on no chunk and no change of the calls is missed. */
export function openTurnFeed({ nats, service, project, channel, agent, signal }: FeedSource): TurnFeed {
  const items = new Mailbox<FeedItem>();
  const chunks = nats.subscribe(toChunkSubject(project, channel, agent), {
    callback: (error, message) => {
      const payload = error ? undefined : parseJson(message.string());
      if (isRecord(payload)) items.push({ type: 'chunk', payload });
    },
  });
  const closing: (() => unknown)[] = [
    () => chunks.unsubscribe(),
    service.subscribe(() => items.push({ type: 'calls' })),
  ];

  return {
    push: (item) => items.push(item),
    async readEvents(from) {
      const start =
        'time' in from
          ? { deliver_policy: DeliverPolicy.StartTime, opt_start_time: from.time.toISOString() }
          : { deliver_policy: DeliverPolicy.StartSequence, opt_start_seq: from.after + 1 };
      const filter_subjects = channelEventFilter(project, channel);
      const consumer = await jetstream(nats).consumers.get(EVENT_STREAM, { ...start, filter_subjects });
      const messages = await consumer.consume();
      closing.push(() => messages.close());
      const forward = async () => {
        for await (const { subject, seq, data } of messages) {
          const payload = parseJson(new TextDecoder().decode(data));
          const { component, target, suffix: name = '' } = parseSubject(subject) ?? {};
          const isAbout = name === 'action_ack' || (component === 'agent' && target === agent);
          if (isAbout && isRecord(payload)) items.push({ type: 'event', name, payload, sequence: seq });
        }
      };
      const fail = (cause?: unknown) => items.fail(new Error('the connection to NATS was closed', { cause }));
      void forward().then(fail, fail);
    },
    [Symbol.asyncIterator]: () => items.read(signal),
    close() {
      for (const close of closing) close();
    },
  };
}

function toChunkSubject(projectId: string, channelId: string, target: string): string {
  return formatSubject({
    projectId,
    channelId,
    category: 'str',
    component: 'agent',
    target,
    suffix: 'chunk',
  });
}
