/**
 * Client tools for runtimes of the Standard Agents specification, which has none of its own: one server tool for each client tool,
 * two endpoints and one custom event. Everything goes through the `ThreadState` of the specification (0.15), so it works in every
 * runtime.
 */
import { z } from 'zod';
import type { InboxSource } from '../../../../server/inbox/inbox-source.ts';
import { type Clock, systemClock } from '../../../../shared/clock.ts';
import { createId } from '../../../../shared/ids.ts';
import { readOwn, toJsonValue } from '../../../../shared/json.ts';
import type { ThreadEndpoints } from '../define-thread-endpoint.ts';
import { defineTool, type ToolArgs, type ToolDefinition, type ToolResult } from '../define-tool.ts';
import { findOpenCall } from '../thread-message.ts';
import { createClientCallEndpoints } from './client-call-endpoints.ts';
import { type ClientCallStore, createThreadValueStore, type KitState } from './client-call-store.ts';
import { ANSWER_TOOL, type ClientCall, ClientCalls } from './client-calls.ts';
import { createKitInbox, type KitThreads } from './kit-inbox.ts';
import { toToolResult } from './to-tool-result.ts';

/** A client tool as the agent is told of it. The page has a tool with the same name. */
export interface KitTool {
  readonly description: string;
  readonly args?: ToolArgs;
  /** Milliseconds after which the agent no longer waits. Default: it waits for ever. */
  readonly deadlineMs?: number;
}

/** Options of {@link standardAgentsKit}. */
export interface StandardAgentsKitOptions {
  readonly tools: Readonly<Record<string, KitTool>>;
  /** Where the calls are kept. Default: in the durable values of their thread, for one process per thread. */
  readonly store?: ClientCallStore;
  /**
   * `resume` (default): the execution stops after the call, and the answer starts the next one. `blocking`: the tool waits for the
   * answer, which needs a runtime that serves endpoints meanwhile.
   */
  readonly mode?: 'resume' | 'blocking';
  readonly clock?: Clock;
}

/** The pieces of the kit. */
export interface StandardAgentsKit {
  /** The tools of the agent: one for each client tool, and `client_tool_answer`, which brings answers in the mode `resume`. */
  readonly tools: Readonly<Record<string, ToolDefinition<ToolArgs | undefined, KitState>>>;
  /** By file name: `client-tools.ts` lists the pending calls, `client-tools/[id].post.ts` takes an answer. */
  readonly endpoints: ThreadEndpoints<KitState>;
  /** Settles the pending calls of a thread that a person stopped: `onStop` of `createThreadRuntime`. */
  readonly abortPending: (state: KitState) => Promise<void>;
  /**
   * The pending calls of all threads of a person: one of the `sources` of `handleInboxRequest`. It needs `createThreadRuntime({ kit })`,
   * and has the calls that are kept in the values of their threads.
   */
  readonly inbox: InboxSource;
  /** Called by `createThreadRuntime({ kit })`. */
  readonly connect: (threads: KitThreads) => void;
}

/** How often a blocking tool looks for its answer. */
const POLL_MS = 500;

/**
 * Creates client tools for an agent. A call is stored as `clienttool:{id}` and announced as the custom event `client_tool_request`.
 * Its id is that of the model's tool call where the runtime has stored that call, so a tool that runs again after a crash does not
 * ask twice.
 *
 * The first answer to a call counts; a later one gets 409. The agent reads `submitted` and `declined` as a success, and the other
 * outcomes as an error with a text. When several calls wait, the agent goes on after the last answer.
 *
 * A deadline ends a call while the process that asked lives; after a restart it ends when a page next asks for the pending calls.
 *
 * @throws TypeError if a tool has no description or arguments of a kind that is not allowed, see `defineTool`.
 */
export function standardAgentsKit(options: StandardAgentsKitOptions): StandardAgentsKit {
  const { tools, store = createThreadValueStore(), mode = 'resume', clock = systemClock } = options;
  if (Object.hasOwn(tools, ANSWER_TOOL)) {
    throw new TypeError(`standardAgentsKit: ${ANSWER_TOOL} is the name of the kit's own tool. Rename yours.`);
  }
  const calls = new ClientCalls(store, clock, mode === 'resume');
  const asking = Object.entries(tools).map(([name, tool]) => {
    const { description, args, deadlineMs } = tool;
    const execute = async (state: KitState, values: unknown): Promise<ToolResult> => {
      const call = await request(calls, clock, state, { name, args: values, deadlineMs });
      if (call.answer?.outcome === 'aborted') return toToolResult(call.answer);
      if (mode === 'blocking') return waitForAnswer(calls, clock, state, call.id);
      // Also if the answer came before the tool ran again after a crash: it is in the queue, and the agent must read it once.
      state.execution?.stop?.();
      return { status: 'success', result: describeWait(call.id, name) };
    };
    return [name, defineTool({ description, ...(args === undefined ? {} : { args }), execute })] as const;
  });
  return {
    tools: {
      ...Object.fromEntries(asking),
      ...(mode === 'resume' ? { [ANSWER_TOOL]: createAnswerTool(calls) } : {}),
    },
    endpoints: createClientCallEndpoints(calls, (name) => readOwn(tools, name)?.args),
    abortPending: (state) => calls.abort(state),
    ...createKitInbox(calls, (name) => Object.hasOwn(tools, name)),
  };
}

interface Asked {
  readonly name: string;
  readonly args: unknown;
  readonly deadlineMs: number | undefined;
}

/** Stores the call and asks the browser. */
async function request(
  calls: ClientCalls,
  clock: Clock,
  state: KitState,
  { name, args, deadlineMs }: Asked,
): Promise<ClientCall> {
  const { messages } = await state.getMessages();
  const open = findOpenCall(messages, (call) => call.function.name === name);
  const deadline = deadlineMs === undefined ? undefined : clock.now() + deadlineMs;
  const call = await calls.request(state, {
    id: open?.call.id ?? createId(),
    messageId: open?.messageId,
    name,
    args: toJsonValue(args ?? {}, 'args'),
    deadline,
  });
  if (call.deadline !== undefined) {
    // A timer may fire a millisecond early. If the runtime has closed the state by then, the next page that asks ends the call.
    clock.after(call.deadline - clock.now() + 1, () => void calls.pending(state).catch(() => {}));
  }
  return call;
}

function describeWait(id: string, name: string): string {
  return `Waiting for the user. The answer will come as the result of ${ANSWER_TOOL} with the id ${id}. Do not call ${name} again for it.`;
}

async function waitForAnswer(
  calls: ClientCalls,
  clock: Clock,
  state: KitState,
  id: string,
): Promise<ToolResult> {
  for (;;) {
    const call = await calls.find(state, id);
    if (call?.answer !== undefined) return toToolResult(call.answer);
    if (call === undefined) return { status: 'error', error: `The call ${id} is no longer stored` };
    await new Promise<void>((resolve) => clock.after(POLL_MS, resolve));
    if (state.execution?.abortSignal?.aborted) await calls.answer(state, id, { outcome: 'aborted' });
  }
}

function createAnswerTool(calls: ClientCalls) {
  return defineTool({
    description: 'Returns the answer of the user to an earlier call. The system calls this tool by itself.',
    args: z.object({ id: z.string() }),
    async execute(state: KitState, { id }): Promise<ToolResult> {
      const call = await calls.find(state, id);
      if (call === undefined) return { status: 'error', error: `There is no call with the id ${id}` };
      return call.answer === undefined
        ? { status: 'error', error: 'The user has not answered yet. Wait for the answer.' }
        : toToolResult(call.answer);
    },
  });
}
