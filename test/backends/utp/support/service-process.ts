import type { NatsConnection } from '@nats-io/nats-core';
import { connect } from '@nats-io/transport-node';
import type { Card, CardStore } from '../../../../src/backends/utp/cards.ts';
import type { L0, ToolResultReport } from '../../../../src/backends/utp/l0.ts';

/** The operations of a tool service that reach another system. */
export type Operation =
  | 'cards.get'
  | 'cards.saveResult'
  | 'l0.report'
  | 'claim.write'
  | 'pending.write'
  | 'wakeup'
  | 'ack'
  | 'handler';

/** Says at which operation something happens: the first, unless `skip` are let through before. */
export interface Incident {
  readonly operation: Operation;
  /** Before: the other system never hears of it. After: it did its part, and the service does not learn so. */
  readonly when: 'before' | 'after';
  readonly skip?: number;
  /** Default `crash`: the process is gone. `fail`: the operation rejects, once. */
  readonly kind?: 'crash' | 'fail';
}

/** A process with a connection of its own, which can die in the middle of an operation. A dead one sends nothing any more. */
export interface ServiceProcess {
  readonly nats: NatsConnection;
  readonly cards: CardStore;
  readonly l0: L0;
  /** Resolves when the process has died. */
  readonly died: Promise<void>;
  guard<Value>(operation: Operation, work: () => Promise<Value>): Promise<Value>;
  end(): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 1_000;

/** `-NAK` and `+WPI` go to the same subject. */
function isAck(subject: string, payload: unknown): boolean {
  const text = payload instanceof Uint8Array ? new TextDecoder().decode(payload) : payload;
  return subject.startsWith('$JS.ACK.') && text === '+ACK';
}

const never = () => new Promise<never>(() => {});

export async function startProcess(
  url: string,
  stores: { readonly cards: CardStore; readonly l0: L0 },
  incident?: Incident,
): Promise<ServiceProcess> {
  const nats = await connect({ servers: url, maxReconnectAttempts: -1, reconnectTimeWait: 20 });
  let isDead = false;
  let left = incident?.skip ?? 0;
  let isArmed = incident !== undefined;
  let announce = () => {};
  const died = new Promise<void>((resolve) => {
    announce = resolve;
  });

  const happen = async (): Promise<never> => {
    if (incident?.kind === 'fail')
      throw new Error(`${incident.operation} failed ${incident.when} its effect`);
    isDead = true;
    void nats.close();
    announce();
    return never();
  };
  const guard = async <Value>(operation: Operation, work: () => Promise<Value>): Promise<Value> => {
    if (isDead) return never();
    const isHit = isArmed && operation === incident?.operation;
    if (!isHit || left > 0) {
      if (isHit) left -= 1;
      return work();
    }
    isArmed = false;
    if (incident.when === 'before') return happen();
    await work();
    return happen();
  };

  const request = nats.request.bind(nats);
  nats.request = (subject, payload, options) => {
    const operation = toOperation(subject);
    // A test need not wait as long as an app before it takes a silent server for gone.
    const timeout = Math.min(options?.timeout ?? REQUEST_TIMEOUT_MS, REQUEST_TIMEOUT_MS);
    const send = () => request(subject, payload, { ...options, timeout });
    return operation ? guard(operation, send) : isDead ? never() : send();
  };
  // Acknowledgements go past the methods of the connection.
  const { protocol } = nats as unknown as { protocol: Pick<NatsConnection, 'publish'> };
  const publish = protocol.publish.bind(protocol);
  protocol.publish = (subject, payload, options) => {
    const send = () => publish(subject, payload, options);
    if (isAck(subject, payload)) void guard('ack', async () => send()).catch(() => {});
    else if (!isDead) send();
  };

  return {
    nats,
    died,
    guard,
    cards: {
      get: (projectId, cardId) => guard('cards.get', () => stores.cards.get(projectId, cardId)),
      saveResult: (card: Card) => guard('cards.saveResult', () => stores.cards.saveResult(card)),
    },
    l0: { report: (report: ToolResultReport) => guard('l0.report', () => stores.l0.report(report)) },
    end: () => nats.close(),
  };
}

function toOperation(subject: string): Operation | undefined {
  if (subject.startsWith('$KV.cg_tool_idem_v1.')) return 'claim.write';
  if (subject.startsWith('$KV.handrail_utp_pending_v1.')) return 'pending.write';
  return /\.cmd\.agent\..*\.wakeup$/.test(subject) ? 'wakeup' : undefined;
}
