/** Takes the commands of a tool service from the command stream of CommonGround. */
import {
  AckPolicy,
  type Consumer,
  type ConsumerMessages,
  DeliverPolicy,
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamManager,
  type JsMsg,
  jetstream,
  jetstreamManager,
} from '@nats-io/jetstream';
import { type NatsConnection, nanos } from '@nats-io/nats-core';
import { toConsumerName } from './names.ts';
import type { UtpFailureListener } from './step-failure.ts';
import { COMMAND_STREAM, toolCommandFilter } from './subject.ts';

/** How long JetStream waits for an acknowledgement or a sign of life before it delivers a command again. Milliseconds. */
const ACK_WAIT_MS = 30_000;

export interface CommandSource {
  readonly target: string;
  /** A project, or `*` for all. */
  readonly project: string;
  readonly onMessage: (message: JsMsg) => void;
  readonly onFailure: UtpFailureListener;
}

/**
 * Starts to consume. The durable consumer has the name of the target and of the project, see `names.ts`; all processes of a service share
 * it. One that exists is used with the limits that it has, so an operator may change them. The returned function stops this process.
 *
 * @throws Error if the stream does not exist, because CommonGround creates it, or if the consumer takes the commands of another service.
 */
export async function consumeCommands(
  nats: NatsConnection,
  source: CommandSource,
): Promise<() => Promise<void>> {
  const name = await toConsumerName(source.target, source.project);
  await createConsumer(await jetstreamManager(nats), name, toolCommandFilter(source.target, source.project));
  const consumer: Consumer = await jetstream(nats).consumers.get(COMMAND_STREAM, name);
  const messages = await consumer.consume();
  void watchStatus(messages, source);
  void (async () => {
    try {
      for await (const message of messages) source.onMessage(message);
    } catch (thrown) {
      source.onFailure(thrown, { step: 'consume' });
    }
  })();
  return async () => {
    await messages.close();
  };
}

async function createConsumer(manager: JetStreamManager, name: string, filter: string): Promise<void> {
  try {
    const { config } = await manager.consumers.info(COMMAND_STREAM, name);
    const filters = config.filter_subjects ?? [config.filter_subject ?? '>'];
    if (filters.length === 1 && filters[0] === filter) return;
    throw new Error(
      `The consumer ${name} of ${COMMAND_STREAM} takes ${filters.join(', ')}, and this service needs one for ${filter}. It would take commands of another service, or leave out its own: rename or delete that consumer.`,
    );
  } catch (thrown) {
    const code = thrown instanceof JetStreamApiError ? thrown.code : undefined;
    if (code === JetStreamApiCodes.StreamNotFound) {
      throw new Error(
        `NATS has no stream ${COMMAND_STREAM}, which carries the commands. CommonGround creates it: start CommonGround first.`,
        { cause: thrown },
      );
    }
    if (code !== JetStreamApiCodes.ConsumerNotFound) throw thrown;
    await manager.consumers.add(COMMAND_STREAM, {
      durable_name: name,
      filter_subject: filter,
      ack_policy: AckPolicy.Explicit,
      ack_wait: nanos(ACK_WAIT_MS),
      // Commands from before the first start have timed out, and a tool should not act on them.
      deliver_policy: DeliverPolicy.New,
      // A store may be down for hours. A command that can never succeed gets a failed result, or is dropped, at its first delivery.
      max_deliver: -1,
    });
  }
}

/** Reports that the consumer or its stream was deleted. The client goes on asking for it, in case it comes back. */
async function watchStatus(messages: ConsumerMessages, { onFailure }: CommandSource): Promise<void> {
  for await (const { type } of messages.status()) {
    if (type === 'consumer_deleted' || type === 'consumer_not_found' || type === 'stream_not_found') {
      onFailure(new Error(`NATS reports ${type}: no command arrives until it is there again.`), {
        step: 'consume',
      });
    }
  }
}
