/**
 * The calls of the current turn: runs their handlers, lets them wait for a person, and settles them.
 *
 * Every outcome passes through `#settle` (or `settleOpen`, at the end of a turn). The first outcome of a call counts; later ones
 * are refused.
 */

import { isAskedAgain } from '../../shared/answer-refusals.ts';
import type { Clock } from '../../shared/clock.ts';
import { deepEqual } from '../../shared/deep-equal.ts';
import type { AgentChatError } from '../../shared/errors.ts';
import { compact, hasOwn } from '../../shared/json.ts';
import { isGivenByPerson } from '../../shared/tool-outcome.ts';
import { describeIssues, type Validation } from '../../shared/validate.ts';
import type {
  ClientToolRequestEvent,
  PendingToolCall,
  ToolResultAcknowledgedEvent,
} from '../protocol/events.ts';
import { findCall } from '../state/conversation.ts';
import {
  type CallApproval,
  isAskedHere,
  isOpen,
  isRedacted,
  type ToolCall,
  type ToolCallAnswer,
  toolCallKey,
  visibleResult,
} from '../state/tool-call.ts';
import type { ChatStore } from '../store/chat-store.ts';
import {
  type ApprovalContext,
  decideApproval,
  isOncePerConversation,
  needsApproval,
  toPermissions,
} from '../tools/approval.ts';
import type { ChoiceMemory } from '../tools/choice-memory.ts';
import type {
  AutomaticToolDefinition,
  ClientToolDefinition,
  ClientTools,
  InteractiveTool,
  Settlement,
} from '../tools/client-tool.ts';
import {
  type CallActions,
  createInteractiveTool,
  toExpiry,
  toRefusal,
  type Yes,
} from '../tools/create-interactive-tool.ts';
import { type Edit, parseEdit } from '../tools/edit-arguments.ts';
import { describeTool, findTool, joinTools, toDialogDefinition } from '../tools/find-tool.ts';
import { MissingTools } from '../tools/missing-tools.ts';
import { outcomes } from '../tools/outcomes.ts';
import { parseArguments, toInvalidArguments } from '../tools/parse-arguments.ts';
import { redactArgs } from '../tools/redact-result.ts';
import { runHandler, type UploadFile } from '../tools/run-handler.ts';
import { type AnsweredBy, type SettledCall, toSettledCall } from '../tools/settled-call.ts';
import { toToolCalls } from '../tools/to-tool-calls.ts';
import type { AgentTransport } from '../transport/agent-transport.ts';

export interface ToolCallsContext {
  readonly store: ChatStore;
  readonly clock: Clock;
  readonly transport: Pick<AgentTransport, 'clientTool'>;
  readonly conversationId: () => string;
  /** The options as they are right now. */
  readonly options: () => {
    readonly rememberedChoices?: ChoiceMemory;
    readonly registrationGraceMs?: number;
  };
  /** The tools of the page by name, as they are right now. */
  readonly tools: () => ClientTools;
  /** Uploads a file that a handler adds to its result. */
  readonly upload: UploadFile;
  /** Performs what a person decides: on this page, or in the tab that owns the conversation. */
  readonly actions: () => CallActions;
  /**
   * Called after a call was settled, `byPerson` if a person answered it or allowed its handler; also after a policy decided
   * that a call waits for a person.
   */
  readonly onProgress: (byPerson: boolean) => void;
  readonly onCallSettled: (call: SettledCall) => void;
  readonly onError: (error: AgentChatError) => void;
}

/** JavaScript has no date after this one, in milliseconds since the epoch. A later deadline never comes. */
const LAST_DATE_MS = 8.64e15;

const OTHER_VERSION =
  'The tab that runs this conversation has another version of the app, so this answer did not count. Reload this tab, or answer in the other one';

type ParsedArguments = Extract<Validation, { value: unknown }>;

export class ToolCalls {
  readonly #context: ToolCallsContext;
  /** What ends the timer, the policy or the handler of an open call. */
  readonly #cleanups = new Map<string, () => void>();
  readonly #missing: MissingTools;

  constructor(context: ToolCallsContext) {
    this.#context = context;
    this.#missing = new MissingTools(context.clock);
  }

  /** Starts the calls of a request. Calls that are known already stay as they are, unless their question is another one. */
  begin(event: ClientToolRequestEvent): void {
    const { store, clock } = this.#context;
    const calls = toToolCalls(event, clock.now()).filter((call) => this.#isNew(call));
    store.change({ type: 'calls-requested', calls });
    for (const call of calls) {
      this.#cleanups.get(call.key)?.();
      this.#start(call);
    }
  }

  /**
   * A question of the server that says something else of its tool is a new one, whatever was answered to the earlier one. A call of this page
   * runs once, whatever an event says.
   */
  #isNew({ key, request }: ToolCall): boolean {
    const known = this.#find(key);
    const isOfServer = request.executedBy === 'server';
    return known === undefined || (isOfServer && known.request.definition !== request.definition);
  }

  /** Settles the open calls of a turn that is over, or those that the agent no longer asks. Neither delivers nor publishes anything. */
  settleOpen(outcome: 'aborted' | 'expired' | 'superseded', except: readonly string[] = []): void {
    for (const { key } of this.#context.store.read().calls) {
      const call = this.#find(key);
      if (call && isOpen(call) && !except.includes(key)) this.#close(call, outcomes[outcome](), 'nobody');
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
    this.#openAgain(
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
    const before = this.#find(key);
    if (!before?.answer && !event.answeredBy && !event.outcome)
      return this.#settle(key, outcomes.expired()).settled;
    store.change({ type: 'event', event });
    const call = this.#find(key);
    const toReport = (one?: ToolCall) => [one?.answer, one?.answeredBy];
    if (!call?.answer || deepEqual(toReport(call), toReport(before))) return false;
    this.#end(call, call.answer, isGivenByPerson(call.answer.outcome) ? 'person' : 'nobody');
    store.publish();
    return false;
  }

  /**
   * Settles a waiting call for a person, or for nobody if its question could not be shown; `tabId` names the tab in which the
   * person answered, if that is another one.
   */
  settle(key: string, answer: ToolCallAnswer, tabId?: string): Settlement {
    const call = this.#find(key);
    // A person may have allowed the call in one tab and declined it in another before that tab heard of it.
    const by = answer.outcome === 'failed' ? 'nobody' : 'person';
    return call?.stage === 'waiting' ? this.#settle(key, answer, by, tabId) : toRefusal(call);
  }

  /** Takes an answer back that was not sent: the call waits again, with what was typed. */
  takeBack(key: string): void {
    const call = this.#find(key);
    if (!call?.byPerson || call.stage !== 'settled' || call.sent) return;
    const { answer, savedInput = answer && visibleResult(answer) } = call;
    this.#openAgain([call], { savedInput, requestedAt: this.#context.clock.now() });
    this.#context.store.publish();
  }

  /** Runs the handler of a waiting call because a person allowed it; `tabId` as for `settle`. */
  approve(key: string, { definition, reason, edit }: Yes, tabId?: string): Settlement {
    const call = this.#find(key);
    if (call?.stage !== 'waiting' || !call.approvalReason) return toRefusal(call);
    const tool = this.#findTool(call.request);
    const isOther = typeof tool !== 'string' && definition !== describeTool(call.request.toolName, tool);
    // The person has answered in a tab with another version of the app, or of its schema.
    if (isOther) return this.#askAgain(call, OTHER_VERSION);
    const parsed = edit && this.#parseEdit(call, tool, edit);
    if (parsed && 'issues' in parsed) return this.#askAgain(call, describeIssues(parsed.issues));
    this.#allow(call, compact({ by: 'person' as const, tabId, definition, reason }), parsed, edit?.args);
    const isGeneral = call.approvalReason === 'policy' && edit === undefined;
    if (isGeneral && isOncePerConversation(tool)) this.#approveOthersOf(definition);
    this.#context.store.publish();
    return { settled: true };
  }

  /**
   * Declines, with these words, every waiting call that this person may answer. What was typed into them is kept for the next call of the
   * tool. Returns false if no call waited for this person any more.
   */
  reply(words: string, tabId?: string): boolean {
    const { store, clock } = this.#context;
    let isAnswered = false;
    for (const call of store.read().calls.filter(isAskedHere)) {
      const { key, expiresAt = Infinity } = call;
      if (clock.now() >= expiresAt) {
        this.#settle(key, toExpiry(call, expiresAt));
        continue;
      }
      store.change({ type: 'input-kept', key });
      if (this.settle(key, outcomes.declined(words, undefined), tabId).settled) isAnswered = true;
    }
    return isAnswered;
  }

  /** Shows the waiting calls anew whose tools have another text by now: for people they are new questions. */
  readonly refresh = (): void => {
    const { store } = this.#context;
    const redefined = store.read().calls.filter((call) => this.#isRedefined(call));
    for (const call of redefined) this.#show(call);
    if (redefined.length > 0) store.publish();
  };

  /** Shows the waiting calls that this page did not start: another page did, which stored them, or which owns the conversation now. */
  showWaiting(): void {
    const { store } = this.#context;
    for (const call of store.read().calls) {
      if (call.stage !== 'waiting' || store.getShown(call.key)) continue;
      const show = () => this.#isCurrent(call) && this.#show(call);
      if (this.#isMissing(call)) this.#awaitTool(call, show, show);
      else show();
    }
  }

  /** A tool was registered or unregistered: its calls go on, and a question that waits is asked as the tool in force asks it. */
  onToolChanged(toolName: string): void {
    for (const { key, request } of this.#context.store.read().calls) {
      const call = this.#find(key);
      if (!call || request.toolName !== toolName || this.#isMissing(call)) continue;
      if (!this.#missing.arrived(key) && call.stage === 'waiting') this.#show(call);
    }
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
    this.#openAgain(store.read().calls.filter((call) => call.stage === 'settled' && isLost(call)));
  }

  /** Goes on with the open calls of a conversation that was restored from a storage. */
  restore(): void {
    for (const call of this.#context.store.read().calls.filter(isOpen)) this.#continue(call);
  }

  /** Ends timers, policies and handlers without settling their calls: another tab goes on with them. */
  detach(): void {
    for (const cleanup of this.#cleanups.values()) cleanup();
    this.#cleanups.clear();
    this.#missing.clear();
  }

  #find(key: string): ToolCall | undefined {
    return findCall(this.#context.store.read(), key);
  }

  /** True if the call still stands as it did: the handler of an earlier call may have stopped the turn or begun another one. */
  #isCurrent({ key, stage }: ToolCall): boolean {
    return this.#find(key)?.stage === stage;
  }

  #findTool(request: PendingToolCall): ClientToolDefinition | string {
    const { transport, tools } = this.#context;
    return joinTools(findTool(tools(), request.toolName), transport.clientTool?.(request));
  }

  /** True if this page has no tool for a call that it has to answer. A component may bring the tool. */
  #isMissing({ request }: ToolCall): boolean {
    const isKnown = hasOwn(this.#context.tools(), request.toolName) || request.mayAnswer === false;
    return !isKnown && typeof this.#findTool(request) === 'string';
  }

  #awaitTool({ key }: ToolCall, goOn: () => void, giveUp: () => void): void {
    this.#missing.await(key, this.#context.options().registrationGraceMs, goOn, giveUp);
  }

  /** A tool that is missing was not redefined: a component that brings it may be back at once. */
  #isRedefined({ key, request }: ToolCall): boolean {
    const shown = this.#context.store.getShown(key);
    const tool = this.#findTool(request);
    return (
      shown !== undefined &&
      typeof tool !== 'string' &&
      shown.definition !== describeTool(request.toolName, tool)
    );
  }

  /** Returns true for an answer to an earlier form of the question. The person sees the one of now. */
  #isEarlier(key: string, tool: InteractiveTool): boolean {
    this.refresh();
    return this.#context.store.getShown(key)?.tool !== tool;
  }

  /** The answer of a person did not count. The call waits for another one, and the person reads why. */
  #askAgain(call: ToolCall, refusal: string): Settlement {
    const { store, clock } = this.#context;
    const requestedAt = Math.max(clock.now(), call.requestedAt + 1);
    const again: ToolCall = { ...call, refusal, requestedAt, stage: 'announced' };
    store.change({ type: 'calls-requested', calls: [again] });
    this.#cleanups.get(call.key)?.();
    this.#wait(again, this.#findTool(call.request), undefined, call.approvalReason);
    store.publish();
    return { settled: false, reason: 'invalid-result', issues: [{ message: refusal }] };
  }

  #openAgain(settled: readonly ToolCall[], changes?: Partial<ToolCall>): void {
    const calls = settled.map(
      ({ answer: _, byPerson: __, ...call }): ToolCall => ({ ...call, ...changes, stage: 'announced' }),
    );
    if (calls.length === 0) return;
    this.#context.store.change({ type: 'calls-requested', calls });
    for (const call of calls) this.#continue(call);
  }

  /** Returns the parsed arguments of a call; undefined if its tool refuses them, which settles the call. */
  #parse(tool: ClientToolDefinition | string, call: ToolCall): ParsedArguments | undefined {
    const parsed = parseArguments(tool, call.request.args);
    if (!('issues' in parsed)) return parsed;
    this.#settle(call.key, toInvalidArguments(call, parsed.issues));
    return undefined;
  }

  #settle(key: string, answer: ToolCallAnswer, by: AnsweredBy = 'automatic', tabId?: string): Settlement {
    const { store, onProgress } = this.#context;
    const call = this.#find(key);
    if (!call || !isOpen(call)) return toRefusal(call);
    this.#close(call, answer, by, tabId);
    onProgress(by === 'person' || call.approval?.by === 'person');
    // A person who looks at a question has to see at once that it is over. The rest can wait for the next frame.
    if (call.stage === 'waiting') store.publish();
    return { settled: true };
  }

  #close(call: ToolCall, answer: ToolCallAnswer, by: AnsweredBy, tabId?: string): void {
    this.#context.store.change({ type: 'call-settled', key: call.key, answer, tabId });
    this.#end(call, answer, by, tabId);
  }

  /** Ends what runs for a call that has its answer, and reports the answer. */
  #end(call: ToolCall, answer: ToolCallAnswer, by: AnsweredBy, tabId?: string): void {
    const { clock, onCallSettled } = this.#context;
    const { key } = call;
    const cleanup = this.#cleanups.get(key);
    this.#cleanups.delete(key);
    cleanup?.();
    this.#missing.forget(key);
    const tool = this.#findTool(call.request);
    const definition = typeof tool === 'string' ? undefined : tool;
    onCallSettled(toSettledCall(call, answer, definition, by, clock.now(), tabId));
  }

  /**
   * @param approval who allowed the handler to run, if it had to be allowed
   * @param mayRun whether the tool's policy has been passed; default: if somebody allowed the handler
   * @param known the parsed arguments, if the call was shown with them
   */
  #start(
    call: ToolCall,
    approval = call.approval,
    mayRun = approval !== undefined,
    known?: ParsedArguments,
    editedArgs?: ToolCall['request']['args'],
  ): void {
    if (!this.#isCurrent(call)) return;
    const tool = this.#findTool(call.request);
    if (call.request.mayAnswer === false) return this.#wait(call, tool);
    if (typeof tool === 'string') {
      const fail = () => void this.#settle(call.key, outcomes.failed(tool));
      // A yes that was given to the tool that has gone must not run the one that comes.
      if (call.stage === 'waiting' || !this.#isMissing(call)) return fail();
      return this.#awaitTool(call, () => this.#start(call, approval, mayRun, known), fail);
    }
    const parsed = known ?? this.#parse(tool, call);
    if (!parsed) return;
    if (!('execute' in tool)) return this.#wait(call, tool, parsed);
    if (!mayRun && needsApproval(tool)) return this.#askForApproval(call, tool, parsed.value);
    this.#run(call, tool, parsed.value, approval, editedArgs);
  }

  /**
   * Runs the handler of a waiting call with the arguments that were shown: what a person reads is what runs.
   *
   * @param edited the arguments as the person corrected them, where they did
   */
  #allow(call: ToolCall, approval: CallApproval, edited?: ParsedArguments, editedArgs?: Edit['args']): void {
    const { parsed } = this.#context.store.getShown(call.key) ?? {};
    const shown = parsed && 'value' in parsed ? parsed : undefined;
    this.#start(call, approval, true, edited ?? shown, editedArgs);
  }

  #parseEdit({ key, request }: ToolCall, tool: ClientToolDefinition | string, edit: Edit): Validation {
    const { args, parsed } = edit;
    const shown = this.#context.store.getShown(key)?.tool.args;
    if (parsed !== undefined) return { value: parsed };
    return parseEdit(typeof tool === 'string' ? {} : tool, request.args, shown, args);
  }

  #run(
    { key }: ToolCall,
    tool: AutomaticToolDefinition,
    args: unknown,
    approval?: CallApproval,
    editedArgs?: Edit['args'],
  ): void {
    const { store, clock, onError } = this.#context;
    // A person has allowed the call: the time limit of the question is over.
    this.#cleanups.get(key)?.();
    const shownArgs = redactArgs(editedArgs, tool) as Edit['args'] | undefined;
    const redactedArgs = shownArgs === editedArgs ? undefined : shownArgs;
    store.change({ type: 'call-running', key, approval, editedArgs, redactedArgs });
    runHandler(this.#find(key) as ToolCall, tool, args, {
      clock,
      onError,
      upload: this.#context.upload,
      report: (progress) => store.change({ type: 'call-progress', key, progress }),
      settle: (_, answer) => this.#settle(key, { ...answer, ...compact({ reason: approval?.reason }) }),
      onStart: (end) => this.#cleanups.set(key, end),
    });
  }

  #askForApproval(call: ToolCall, tool: AutomaticToolDefinition, args: unknown): void {
    const { store, onProgress } = this.#context;
    const abort = new AbortController();
    this.#cleanups.set(call.key, () => abort.abort());
    void decideApproval(call, tool, args, abort.signal, this.#approvalContext()).then((decision) => {
      // The call was settled meanwhile.
      if (abort.signal.aborted) return;
      if (typeof decision === 'object') {
        this.#settle(call.key, decision, 'remembered');
      } else if (decision === 'ask') {
        this.#wait(call, tool, { value: args }, 'policy');
        store.publish();
        onProgress(false);
      } else {
        const definition = describeTool(call.request.toolName, tool);
        this.#run(call, tool, args, decision === 'allowed' ? { by: 'remembered', definition } : undefined);
      }
    });
  }

  #approvalContext(): ApprovalContext {
    const { store, clock, conversationId, options } = this.#context;
    return {
      clock,
      conversationId: conversationId(),
      rememberedChoices: options().rememberedChoices,
      isAllowed: (definition) => store.read().allowedTools.includes(definition),
    };
  }

  /** Runs the other waiting calls of a tool of which a person allowed one for the whole conversation. */
  #approveOthersOf(definition: string): void {
    const { store } = this.#context;
    for (const call of store.read().calls) {
      const isCovered = call.stage === 'waiting' && call.approvalReason === 'policy';
      if (isCovered && store.getShown(call.key)?.definition === definition)
        this.#allow(call, { by: 'remembered', definition });
    }
  }

  #wait(
    call: ToolCall,
    tool: ClientToolDefinition | string,
    parsed?: ParsedArguments,
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
    this.#show({ ...call, ...compact({ expiresAt, approvalReason }) }, tool, parsed);
    this.#watchDeadline(call, expiresAt);
  }

  /** Creates the object by which a person settles a waiting call, and puts it beside the call. */
  #show(
    call: ToolCall,
    tool = this.#findTool(call.request),
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
      toPermissions(call, tool, this.#approvalContext()),
      { ...this.#context, definition, isEarlier: () => this.#isEarlier(key, shown) },
    );
    store.show(key, { tool: shown, definition, parsed });
  }

  #watchDeadline(call: ToolCall, expiresAt: number | undefined): void {
    const { clock } = this.#context;
    if (expiresAt === undefined) return;
    const expire = () => this.#settle(call.key, toExpiry(call, expiresAt));
    this.#cleanups.set(call.key, clock.after(expiresAt - clock.now(), expire));
  }

  #restoreWaiting(call: ToolCall): void {
    const { request, expiresAt } = call;
    if (request.mayAnswer === false || this.#parse(this.#findTool(request), call))
      this.#watchDeadline(call, expiresAt);
  }

  /** Goes on with an open call: it waits for a person, has not started, or its handler ran when the page was left. */
  #continue(call: ToolCall): void {
    if (!this.#isCurrent(call)) return;
    if (call.stage === 'waiting') return this.#restoreWaiting(call);
    const tool = this.#findTool(call.request);
    if (this.#isMissing(call)) {
      const fail = () => void this.#settle(call.key, outcomes.failed(String(tool)));
      return this.#awaitTool(call, () => this.#continue(call), fail);
    }
    // The call expired while a person was asked whether its handler may run, so the handler never ran.
    const wasAsked = call.approvalReason === 'policy' && call.approval === undefined;
    if (typeof tool === 'string' || 'interactive' in tool || wasAsked) return this.#start(call);
    const { onRestore = tool.idempotent ? 'rerun' : 'ask' } = tool;
    // The yes to the call was about another text of the tool.
    const isOther = call.approval && call.approval.definition !== describeTool(call.request.toolName, tool);
    switch (onRestore === 'rerun' && isOther ? 'ask' : onRestore) {
      case 'rerun':
        return this.#start(call, call.approval, call.approval !== undefined || call.stage === 'running');
      case 'fail':
        return void this.#settle(call.key, outcomes.failed('The page was left before the tool had finished'));
      case 'ask': {
        const parsed = this.#parse(tool, call);
        return parsed && this.#wait(call, tool, parsed, 'interrupted');
      }
    }
  }
}
