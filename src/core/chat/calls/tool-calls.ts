/**
 * The calls of the current turn, as their requests, the backend and the end of the turn see them.
 *
 * The files beside this one have the life of a call, in its order: `call-tools.ts` finds its tool, `call-starts.ts` runs its handler,
 * `call-questions.ts` asks a person, `call-answers.ts` takes what the person decides, and `live-calls.ts` gives the call its one outcome.
 */

import { isAskedAgain } from '../../../shared/answer-refusals.ts';
import { deepEqual } from '../../../shared/deep-equal.ts';
import type { AgentChatError } from '../../../shared/errors.ts';
import { isGivenByPerson } from '../../../shared/tool-outcome.ts';
import type { ClientToolRequestEvent, ToolResultAcknowledgedEvent } from '../../protocol/events.ts';
import { isOpen, isRedacted, type ToolCall, toolCallKey } from '../../state/tool-call.ts';
import { outcomes } from '../../tools/outcomes.ts';
import { toToolCalls } from '../../tools/to-tool-calls.ts';
import { CallAnswers } from './call-answers.ts';
import { CallQuestions } from './call-questions.ts';
import { CallStarts, type CallStartsContext } from './call-starts.ts';
import { CallTools, type CallToolsContext } from './call-tools.ts';
import { LiveCalls } from './live-calls.ts';

export type ToolCallsContext = CallStartsContext & CallToolsContext;

export class ToolCalls {
  readonly #context: ToolCallsContext;
  readonly #live: LiveCalls;
  readonly #starts: CallStarts;
  readonly questions: CallQuestions;
  readonly answers: CallAnswers;

  constructor(context: ToolCallsContext) {
    this.#context = context;
    this.#live = new LiveCalls(context, new CallTools(context));
    this.questions = new CallQuestions(context, this.#live);
    this.#starts = new CallStarts(context, this.#live, this.questions);
    this.answers = new CallAnswers(context, this.#live, this.questions, this.#starts);
  }

  /** Starts the calls of a request. Calls that are known already stay as they are, unless their question is another one. */
  begin(event: ClientToolRequestEvent): void {
    const { store, clock } = this.#context;
    const calls = toToolCalls(event, clock.now()).filter((call) => this.#isNew(call));
    store.change({ type: 'calls-requested', calls });
    for (const call of calls) {
      this.#live.cleanUp(call.key);
      this.#starts.start(call);
    }
  }

  /**
   * A question of the server that says something else of its tool is a new one, whatever was answered to the earlier one. A call of this page
   * runs once, whatever an event says.
   */
  #isNew({ key, request }: ToolCall): boolean {
    const known = this.#live.find(key);
    const isOfServer = request.executedBy === 'server';
    return known === undefined || (isOfServer && known.request.definition !== request.definition);
  }

  /** Settles the open calls of a turn that is over, or those that the agent no longer asks. Neither delivers nor publishes anything. */
  settleOpen(outcome: 'aborted' | 'expired' | 'superseded', except: readonly string[] = []): void {
    for (const { key } of this.#context.store.read().calls) {
      const call = this.#live.find(key);
      if (call && isOpen(call) && !except.includes(key))
        this.#live.close(call, outcomes[outcome](), 'nobody');
    }
  }

  /**
   * The server may have refused an answer only, and wait for another one: then the call waits again, shows why, and the other answers are
   * sent once more. Returns the ids of the calls, of which any other error has none.
   */
  onRefused(keys: readonly string[], { backendCode, message, tool }: AgentChatError): readonly string[] {
    const { store, clock } = this.#context;
    const isRefused = ({ key, request }: ToolCall) =>
      keys.includes(key) && request.toolCallId === (tool?.callId ?? request.toolCallId);
    const refused = store.read().calls.filter(isRefused);
    if (refused.length === 0 || !isAskedAgain(backendCode)) return [];
    const mayAnswer = backendCode === 'not_allowed' && { mayAnswer: false as const };
    store.change({ type: 'calls-lost', keys });
    this.#starts.openAgain(
      refused.map(({ approval: _, request, ...call }) => ({
        ...call,
        request: { ...request, ...mayAnswer },
      })),
      // The time makes it a new question to people: the dialog of the earlier one has been answered.
      { refusal: message, requestedAt: clock.now() },
    );
    return refused.map(({ request }) => request.toolCallId);
  }

  /**
   * The agent no longer waits for this call. Returns true if the call was still open, and the backend does not say how it was answered. An
   * answer that turns out not to count is reported again: as `expired`, or as the answer of the person who was first.
   */
  onAcknowledged(event: ToolResultAcknowledgedEvent): boolean {
    const { store } = this.#context;
    const key = toolCallKey(store.read().executionId ?? '', event.toolCallId);
    const before = this.#live.find(key);
    if (!before?.answer && !event.answeredBy && !event.outcome)
      return this.#live.settle(key, outcomes.expired()).settled;
    store.change({ type: 'event', event });
    const call = this.#live.find(key);
    const toReport = (one?: ToolCall) => [one?.answer, one?.answeredBy];
    if (!call?.answer || deepEqual(toReport(call), toReport(before))) return false;
    this.#live.end(call, call.answer, isGivenByPerson(call.answer.outcome) ? 'person' : 'nobody');
    store.publish();
    return false;
  }

  /**
   * Opens two kinds of settled calls again: calls whose stored answer lost its secrets and therefore cannot be sent, and
   * those of `keys` that expired only because their stream was cut while the backend still waits.
   */
  reopen(keys: readonly string[] = []): void {
    const { store, clock } = this.#context;
    const isStillAwaited = ({ key, answer, request }: ToolCall) =>
      answer?.outcome === 'expired' && keys.includes(key) && (request.deadline ?? Infinity) > clock.now();
    const isLost = (call: ToolCall) => isStillAwaited(call) || isRedacted(call.answer);
    this.#starts.openAgain(store.read().calls.filter((call) => call.stage === 'settled' && isLost(call)));
  }

  /** Goes on with the open calls of a conversation that was restored from a storage. */
  restore(): void {
    this.#starts.restore();
  }

  /** Ends timers, policies and handlers without settling their calls: another tab goes on with them. */
  detach(): void {
    this.#live.detach();
  }
}
