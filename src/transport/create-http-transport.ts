/** The native wire over HTTP: one `POST` per request, one event stream per response (Octavus wire protocol 2.0, section 4). */

import type { RunCommand, StopCommand } from '../protocol/commands.ts';
import { encodeNativeCommand } from '../protocol/native-encode.ts';
import { type Clock, systemClock } from '../shared/clock.ts';
import type { AgentTransport, TransportIO } from './agent-transport.ts';
import { toHttpError } from './http-error.ts';
import {
  discard,
  type HttpRequestOptions,
  type HttpUrlOptions,
  sendRequest,
  toHttpRequest,
} from './http-request.ts';
import { decodeNativeMessages, readEventStream } from './read-event-stream.ts';
import { type ReconnectOptions, toReconnectPolicy } from './reconnect-policy.ts';
import { readWithResume } from './resume.ts';

/** Options of {@link createHttpTransport} besides how requests are made. */
export interface HttpTransportSettings {
  /**
   * How to read on after a cut, where the server sends cursors (SSE `id` lines). Default: 500 ms doubling up to
   * 30 s, 5 attempts without progress, then `connection_lost`. `false`: a cut stream is an error at once.
   */
  readonly reconnect?: ReconnectOptions | false;
  /** For tests: time under your control. Default: the real clock. */
  readonly clock?: Clock;
  /** For tests: the random number of the jitter, from 0 up to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

export type HttpTransportOptions = (HttpRequestOptions | HttpUrlOptions) & HttpTransportSettings;

const MAX_ATTEMPTS = 5;

/**
 * Talks to an agent by requests: `@octavus/server-sdk`, `handrail/server`, or anything that answers the same payloads
 * with an event stream.
 *
 * Stopping aborts the request, which is how most servers hear of it. A run that can be read on after a cut outlives
 * its connection, so its server is told by a `stop` payload as well.
 *
 * Streams throw `http_error`, `connection_failed`, `invalid_response`, `invalid_event`, and after a cut
 * `connection_lost` or `not_resumable`.
 *
 * @throws AgentChatError `invalid_options` without `request` or `url`.
 */
export function createHttpTransport(options: HttpTransportOptions): AgentTransport {
  const request = toHttpRequest(options);
  const { reconnect, clock = systemClock, random = Math.random } = options;
  const policy = toReconnectPolicy(reconnect, MAX_ATTEMPTS);

  const exchange = (command: RunCommand, io: TransportIO) => {
    const respond = async () => {
      const response = await sendRequest(request, encodeNativeCommand(command), io.signal);
      if (response && !response.ok) throw await toHttpError(response, io.signal, clock);
      return response;
    };
    return readEventStream(respond, io, clock, decodeNativeMessages);
  };

  const run = (command: RunCommand, io: TransportIO) =>
    readWithResume({
      command,
      open: (next) => exchange(next, io),
      io,
      policy,
      clock,
      random,
    });

  return {
    capabilities: { results: 'together', resume: true, stop: true, deadlines: true },
    run,
    async stop(command: StopCommand) {
      if (command.executionId === undefined || command.cursor === undefined) return;
      const { signal } = new AbortController();
      // The run is over for this client either way.
      await sendRequest(request, encodeNativeCommand(command), signal)
        .then(discard)
        .catch(() => {});
    },
  };
}
