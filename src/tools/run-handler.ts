/** Runs the handler of an automatic tool, within its time and under a signal of its own. */

import type { Tell } from '../chat/callbacks.ts';
import type { Clock } from '../shared/clock.ts';
import { AgentChatError, describeThrown } from '../shared/errors.ts';
import type { ToolCall, ToolCallAnswer } from '../state/tool-call.ts';
import { checkResult } from './check-result.ts';
import type { AutomaticToolDefinition } from './client-tool.ts';
import { answers } from './outcomes.ts';
import { rulesOf } from './tool-rules.ts';

const DEFAULT_TIMEOUT_MS = 60_000;

interface HandlerContext {
  readonly clock: Clock;
  /** Takes what it came to, once. */
  readonly settle: (key: string, answer: ToolCallAnswer) => void;
  readonly tell: Tell;
}

interface HandlerRun {
  /** Calls the handler. Its time began with {@link prepareHandler}. */
  start(): void;
  /** The handler hears its signal, and what it returns is nobody's. Without effect once it came to its own end. */
  end(): void;
}

/** @param args as the tool's schema makes them */
export function prepareHandler(
  call: ToolCall,
  tool: AutomaticToolDefinition,
  args: unknown,
  { clock, settle, tell }: HandlerContext,
): HandlerRun {
  const { toolCallId, toolName } = call.request;
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = tool;
  /** Made when it is asked for: few handlers listen, and a controller costs as much as the rest of a call. */
  let controller: AbortController | undefined;
  const abort = () => (controller ??= new AbortController());
  let over = false;
  const cancelTimer = clock.after(timeoutMs, () => settle(call.key, answers.timedOut(timeoutMs)));
  const finish = (answer: ToolCallAnswer) => {
    if (over) return;
    over = true;
    cancelTimer();
    settle(call.key, answer);
  };
  const execute = async () => {
    // A handler may sort and fill in what it got; what a schema made is its own already.
    const own = tool.input === undefined ? structuredClone(args) : args;
    return tool.execute(own, {
      toolCallId,
      toolName,
      get signal() {
        return abort().signal;
      },
    });
  };
  return {
    start() {
      execute().then(
        (result) => {
          const checked = checkResult(call, tool, result);
          finish(
            'settled' in checked
              ? answers.failed(
                  `Invalid result of tool ${toolName}: ${rulesOf(tool).describeIssues(checked.issues)}`,
                )
              : checked,
          );
        },
        (thrown: unknown) => {
          // Not a failure of the tool's work: what runs it was out of reach.
          if (AgentChatError.isInstance(thrown) && !controller?.signal.aborted) tell('onError', thrown);
          finish(answers.failed(describeThrown(thrown)));
        },
      );
    },
    end() {
      if (over) return;
      over = true;
      cancelTimer();
      abort().abort();
    },
  };
}
