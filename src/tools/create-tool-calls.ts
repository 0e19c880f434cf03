/**
 * Runs, asks and settles the calls of the current turn. `settle` is the only gate: whoever comes first passes,
 * everybody later is told so.
 */

import type { ChatActions } from '../chat/chat-actions.ts';
import type { RequestContext } from '../chat/requests.ts';
import type { ClientToolRequestEvent } from '../protocol/events.ts';
import { compact } from '../shared/json.ts';
import { findCall } from '../state/conversation.ts';
import {
  type CallApproval,
  isOpen,
  isRedacted,
  type ToolCall,
  type ToolCallAnswer,
  toolCallKey,
  toToolCalls,
} from '../state/tool-call.ts';
import type { ChatStore } from '../store/chat-store.ts';
import type { AutomaticToolDefinition, InteractiveTool, Settlement } from './client-tool.ts';
import { createInteractiveTool, expiryOf, refuseSettled } from './create-interactive-tool.ts';
import { askingOf, type Definition, findTool, invalidArguments, parseArgs } from './find-tool.ts';
import { answers } from './outcomes.ts';
import { prepareHandler } from './run-handler.ts';
import { type AnsweredBy, type SettledCall, toSettledCall } from './settled-call.ts';
import { type PolicyContext, rulesOf } from './tool-rules.ts';

interface ToolCallsContext extends PolicyContext, RequestContext {
  /** Who settles calls that wait for a person: this page, or the tab that runs the conversation. */
  readonly actions: () => ChatActions;
  /** A call settled, `byPerson` when a person answered it or let it run; or it waits for one from now on. */
  readonly onSettled: (byPerson: boolean) => void;
  readonly onCallSettled: (call: SettledCall) => void;
}

/** What tool calls lend to take up those of a conversation that was kept while the page was away. */
export interface LentCalls {
  readonly store: ChatStore;
  readonly cleanups: ReadonlyMap<string, () => void>;
  readonly isPast: (call: ToolCall) => boolean;
  readonly toolOf: (call: ToolCall) => Definition | string;
  readonly settle: (key: string, answer: ToolCallAnswer) => void;
  readonly watch: (call: ToolCall, expiresAt: number | undefined) => void;
  readonly takeUp: (call: ToolCall) => void;
}

export interface ToolCalls {
  /** Takes a request of the agent. Calls seen before are left as they are. */
  begin(event: ClientToolRequestEvent): void;
  /** Settles every call that has no outcome yet, because their turn is over: nothing is delivered or published. */
  settleOpen(outcome: 'aborted' | 'expired' | 'superseded'): void;
  /** The agent waits no longer for this call. Whether it has no answer yet: then somebody else has given one. */
  forgo(toolCallId: string): boolean;
  /** Settles a call on behalf of a person, who may have answered in another tab. */
  settle(key: string, answer: ToolCallAnswer, tabId?: string): Settlement;
  /** Runs the handler of a call that asks whether to, on behalf of a person, who may have said so in another tab. */
  approve(key: string, tabId?: string): void;
  bind(call: ToolCall): InteractiveTool;
  /**
   * Asks again for answers that are to be delivered and were not kept whole, and for those of these calls that expired with
   * the stream of their run: it still waits for them.
   */
  askAgain(keys?: readonly string[]): void;
  /** For what is loaded with what keeps conversations, see `restore-turn.ts`. */
  lend(work: (calls: LentCalls) => void): void;
}

export function createToolCalls(context: ToolCallsContext): ToolCalls {
  const { options, transport, store, clock, onSettled, onCallSettled } = context;
  const toolOf = ({ request }: ToolCall): Definition | string =>
    transport.clientTool?.(request) ?? findTool(options().clientTools ?? {}, request.toolName);
  const find = (key: string) => findCall(store.read(), key);
  /** The handler of a call before it may have stopped the turn, begun another, or let this one run. */
  const isPast = ({ key, stage }: ToolCall) => find(key)?.stage !== stage;
  /** Ends what still goes on for an open call: its timer, its handler's signal. */
  const cleanups = new Map<string, () => void>();

  /** Gives an open call its outcome, and ends what goes on for it. */
  const close = (call: ToolCall, answer: ToolCallAnswer, by: AnsweredBy, tabId?: string) => {
    const { key } = call;
    store.change({ type: 'call-settled', key, answer, tabId });
    const cleanup = cleanups.get(key);
    cleanups.delete(key);
    cleanup?.();
    onCallSettled(toSettledCall(call, answer, by, clock.now(), tabId));
  };

  const settle = (
    key: string,
    answer: ToolCallAnswer,
    by: AnsweredBy = 'automatic',
    tabId?: string,
  ): Settlement => {
    const call = find(key);
    if (!call || !isOpen(call)) return refuseSettled(call);
    close(call, answer, by, tabId);
    onSettled(by === 'person' || call.approval?.by === 'person');
    // Whoever looks at a question has to see at once that it is over; what runs by itself can wait for the frame.
    if (call.stage === 'waiting') store.publish();
    return { settled: true };
  };

  /** @param mayRun nobody has to be asked any more whether its handler may run */
  const start = (call: ToolCall, mayRun = false, approval = call.approval) => {
    if (isPast(call)) return;
    const tool = toolOf(call);
    if (typeof tool === 'string') return void settle(call.key, answers.failed(tool));
    const input = parseArgs(tool, call);
    if ('issues' in input) {
      settle(call.key, invalidArguments(call, tool, input.issues));
    } else if (!('execute' in tool)) {
      wait(call, tool);
    } else if (mayRun || approval || !rulesOf(tool).judge?.(call, tool, input.value, own)) {
      run(call, tool, input.value, approval);
    }
  };

  const run = (call: ToolCall, tool: AutomaticToolDefinition, args: unknown, approval?: CallApproval) => {
    // The person's time to allow it is over.
    cleanups.get(call.key)?.();
    const handler = prepareHandler(call, tool, args, own);
    cleanups.set(call.key, handler.end);
    store.change({ type: 'call-running', key: call.key, approval });
    handler.start();
  };

  const wait = (call: ToolCall, tool: Definition, approvalReason?: ToolCall['approvalReason']) => {
    // The limit of a handler is not that of the person who lets it run.
    const { timeoutMs = Infinity } = askingOf(tool, approvalReason) ?? {};
    const end = Math.min(call.requestedAt + timeoutMs, call.request.deadline ?? Infinity);
    // What comes after the last date there is never comes.
    const expiresAt = end <= 8.64e15 ? end : undefined;
    store.change({ type: 'call-waiting', key: call.key, expiresAt, approvalReason });
    watch(call, expiresAt);
  };

  const watch = (call: ToolCall, expiresAt: number | undefined) => {
    if (expiresAt === undefined) return;
    const expire = () => settle(call.key, expiryOf(call, expiresAt));
    cleanups.set(call.key, clock.after(expiresAt - clock.now(), expire));
  };

  const bind = (call: ToolCall): InteractiveTool => {
    const tool = toolOf(call);
    const input = parseArgs(tool, call);
    return createInteractiveTool(
      call,
      // Another tab's page may be an older one.
      'value' in input ? input.value : call.request.args,
      askingOf(tool, call.approvalReason),
      rulesOf(tool).permissionsOf?.(call, tool, context),
      context,
    );
  };

  /** A call that does not wait for anybody: it is to begin, or was in the middle of its handler when the page was left. */
  const takeUp = (call: ToolCall) => {
    if (isPast(call)) return;
    const tool = toolOf(call);
    // It expired while a person was asked whether it may run: it never did.
    const wasAsked = call.approvalReason === 'policy' && call.approval === undefined;
    if (typeof tool === 'string' || 'interactive' in tool || wasAsked) return start(call);
    switch (tool.onRestore ?? (tool.idempotent ? 'rerun' : 'ask')) {
      case 'rerun':
        return start(call, call.stage === 'running');
      case 'fail':
        return void settle(call.key, answers.failed('The page was left before the tool had finished'));
      case 'ask':
        return wait(call, tool, 'interrupted');
    }
  };

  /** What is lent to whoever does a part of it. */
  const own = { ...context, cleanups, isPast, toolOf, settle, start, run, wait, watch, takeUp };

  return {
    askAgain(keys) {
      const calls = store
        .read()
        .calls.filter(({ stage, key, answer, request }) => {
          const isDue =
            answer?.outcome === 'expired' &&
            keys?.includes(key) &&
            (request.deadline ?? Infinity) > clock.now();
          return stage === 'settled' && (isDue || isRedacted(answer));
        })
        .map(({ answer: _, ...call }): ToolCall => ({ ...call, stage: 'announced' }));
      if (calls.length === 0) return;
      store.change({ type: 'calls-requested', calls });
      for (const call of calls) takeUp(call);
    },
    lend: (work) => work(own),
    begin(event) {
      const calls = toToolCalls(event, clock.now()).filter(({ key }) => !find(key));
      store.change({ type: 'calls-requested', calls });
      for (const call of calls) start(call);
    },
    settleOpen(outcome) {
      for (const { key } of store.read().calls) {
        const call = find(key);
        if (call && isOpen(call)) close(call, answers[outcome](), 'nobody');
      }
    },
    forgo: (toolCallId) =>
      settle(toolCallKey(store.read().executionId ?? '', toolCallId), answers.expired()).settled,
    settle(key, answer, tabId) {
      const call = find(key);
      // One tab let it run, another one said no before it heard of that.
      return call?.stage === 'waiting' ? settle(key, answer, 'person', tabId) : refuseSettled(call);
    },
    approve(key, tabId) {
      const call = find(key);
      if (call?.stage !== 'waiting' || !call.approvalReason) return;
      start(call, true, compact({ by: 'person' as const, tabId }));
      const tool = toolOf(call);
      rulesOf(tool).allowOthers?.(call, tool, own);
      store.publish();
    },
    bind,
  };
}
