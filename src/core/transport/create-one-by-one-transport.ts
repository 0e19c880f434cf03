/**
 * A kit for backends to which answers are posted one by one, while another request reads the run. It writes once when an answer is posted
 * again, when it counts as delivered, and what the person is told about an answer that does not count.
 */
import { type Clock, systemClock } from '../../shared/clock.ts';
import { repeatUntilTaken, wasRefused } from '../../shared/repeat-until-taken.ts';
import type {
  RespondCommand,
  ResumeCommand,
  StopCommand,
  ToolAnswer,
  TriggerCommand,
} from '../protocol/commands.ts';
import type { AgentEvent, NoticeEvent } from '../protocol/events.ts';
import type { AgentEventStream, AgentTransport, TransportIO } from './agent-transport.ts';
import { type ReconnectOptions, type ReconnectPolicy, toReconnectPolicy } from './reconnect-policy.ts';

/** Options of every transport that is made with the kit. */
export interface OneByOneOptions {
  /**
   * Attempts after a cut or a failed delivery. Default: 500 ms doubling up to 30 s, 5 attempts without progress, then
   * `connection_lost` or the error of the delivery. `false`: no further attempt.
   */
  readonly reconnect?: ReconnectOptions | false;
  /** For tests: a clock under your control. Default: the real clock. */
  readonly clock?: Clock;
  /** For tests: the random numbers of the jitter, from 0 up to 1. Default: `Math.random`. */
  readonly random?: () => number;
}

/** The options with their defaults. */
export interface RetrySettings {
  readonly policy: ReconnectPolicy | false;
  readonly clock: Clock;
  readonly random: () => number;
}

/**
 * - `accepted`: the backend has taken the answer
 * - `duplicate`: it had this answer already
 * - `expired`: the agent waits no longer
 * - `elsewhere`: another page, or another person, had answered the call
 */
export type Delivery = 'accepted' | 'duplicate' | 'expired' | 'elsewhere';

/** One request that posts an answer. */
export interface PostRequest {
  readonly executionId: string;
  readonly answer: ToolAnswer;
  /** True if an earlier request may have brought this answer: if the call has it already, the answer is a `duplicate`. */
  readonly mayHaveArrived: boolean;
}

/** The part that each backend writes itself. */
export interface OneByOneBackend {
  readonly capabilities: Pick<AgentTransport['capabilities'], 'deadlines'>;
  start(command: TriggerCommand, io: TransportIO): AgentEventStream;
  /** Reads a run that was started before, from a cursor on. */
  read(command: ResumeCommand, io: TransportIO): AgentEventStream;
  /** Tells the person what the answer becomes on its way, once for each delivery. */
  noticeOf?(answer: ToolAnswer): NoticeEvent | undefined;
  /** Posts an answer once. Resolves to undefined when the signal aborts. Throws `connection_failed` and `http_error`. */
  post(request: PostRequest, io: TransportIO): Promise<Delivery | undefined>;
  stop(command: StopCommand): Promise<void>;
}

/** @throws AgentChatError `invalid_options` if a number of `reconnect` is none */
export function toRetrySettings({
  reconnect,
  clock = systemClock,
  random = Math.random,
}: OneByOneOptions): RetrySettings {
  return { policy: toReconnectPolicy(reconnect), clock, random };
}

/** @param answering gets the calls whose answers are on their way */
export function createOneByOneTransport(
  backend: OneByOneBackend,
  retry: RetrySettings,
  answering: Set<string> = new Set(),
): AgentTransport {
  /** The answers whose every request so far was refused, so that none of them can have arrived. */
  const refused = new Set<string>();

  async function deliver(executionId: string, answer: ToolAnswer, io: TransportIO) {
    const { signal } = io;
    const key = JSON.stringify([executionId, answer.toolCallId]);
    let mayHaveArrived = answer.repeated === true && !refused.delete(key);
    const post = (hasArrived: boolean) => {
      mayHaveArrived = hasArrived;
      return backend.post({ executionId, answer, mayHaveArrived }, io);
    };
    answering.add(answer.toolCallId);
    try {
      return await repeatUntilTaken(post, { ...retry, signal, mayHaveArrived });
    } catch (thrown) {
      if (!mayHaveArrived && wasRefused(thrown)) refused.add(key);
      throw thrown;
    } finally {
      answering.delete(answer.toolCallId);
    }
  }

  async function* respond({ executionId, answers }: RespondCommand, io: TransportIO) {
    for (const answer of answers) {
      const notice = backend.noticeOf?.(answer);
      if (notice !== undefined) yield [notice];
      const delivery = await deliver(executionId, answer, io);
      if (delivery === undefined || io.signal.aborted) return;
      yield toEvents(delivery, answer);
    }
  }

  return {
    capabilities: { results: 'one-by-one', resume: true, stop: true, ...backend.capabilities },
    run(command, io) {
      switch (command.type) {
        case 'trigger':
          return backend.start(command, io);
        case 'respond':
          return respond(command, io);
        case 'resume':
          return backend.read(command, io);
      }
    },
    stop: (command) => backend.stop(command),
  };
}

/** An answer that does not count is recorded as `expired`, and the person gets a notice; that is no error of the run. */
function toEvents(delivery: Delivery, { toolCallId, toolName }: ToolAnswer): readonly AgentEvent[] {
  const acknowledge = (status: 'accepted' | 'expired' | 'duplicate'): AgentEvent => ({
    type: 'tool-result-acknowledged',
    toolCallId,
    status,
  });
  switch (delivery) {
    case 'accepted':
    case 'duplicate':
      return [acknowledge(delivery)];
    case 'expired': {
      const text = `The answer to ${toolName} came too late: the agent waits no longer.`;
      return [acknowledge('expired'), { type: 'notice', code: 'answer_expired', text, toolCallId }];
    }
    case 'elsewhere': {
      const text = `The answer to ${toolName} was not used: the call was answered elsewhere first.`;
      return [acknowledge('expired'), { type: 'notice', code: 'answered_elsewhere', text, toolCallId }];
    }
  }
}
