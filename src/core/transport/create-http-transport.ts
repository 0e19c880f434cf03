/** The native wire over HTTP: one `POST` per request, one event stream per response (Octavus wire protocol 2.0, section 4). */

import { type Clock, systemClock } from '../../shared/clock.ts';
import type { OpenCommand, RunCommand, StopCommand } from '../protocol/commands.ts';
import { encodeNativeCommand } from '../protocol/native-encode.ts';
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
import { toQuestion } from './to-question.ts';

/** Options of {@link createHttpTransport} besides how requests are made. */
export interface HttpTransportSettings {
  /**
   * How to resume a run after a cut, if the server sends cursors (SSE `id` lines). Default: 500 ms doubling up to
   * 30 s, 5 attempts without progress, then `connection_lost`. `false`: a stream that was cut is an error at once.
   */
  readonly reconnect?: ReconnectOptions | false;
  /** For tests: time under your control. Default: the real clock. */
  readonly clock?: Clock;
  /** For tests: the source of jitter, from 0 up to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

export type HttpTransportOptions = (HttpRequestOptions | HttpUrlOptions) & HttpTransportSettings;

/**
 * Talks to an agent by requests: `@octavus/server-sdk`, `handrail/server`, or anything that answers the same payloads
 * with an event stream.
 *
 * A stop aborts the request, and most servers end the run then. A run that can be resumed outlives its connection, so its server gets
 * a `stop` payload as well.
 *
 * Streams throw `http_error`, `connection_failed`, `invalid_response`, `invalid_event`, and after a cut
 * `connection_lost` or `not_resumable`.
 *
 * @throws AgentChatError `invalid_options` without `request` or `url`, and for a number of `reconnect` that is not 0 or more.
 */
export function createHttpTransport(options: HttpTransportOptions): AgentTransport {
  const request = toHttpRequest(options);
  const { reconnect, clock = systemClock, random = Math.random } = options;
  const policy = toReconnectPolicy(reconnect);

  const respond = async (command: RunCommand | OpenCommand, { signal }: TransportIO) => {
    const response = await sendRequest(request, encodeNativeCommand(command), signal);
    if (response && !response.ok) throw await toHttpError(response, signal, clock);
    return response;
  };

  const run = (command: RunCommand | OpenCommand, io: TransportIO) =>
    readWithResume({
      command,
      open: (next) => readEventStream(() => respond(next, io), io, clock, decodeNativeMessages),
      io,
      policy,
      clock,
      random,
    });

  return {
    capabilities: {
      results: 'together',
      resume: true,
      stop: true,
      deadlines: true,
      rewind: true,
      open: true,
    },
    run,
    open: run,
    clientTool: toQuestion,
    async stop(command: StopCommand) {
      const outlivesItsConnection = command.executionId ? command.cursor : command.idempotencyKey;
      if (!outlivesItsConnection) return;
      const { signal } = new AbortController();
      // A stop that fails is ignored: the run is over for this client either way.
      await sendRequest(request, encodeNativeCommand(command), signal)
        .then(discard)
        .catch(() => {});
    },
  };
}
