import { compact } from '../../../shared/json.ts';
import type { Validation } from '../../../shared/validate.ts';
import type { ToolCall } from '../../state/tool-call.ts';
import type { ChatStore } from '../../store/chat-store.ts';
import { type ApprovalContext, toPermissions } from '../../tools/approval.ts';
import type { ClientToolDefinition, InteractiveTool, Settlement } from '../../tools/client-tool.ts';
import { type CallActions, createInteractiveTool, toExpiry } from '../../tools/create-interactive-tool.ts';
import { describeTool, toDialogDefinition } from '../../tools/find-tool.ts';
import { parseArguments } from '../../tools/parse-arguments.ts';
import type { LiveCalls, LiveCallsContext } from './live-calls.ts';

export interface CallQuestionsContext extends LiveCallsContext, ApprovalContext {
  readonly store: ChatStore;
  /** Performs what a person decides: on this page, or in the tab that owns the conversation. */
  readonly actions: () => CallActions;
}

/** JavaScript has no date after this one, in milliseconds since the epoch. A later deadline never comes. */
const LAST_DATE_MS = 8.64e15;

/**
 * The questions to people: a call that waits is shown, until its time is over. A question whose text changes is another question. It is
 * shown anew, and an answer to the earlier one does not count.
 */
export class CallQuestions {
  readonly #context: CallQuestionsContext;
  readonly #live: LiveCalls;

  constructor(context: CallQuestionsContext, live: LiveCalls) {
    this.#context = context;
    this.#live = live;
  }

  /**
   * Lets a call wait for a person.
   *
   * @param approvalReason why a person has to allow its handler; absent for a call that has none
   */
  ask(
    call: ToolCall,
    tool: ClientToolDefinition | string,
    parsed?: Validation,
    approvalReason?: ToolCall['approvalReason'],
  ): void {
    // The time limit of a handler is not that of the person who allows it: a dialog definition has none then. The limit of this page does
    // not bind the people who may answer elsewhere.
    const isAsked = call.request.mayAnswer !== false;
    const { timeoutMs = Infinity } = (isAsked && toDialogDefinition(tool, approvalReason)) || {};
    const deadline = Math.min(call.requestedAt + timeoutMs, call.request.deadline ?? Infinity);
    const expiresAt = deadline <= LAST_DATE_MS ? deadline : undefined;
    const { store } = this.#context;
    store.change({ type: 'call-waiting', key: call.key, expiresAt, approvalReason });
    const waiting = { ...call, ...compact({ expiresAt, approvalReason }) };
    this.#show(waiting, tool, parsed);
    this.watchDeadline(waiting);
  }

  /** The answer of a person did not count. The call waits for another one, and the person reads why. */
  askAgain(call: ToolCall, refusal: string): Settlement {
    const { store, clock } = this.#context;
    const requestedAt = Math.max(clock.now(), call.requestedAt + 1);
    const again: ToolCall = { ...call, refusal, requestedAt, stage: 'announced' };
    store.change({ type: 'calls-requested', calls: [again] });
    this.#live.cleanUp(call.key);
    this.ask(again, this.#live.tools.find(call.request), undefined, call.approvalReason);
    store.publish();
    return { settled: false, reason: 'invalid-result', issues: [{ message: refusal }] };
  }

  /** Settles the call when its time is over. */
  watchDeadline(call: ToolCall): void {
    const { key, expiresAt } = call;
    const { clock } = this.#context;
    if (expiresAt === undefined) return;
    const expire = () => this.#live.settle(key, toExpiry(call, expiresAt));
    this.#live.onEnd(key, clock.after(expiresAt - clock.now(), expire));
  }

  /** Shows the waiting calls anew whose tools have another text by now: for people they are new questions. */
  readonly refresh = (): void => {
    const { store } = this.#context;
    const redefined = store.read().calls.filter(({ key, request }) => {
      const shown = store.getShown(key);
      return shown && this.#live.tools.isRedefined(request, shown.definition);
    });
    for (const call of redefined) this.#show(call);
    if (redefined.length > 0) store.publish();
  };

  /** Shows the waiting calls that this page did not start: another page did, which stored them, or which owns the conversation now. */
  showWaiting(): void {
    const { store } = this.#context;
    for (const call of store.read().calls) {
      if (call.stage !== 'waiting' || store.getShown(call.key)) continue;
      const show = () => this.#live.isCurrent(call) && this.#show(call);
      if (this.#live.tools.isMissing(call)) this.#live.tools.await(call, show, show);
      else show();
    }
  }

  /** A tool was registered or unregistered: its calls go on, and a question that waits is asked as the tool in force asks it. */
  onToolChanged(toolName: string): void {
    for (const { key, request } of this.#context.store.read().calls) {
      const call = this.#live.find(key);
      if (!call || request.toolName !== toolName || this.#live.tools.isMissing(call)) continue;
      if (!this.#live.tools.arrived(key) && call.stage === 'waiting') this.#show(call);
    }
  }

  /** Creates the object by which a person settles a waiting call, and puts it beside the call. */
  #show(
    call: ToolCall,
    tool = this.#live.tools.find(call.request),
    parsed: Validation = parseArguments(tool, call.request.args),
  ): void {
    const { store, clock } = this.#context;
    const { key, request, requestedAt, approvalReason } = call;
    // The page that started the call has accepted the arguments, or its server has. This page may run an older version of the app.
    const args = 'value' in parsed ? parsed.value : request.args;
    const definition = describeTool(request.toolName, tool);
    const before = store.getShown(key)?.tool.requestedAt;
    const shown: InteractiveTool = createInteractiveTool(
      // The time makes it a new question to people: they have not read this one.
      { ...call, requestedAt: before ? Math.max(clock.now(), +before + 1) : requestedAt },
      args,
      toDialogDefinition(tool, approvalReason),
      toPermissions(call, tool, this.#context),
      { ...this.#context, definition, isEarlier: () => this.#isEarlier(key, shown) },
    );
    store.show(key, { tool: shown, definition, parsed });
  }

  /** Returns true for an answer to an earlier form of the question. The person sees the one of now. */
  #isEarlier(key: string, tool: InteractiveTool): boolean {
    this.refresh();
    return this.#context.store.getShown(key)?.tool !== tool;
  }
}
