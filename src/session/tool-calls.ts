/**
 * Runs, asks and settles the calls of the current turn. `settle` is the only gate: whoever comes first passes,
 * everybody later is told so.
 */
import type { ClientToolRequestEvent } from '../protocol/events.ts';
import type { Clock } from '../shared/clock.ts';
import { describeThrown } from '../shared/errors.ts';
import { isOpen, isWithheld, type ToolCall, type ToolCallAnswer, toolCallKey } from '../state/tool-call.ts';
import type { ChatStore } from '../store/chat-store.ts';
import type {
  AutomaticToolDefinition,
  ClientTools,
  InteractiveTool,
  InteractiveToolDefinition,
  Settlement,
} from '../store/client-tools.ts';
import type { ChatActions } from './chat-actions.ts';
import { type CheckedResult, checkResult } from './check-result.ts';
import { findTool, interactiveOf, invalidArguments, parseArgs } from './find-tool.ts';
import { createInteractiveTool, expiryOf, refuseSettled } from './interactive-tool.ts';
import { shownResult } from './shown-result.ts';
import { answers } from './tool-answers.ts';
import { describeIssues } from './validate.ts';

const AUTOMATIC_TIMEOUT_MS = 60_000;

interface ToolCallsContext {
  readonly store: () => ChatStore;
  readonly clock: Clock;
  /** The tools as declared right now. */
  readonly tools: () => ClientTools;
  /** Who settles calls that wait for a person: this page, or the tab that runs the conversation. */
  readonly actions: () => ChatActions;
  /** A call settled; `byPerson` when a person answered it. */
  readonly onSettled: (byPerson: boolean) => void;
}

export interface ToolCalls {
  /** Takes a request of the agent. Calls seen before are left as they are. */
  begin(event: ClientToolRequestEvent): void;
  /** Settles every call that has no outcome yet, because their turn is over: nothing is delivered or published. */
  settleOpen(outcome: 'aborted' | 'expired' | 'superseded'): void;
  /** Asks again for answers that are to be delivered and were not kept whole. */
  askAgain(): void;
  /** Takes up calls that expired when the stream of their run was cut: the run is read on, and still waits. */
  revive(): void;
  /** Takes up the calls of a conversation that was kept while the page was away. */
  restore(): void;
  /** Settles a call on behalf of a person, who may have answered in another tab. */
  settle(key: string, answer: ToolCallAnswer, tabId?: string): Settlement;
  /** Runs the handler of a call that asks whether to. */
  rerun(key: string): void;
  bind(call: ToolCall): InteractiveTool;
}

export function createToolCalls({ store, clock, tools, actions, onSettled }: ToolCallsContext): ToolCalls {
  /** Ends what still goes on for an open call: its timer, its handler's signal. */
  const cleanups = new Map<string, () => void>();

  /** Gives an open call its outcome, and ends what goes on for it. */
  const close = (key: string, answer: ToolCallAnswer, tabId?: string) => {
    store().change({ type: 'call-settled', key, answer, ...(tabId === undefined ? {} : { tabId }) });
    const cleanup = cleanups.get(key);
    cleanups.delete(key);
    cleanup?.();
  };

  const settle = (key: string, answer: ToolCallAnswer, byPerson = false, tabId?: string): Settlement => {
    const call = store().read().calls.get(key);
    if (call === undefined || !isOpen(call)) return refuseSettled(call);
    close(key, answer, tabId);
    onSettled(byPerson);
    // Whoever looks at a question has to see at once that it is over; what runs by itself can wait for the frame.
    if (call.stage === 'waiting') store().publish();
    return { settled: true };
  };

  const start = (call: ToolCall) => {
    // The handler of a call before it in the same request may have stopped the turn, or begun another.
    const current = store().read().calls.get(call.key);
    if (current === undefined || !isOpen(current)) return;
    const { toolName } = call.request;
    const tool = findTool(tools(), toolName);
    if (typeof tool === 'string') return void settle(call.key, answers.failed(tool));
    const input = parseArgs(tool, call);
    if ('issues' in input) {
      settle(call.key, invalidArguments(call, input.issues));
    } else if ('execute' in tool) {
      run(call, tool, input.value);
    } else {
      wait(call, tool);
    }
  };

  const run = (call: ToolCall, tool: AutomaticToolDefinition, args: unknown) => {
    const { toolCallId, toolName } = call.request;
    const timeoutMs = tool.timeoutMs ?? AUTOMATIC_TIMEOUT_MS;
    const abort = new AbortController();
    const cancelTimer = clock.after(timeoutMs, () => settle(call.key, answers.timedOut(timeoutMs)));
    const cleanup = () => {
      cancelTimer();
      abort.abort();
    };
    cleanups.set(call.key, cleanup);
    store().change({ type: 'call-running', key: call.key });
    const execute = async () => tool.execute(args, { toolCallId, toolName, signal: abort.signal });
    const finish = (answer: ToolCallAnswer) => {
      // Settled meanwhile. A retried run may even have asked anew under the same id: that is another call.
      if (cleanups.get(call.key) !== cleanup) return;
      // It came to its own end: nothing is left to abort.
      cleanups.set(call.key, cancelTimer);
      settle(call.key, answer);
    };
    execute().then(
      (result) => finish(answerOf(checkResult(tool, result), toolName, shownResult(call, tool, result))),
      (thrown: unknown) => finish(answers.failed(describeThrown(thrown))),
    );
  };

  const wait = (call: ToolCall, tool: InteractiveToolDefinition) => {
    const limit = tool.timeoutMs === undefined ? Infinity : call.requestedAt + tool.timeoutMs;
    const expiresAt = Math.min(limit, call.request.deadline ?? Infinity);
    store().change({
      type: 'call-waiting',
      key: call.key,
      expiresAt: Number.isFinite(expiresAt) ? expiresAt : undefined,
    });
    if (Number.isFinite(expiresAt)) watch(call, tool, expiresAt);
  };

  const watch = (call: ToolCall, tool: InteractiveToolDefinition | undefined, expiresAt: number) => {
    const cancelTimer = clock.after(expiresAt - clock.now(), () => settle(call.key, expiryOf(call, tool)));
    cleanups.set(call.key, cancelTimer);
  };

  /** A call found waiting, or in the middle of its handler, after a reload. */
  const takeUp = (call: ToolCall) => {
    const tool = findTool(tools(), call.request.toolName);
    if (call.stage === 'waiting') {
      const input = parseArgs(tool, call);
      if ('issues' in input) settle(call.key, invalidArguments(call, input.issues));
      else if (call.expiresAt !== undefined) watch(call, interactiveOf(tool), call.expiresAt);
      return;
    }
    if (typeof tool === 'string' || 'interactive' in tool) return start(call);
    switch (tool.onRestore ?? (tool.idempotent ? 'rerun' : 'ask')) {
      case 'rerun':
        return start(call);
      case 'fail':
        return void settle(call.key, answers.failed('The page was left before the tool had finished'));
      case 'ask':
        return store().change({ type: 'call-waiting', key: call.key, asks: 'rerun' });
    }
  };

  /** Takes up calls that had an outcome. */
  const reopen = (isDue: (call: ToolCall) => boolean) => {
    const calls = [...store().read().calls.values()]
      .filter(isDue)
      .map(({ answer: _, ...call }): ToolCall => ({ ...call, stage: 'announced' }));
    if (calls.length === 0) return;
    store().change({ type: 'calls-requested', calls });
    for (const call of calls) takeUp(call);
  };

  const bind = (call: ToolCall): InteractiveTool => {
    const tool = findTool(tools(), call.request.toolName);
    const input = parseArgs(tool, call);
    return createInteractiveTool(call, {
      store: store(),
      clock,
      // Another tab's page may be an older one.
      args: 'value' in input ? input.value : call.request.args,
      definition: interactiveOf(tool),
      actions,
    });
  };

  return {
    begin(event) {
      const known = store().read().calls;
      const now = clock.now();
      const calls = event.toolCalls
        .map((request): ToolCall => {
          const key = toolCallKey(event.executionId, request.toolCallId);
          const { executionId, serverToolResults = [] } = event;
          return {
            key,
            executionId,
            request,
            requestedAt: now,
            stage: 'announced',
            serverToolResults,
          };
        })
        .filter(
          (call, index, all) =>
            !known.has(call.key) && all.findIndex(({ key }) => key === call.key) === index,
        );
      store().change({ type: 'calls-requested', calls });
      for (const call of calls) start(call);
    },
    settleOpen(outcome) {
      for (const { key } of [...store().read().calls.values()]) {
        const call = store().read().calls.get(key);
        if (call !== undefined && isOpen(call)) close(key, answers[outcome]());
      }
    },
    askAgain: () =>
      reopen(({ stage, answer }) => stage === 'settled' && answer !== undefined && isWithheld(answer)),
    revive: () =>
      reopen(
        ({ answer, request }) =>
          answer?.outcome === 'expired' && (request.deadline ?? Infinity) > clock.now(),
      ),
    restore() {
      for (const call of store().read().calls.values()) if (isOpen(call)) takeUp(call);
    },
    settle: (key, answer, tabId) => settle(key, answer, true, tabId),
    rerun(key) {
      const call = store().read().calls.get(key);
      if (call === undefined || call.stage !== 'waiting') return;
      start(call);
      store().publish();
    },
    bind,
  };
}

function answerOf(checked: CheckedResult, toolName: string, shown: unknown): ToolCallAnswer {
  return 'value' in checked
    ? answers.submitted(checked.value, shown)
    : answers.failed(`Invalid result of tool ${toolName}: ${describeIssues(checked.issues)}`);
}
