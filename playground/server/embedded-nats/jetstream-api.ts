/** The JetStream API: requests on `$JS.API.*` with JSON in and out (https://docs.nats.io/reference/reference-protocols/nats_api_reference). */
import type { Broker } from './broker.ts';
import type { ConsumerSettings } from './consumer-config.ts';
import type { JetStream } from './jetstream.ts';
import { JetStreamError, messageNotFound, notSupported } from './jetstream-error.ts';
import { type StoredMessage, toIsoTime } from './message-log.ts';
import { createJsonMessage, type NatsMessage } from './nats-message.ts';
import type { StreamSettings } from './stream-config.ts';

/** An operation gets the tokens of the subject that follow its name. It returns the fields of the answer. */
interface Operation {
  readonly subject: string;
  /** The type of the answer. */
  readonly type: string;
  answer(names: readonly string[], body: unknown): object;
}

/** Without an answer to these, the client would report that JetStream is not enabled. */
const UNSUPPORTED: readonly string[] = [
  '$JS.API.STREAM.UPDATE.*',
  '$JS.API.STREAM.DELETE.*',
  '$JS.API.STREAM.PURGE.*',
  '$JS.API.STREAM.MSG.DELETE.*',
  '$JS.API.STREAM.NAMES',
  '$JS.API.STREAM.LIST',
  '$JS.API.CONSUMER.NAMES.*',
  '$JS.API.CONSUMER.LIST.*',
];

/** Answers the requests of clients from now on. */
export function serveJetStreamApi(broker: Broker, jetStream: JetStream): void {
  for (const operation of createOperations(jetStream)) {
    broker.add({
      filter: operation.subject,
      deliver: (request) => {
        if (request.reply === undefined) return;
        broker.publish(createJsonMessage(request.reply, answerRequest(operation, request)));
      },
    });
  }
}

function createOperations(jetStream: JetStream): readonly Operation[] {
  return [
    // A client asks whether there is JetStream at all.
    { subject: '$JS.API.INFO', type: 'account_info', answer: () => ({}) },
    {
      subject: '$JS.API.STREAM.CREATE.*',
      type: 'stream_create',
      answer: (_, body) => jetStream.addStream(body as StreamSettings).info,
    },
    {
      subject: '$JS.API.STREAM.INFO.*',
      type: 'stream_info',
      answer: ([stream = '']) => jetStream.getStream(stream).info,
    },
    {
      subject: '$JS.API.STREAM.MSG.GET.*',
      type: 'stream_msg_get',
      answer([stream = ''], body) {
        const { seq, last_by_subj = '' } = body as { readonly seq?: number; readonly last_by_subj?: string };
        const { log } = jetStream.getStream(stream);
        const stored = seq === undefined ? log.findLast(last_by_subj) : log.get(seq);
        if (stored === undefined) throw messageNotFound();
        return { message: toWire(stored) };
      },
    },
    {
      // The name of the consumer and its filter may follow, but the body has both.
      subject: '$JS.API.CONSUMER.CREATE.>',
      type: 'consumer_create',
      answer([stream = ''], body) {
        const { config } = body as { readonly config: ConsumerSettings };
        return jetStream.getStream(stream).addConsumer(config).info;
      },
    },
    {
      subject: '$JS.API.CONSUMER.INFO.*.*',
      type: 'consumer_info',
      answer: ([stream = '', name = '']) => jetStream.getStream(stream).getConsumer(name).info,
    },
    {
      subject: '$JS.API.CONSUMER.DELETE.*.*',
      type: 'consumer_delete',
      answer([stream = '', name = '']) {
        jetStream.getStream(stream).deleteConsumer(name);
        return { success: true };
      },
    },
    ...UNSUPPORTED.map((subject) => ({
      subject,
      type: 'unsupported',
      answer() {
        throw notSupported(subject);
      },
    })),
  ];
}

function answerRequest(
  { subject, type, answer }: Operation,
  { subject: address, data }: NatsMessage,
): object {
  const kind = { type: `io.nats.jetstream.api.v1.${type}_response` };
  const prefix = subject.replace(/[*>].*$/, '');
  try {
    const body = data.length > 0 ? JSON.parse(data.toString()) : {};
    return { ...kind, ...answer(address.slice(prefix.length).split('.'), body) };
  } catch (thrown) {
    if (!(thrown instanceof JetStreamError)) throw thrown;
    return { ...kind, error: thrown.toWire() };
  }
}

function toWire({ subject, sequence, headers, data, time }: StoredMessage) {
  return {
    subject,
    seq: sequence,
    ...(headers !== undefined && { hdrs: Buffer.from(headers).toString('base64') }),
    data: data.toString('base64'),
    time: toIsoTime(time),
  };
}
