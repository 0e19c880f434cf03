import { notSupported } from './jetstream-error.ts';

/** The configuration of a stream, by its names on the wire. Durations are nanoseconds; -1 or 0 is no limit. */
export interface StreamConfig {
  readonly name: string;
  readonly subjects: readonly string[];
  readonly max_age: number;
  readonly max_msgs_per_subject: number;
  /** For this long the stream knows the ids of its messages. */
  readonly duplicate_window: number;
}

/** The settings that a client sends. */
export type StreamSettings = Partial<StreamConfig> & Pick<StreamConfig, 'name'>;

const DEFAULTS = {
  retention: 'limits',
  max_consumers: -1,
  max_msgs: -1,
  max_bytes: -1,
  max_age: 0,
  max_msgs_per_subject: -1,
  max_msg_size: -1,
  discard: 'old',
  storage: 'file',
  num_replicas: 1,
  duplicate_window: 120_000_000_000,
  allow_direct: false,
  mirror_direct: false,
  sealed: false,
  deny_delete: false,
  deny_purge: false,
  allow_rollup_hdrs: false,
};

/** Settings that change what a stream stores, and that this server would not follow: they must be left out, or off. */
const UNSUPPORTED = ['retention', 'max_msgs', 'max_bytes', 'max_msg_size', 'mirror', 'sources'] as const;

/** @throws JetStreamError for a setting that this server does not have. */
export function completeStreamConfig(config: StreamSettings): StreamConfig {
  const complete = { subjects: [config.name], ...DEFAULTS, ...config };
  const defaults: Readonly<Record<string, unknown>> = DEFAULTS;
  const settings: Readonly<Record<string, unknown>> = complete;
  const unsupported = UNSUPPORTED.find((name) => settings[name] !== defaults[name]);
  if (unsupported !== undefined) throw notSupported(`${unsupported}: ${settings[unsupported]}`);
  return complete;
}
