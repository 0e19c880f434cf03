import { notSupported } from './jetstream-error.ts';

const DELIVER_POLICIES = ['all', 'new', 'last_per_subject', 'by_start_sequence', 'by_start_time'] as const;

/** The configuration of a consumer, by its names on the wire. Durations are nanoseconds. */
export interface ConsumerConfig {
  readonly name: string;
  /** A durable consumer stays until it is deleted. */
  readonly durable_name?: string;
  readonly filter_subject: string;
  readonly deliver_policy: (typeof DELIVER_POLICIES)[number];
  readonly opt_start_seq?: number;
  readonly opt_start_time?: string;
  readonly ack_policy: 'none' | 'explicit';
  readonly ack_wait: number;
  /** -1 is no limit. */
  readonly max_deliver: number;
  readonly max_ack_pending: number;
  readonly headers_only?: boolean;
  /** Messages are pushed to this subject. Without it, a client asks for them. */
  readonly deliver_subject?: string;
  readonly idle_heartbeat?: number;
  /** A consumer that is not durable ends when nobody used it for this long. */
  readonly inactive_threshold: number;
}

/** The settings that a client sends. */
export type ConsumerSettings = Partial<ConsumerConfig>;

const DEFAULTS = {
  filter_subject: '>',
  deliver_policy: 'all',
  ack_policy: 'none',
  ack_wait: 30_000_000_000,
  max_deliver: -1,
  max_ack_pending: 1_000,
  inactive_threshold: 5_000_000_000,
  replay_policy: 'instant',
  num_replicas: 0,
} as const;

/** Settings that this server would not follow. */
const UNSUPPORTED = ['filter_subjects', 'deliver_group', 'backoff'] as const;

/** @throws JetStreamError for a setting that this server does not have. */
export function completeConsumerConfig(config: ConsumerSettings): ConsumerConfig {
  const complete = { ...DEFAULTS, ...config, name: config.durable_name ?? config.name ?? '' };
  const unsupported = UNSUPPORTED.find((name) => name in config);
  if (unsupported !== undefined) throw notSupported(unsupported);
  if (!DELIVER_POLICIES.includes(complete.deliver_policy))
    throw notSupported(`deliver_policy: ${complete.deliver_policy}`);
  if (complete.ack_policy !== 'none' && complete.ack_policy !== 'explicit')
    throw notSupported(`ack_policy: ${complete.ack_policy}`);
  return complete;
}
