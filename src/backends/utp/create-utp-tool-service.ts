/** An executor of tools for agents of CommonGround (UTP v1r4). */
import type { InboxSource } from '../../server/inbox/inbox-source.ts';
import { reportFailure } from '../../server/report-failure.ts';
import { invalidOptions } from '../../shared/errors.ts';
import { createServiceInbox } from './create-service-inbox.ts';
import type { OpenCalls, UtpOpenCall } from './open-calls.ts';
import { checkServiceOptions, type UtpToolServiceOptions } from './service-options.ts';
import { type ServiceRun, startServiceRun } from './start-service-run.ts';
import type { UtpAnswer } from './to-ending.ts';
import type { UtpReceipt } from './utp-receipt.ts';

/** A running executor. All processes that have the same target share its commands and its open calls. */
export interface UtpToolService {
  /**
   * Starts to take commands. Resolves when the open calls of an earlier run are listed again; answers that it could not deliver are
   * delivered soon after.
   *
   * @throws Error if NATS or the stream of commands cannot be reached.
   */
  start(): Promise<void>;
  /** Takes no more commands, and resolves when the functions that run have ended and their results are delivered. Open calls stay open. */
  stop(): Promise<void>;
  /** The calls that wait for a person, oldest first. */
  listOpenCalls(): readonly UtpOpenCall[];
  /** Calls back whenever the list of open calls may have changed. The returned function ends that. */
  subscribe(listener: () => void): () => void;
  /**
   * Answers a call, once: the first answer counts, and a later one gets `expired`. `principal` is passed to `mayAnswer` of the tool.
   *
   * @throws AgentChatError `invalid_options` if the outcome is no outcome, if the id is ambiguous, or if the service was not started.
   * @throws StepFailure `pending` if the answer could not be stored. The call is open then, and the answer may be sent again.
   */
  answer(toolCallId: string, answer: UtpAnswer, principal?: unknown): Promise<UtpReceipt>;
  /**
   * Says that a conversation asks the call: it leaves the `inbox` of the service, since it is among the questions of that session. Sessions
   * of `createUtpSession` do it by themselves.
   *
   * @throws StepFailure `pending` if that could not be stored.
   */
  assign(call: Pick<UtpOpenCall, 'toolCallId' | 'projectId'>, sessionId: string): Promise<void>;
  /**
   * The open calls that no conversation asks, for `sources` of `handleInboxRequest`. `mayAnswer` of the tool decides who sees and answers a
   * call, and gets the principal of the route. A call of a tool without it is for the person of its channel: `u_ada` is that of `ada`.
   */
  readonly inbox: InboxSource;
}

/**
 * Creates an executor for the commands `cmd.tool.{target}.>`. Nothing happens before `start`.
 *
 * A tool is a function, or `{ interactive: true }` for a question that a person answers with `answer`. Every call gets exactly one
 * `tool.result` card and one accepted report, also if processes die and NATS, the card store or L0 fail in between.
 *
 * @throws AgentChatError `invalid_options` if an option is missing or wrong.
 */
export function createUtpToolService(options: UtpToolServiceOptions): UtpToolService {
  checkServiceOptions(options);
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) reportFailure(listener);
  };
  let starting: Promise<ServiceRun> | undefined;
  let openCalls: OpenCalls | undefined;

  const subscribe = (listener: () => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };

  return {
    inbox: createServiceInbox({ ...options, subscribe, getOpenCalls: () => openCalls }),
    async start() {
      starting ??= startServiceRun(options, notify);
      try {
        openCalls = (await starting).openCalls;
      } catch (thrown) {
        starting = undefined;
        throw thrown;
      }
    },
    async stop() {
      const run = await starting;
      starting = undefined;
      openCalls = undefined;
      await run?.stop();
    },
    listOpenCalls: () => openCalls?.list() ?? [],
    subscribe,
    async assign(call, sessionId) {
      await openCalls?.assign(call, sessionId);
    },
    async answer(toolCallId, answer, principal) {
      if (openCalls === undefined) {
        throw invalidOptions(`answer: start() the service before you answer the call ${toolCallId}.`);
      }
      return openCalls.answer(toolCallId, answer, principal);
    },
  };
}
