/**
 * Runs, asks and settles the calls of the current turn. `settle` is the only gate: whoever comes first passes,
 * everybody later is told so.
 */
import type { ClientToolRequestEvent } from '../protocol/events.ts';
import type { Clock } from '../shared/clock.ts';
import { describeThrown } from '../shared/errors.ts';
import { deepFreeze, hasOwn, toJsonValue } from '../shared/json.ts';
import { isOpen, type ToolCall, type ToolCallAnswer, toolCallKey } from '../state/tool-call.ts';
import type { ChatStore } from '../store/chat-store.ts';
import type {
  AutomaticToolDefinition,
  ClientTools,
  InteractiveTool,
  InteractiveToolDefinition,
  Settlement,
} from '../store/client-tools.ts';
import { answers } from './tool-answers.ts';
import { describeIssues, type Validation, validate } from './validate.ts';

const AUTOMATIC_TIMEOUT_MS = 60_000;

interface ToolCallsContext {
  readonly store: () => ChatStore;
  readonly clock: Clock;
  /** The tools as declared right now. */
  readonly tools: () => ClientTools;
  /** A call settled; `byPerson` when a person answered it. */
  readonly onSettled: (byPerson: boolean) => void;
}

export interface ToolCalls {
  /** Takes a request of the agent. Calls seen before are left as they are. */
  begin(event: ClientToolRequestEvent): void;
  /** Settles every call that has no outcome yet. */
  settleOpen(outcome: 'aborted' | 'expired' | 'superseded'): void;
  /** Takes up the calls of a conversation that was kept while the page was away. */
  restore(): void;
  bind(call: ToolCall): InteractiveTool;
}

type Definition = InteractiveToolDefinition | AutomaticToolDefinition;

export function createToolCalls({ store, clock, tools, onSettled }: ToolCallsContext): ToolCalls {
  /** Ends what still goes on for an open call: its timer, its handler's signal. */
  const cleanups = new Map<string, () => void>();

  const settle = (key: string, answer: ToolCallAnswer, byPerson = false): Settlement => {
    const call = store().read().calls.get(key);
    if (call === undefined || !isOpen(call)) return refuse(call);
    store().change({ type: 'call-settled', key, answer });
    cleanups.get(key)?.();
    cleanups.delete(key);
    onSettled(byPerson);
    store().publish();
    return { settled: true };
  };

  const start = (call: ToolCall) => {
    const { toolName } = call.request;
    const tool = findTool(tools(), toolName);
    if (typeof tool === 'string') return void settle(call.key, answers.failed(tool));
    const input = validate(tool.input, structuredClone(call.request.args));
    if ('issues' in input) {
      settle(
        call.key,
        answers.failed(`Invalid arguments for tool ${toolName}: ${describeIssues(input.issues)}`),
      );
    } else if ('execute' in tool) {
      run(call, tool, input.value);
    } else {
      wait(call, tool, input.value);
    }
  };

  const run = (call: ToolCall, tool: AutomaticToolDefinition, args: unknown) => {
    const { toolCallId, toolName } = call.request;
    const timeoutMs = tool.timeoutMs ?? AUTOMATIC_TIMEOUT_MS;
    const abort = new AbortController();
    const cancelTimer = clock.after(timeoutMs, () => settle(call.key, answers.timedOut(timeoutMs)));
    cleanups.set(call.key, () => {
      cancelTimer();
      abort.abort();
    });
    store().change({ type: 'call-running', key: call.key, args });
    const execute = async () => tool.execute(args, { toolCallId, toolName, signal: abort.signal });
    const finish = (answer: ToolCallAnswer) => {
      // It came to its own end: nothing is left to abort.
      cleanups.set(call.key, cancelTimer);
      settle(call.key, answer);
    };
    execute().then(
      (result) => finish(answerOf(checkResult(tool, result), toolName)),
      (thrown: unknown) => finish(answers.failed(describeThrown(thrown))),
    );
  };

  const wait = (call: ToolCall, tool: InteractiveToolDefinition, args: unknown) => {
    const limit = tool.timeoutMs === undefined ? Infinity : call.requestedAt + tool.timeoutMs;
    const expiresAt = Math.min(limit, call.request.deadline ?? Infinity);
    store().change({
      type: 'call-waiting',
      key: call.key,
      args: deepFreeze(args),
      expiresAt: Number.isFinite(expiresAt) ? expiresAt : undefined,
    });
    if (Number.isFinite(expiresAt)) watch(call, tool, expiresAt);
  };

  const watch = (call: ToolCall, tool: InteractiveToolDefinition | undefined, expiresAt: number) => {
    const cancelTimer = clock.after(expiresAt - clock.now(), () => settle(call.key, expiry(call, tool)));
    cleanups.set(call.key, cancelTimer);
  };

  /** A call found waiting, or in the middle of its handler, after a reload. */
  const takeUp = (call: ToolCall) => {
    const tool = findTool(tools(), call.request.toolName);
    if (call.stage === 'waiting') {
      if (call.expiresAt !== undefined) watch(call, interactiveOf(tool), call.expiresAt);
      return;
    }
    if (typeof tool === 'string' || 'interactive' in tool) return start(call);
    switch (tool.onRestore ?? (tool.idempotent ? 'rerun' : 'ask')) {
      case 'rerun':
        return start(call);
      case 'fail':
        return void settle(call.key, answers.failed('The page was left before the tool had finished'));
      case 'ask':
        return store().change({ type: 'call-waiting', key: call.key, args: call.args, asks: 'rerun' });
    }
  };

  /** The earlier limit counts: ours is told to the agent, its own it knows. */
  const expiry = (call: ToolCall, tool: InteractiveToolDefinition | undefined): ToolCallAnswer => {
    const timeoutMs = tool?.timeoutMs;
    const deadline = call.request.deadline ?? Infinity;
    return timeoutMs !== undefined && call.requestedAt + timeoutMs <= deadline
      ? answers.timedOut(timeoutMs)
      : answers.expired();
  };

  const bind = (call: ToolCall): InteractiveTool => {
    const { toolCallId, toolName } = call.request;
    const definition = interactiveOf(findTool(tools(), toolName));
    const answer = (make: () => ToolCallAnswer | Settlement): Settlement => {
      const current = store().read().calls.get(call.key);
      if (current === undefined || !isOpen(current)) return refuse(current);
      if (current.expiresAt !== undefined && clock.now() >= current.expiresAt) {
        // The machine slept past the deadline and its timer has not fired yet.
        settle(call.key, expiry(current, definition));
        return { settled: false, reason: 'expired' };
      }
      const made = make();
      return 'settled' in made ? made : settle(call.key, made, true);
    };
    return Object.freeze({
      toolCallId,
      toolName,
      args: call.args as Record<string, unknown>,
      requestedAt: new Date(call.requestedAt),
      ...(call.expiresAt === undefined ? {} : { expiresAt: new Date(call.expiresAt) }),
      ...(definition === undefined ? {} : { definition }),
      ...(call.asks === undefined ? {} : { asks: call.asks }),
      getDraft: () => store().read().calls.get(call.key)?.draft,
      saveDraft(draft: unknown) {
        const current = store().read().calls.get(call.key);
        if (current === undefined || !isOpen(current)) return;
        store().change({ type: 'call-drafted', key: call.key, draft: toJsonValue(draft) });
      },
      submit: (result: unknown) =>
        answer(() => {
          if (call.asks === 'rerun') {
            start(call);
            store().publish();
            return { settled: true };
          }
          const checked = checkResult(definition, result);
          return 'value' in checked ? answers.submitted(checked.value) : { settled: false, ...checked };
        }),
      cancel: (reason?: string) => answer(() => answers.cancelled(reason)),
      decline: (reason?: string, details?: Readonly<Record<string, unknown>>) =>
        answer(() => answers.declined(reason, details)),
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
            args: request.args,
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
      for (const call of store().read().calls.values())
        if (isOpen(call)) settle(call.key, answers[outcome]());
    },
    restore() {
      for (const call of store().read().calls.values()) if (isOpen(call)) takeUp(call);
    },
    bind,
  };
}

/** What the app declared for a tool that waits for a person. */
function interactiveOf(tool: Definition | string): InteractiveToolDefinition | undefined {
  return typeof tool !== 'string' && 'interactive' in tool && tool !== BARE ? tool : undefined;
}

const BARE: InteractiveToolDefinition = { interactive: true };

/** The tool of that name, or why there is none. */
function findTool(tools: ClientTools, toolName: string): Definition | string {
  const tool = hasOwn(tools, toolName) ? tools[toolName] : undefined;
  if (tool === undefined) return `No client handler for tool: ${toolName}`;
  if (typeof tool === 'function') return { execute: tool };
  if (tool === 'interactive') return BARE;
  if (tool !== null && typeof tool === 'object') {
    if ('execute' in tool && typeof tool.execute === 'function') return tool;
    if ('interactive' in tool && tool.interactive === true) return tool;
  }
  return `Tool ${toolName} has no usable client handler: it must be a function, 'interactive' or a defineClientTool`;
}

type CheckedResult =
  | { readonly value: unknown }
  | {
      readonly reason: 'invalid-result' | 'not-serializable';
      readonly issues: readonly { message: string }[];
    };

function checkResult(tool: Definition | undefined, result: unknown): CheckedResult {
  const checked: Validation = validate(tool?.output, result);
  if ('issues' in checked) return { reason: 'invalid-result', issues: checked.issues };
  try {
    return { value: toJsonValue(checked.value) };
  } catch (thrown) {
    return {
      reason: 'not-serializable',
      issues: [{ message: describeThrown(thrown, 'JSON cannot carry it') }],
    };
  }
}

function answerOf(checked: CheckedResult, toolName: string): ToolCallAnswer {
  return 'value' in checked
    ? answers.submitted(checked.value)
    : answers.failed(`Invalid result of tool ${toolName}: ${describeIssues(checked.issues)}`);
}

function refuse(call: ToolCall | undefined): Settlement {
  const outcome = call?.answer?.outcome;
  return {
    settled: false,
    reason: outcome === 'expired' || outcome === 'timed-out' ? 'expired' : 'already-settled',
  };
}
