import type { Clock } from '../../shared/clock.ts';
import { copyArguments } from '../../shared/copy-arguments.ts';
import { AgentChatError, describeThrown } from '../../shared/errors.ts';
import { describeIssues } from '../../shared/validate.ts';
import type { ResultFile } from '../protocol/events.ts';
import type { ToolCall, ToolCallAnswer } from '../state/tool-call.ts';
import { checkResult } from './check-result.ts';
import type { AutomaticToolDefinition } from './client-tool.ts';
import { tellOfEdit } from './edit-arguments.ts';
import { outcomes } from './outcomes.ts';

const DEFAULT_TIMEOUT_MS = 60_000;

interface HandlerContext {
  readonly clock: Clock;
  /** Takes the answer, once. */
  readonly settle: (key: string, answer: ToolCallAnswer) => void;
  /** Takes errors of the code around the tool, which the app should hear of besides the agent. */
  readonly onError: (error: AgentChatError) => void;
  /**
   * Called before the handler starts, because a handler may stop the turn at once. `end` aborts the handler's signal and
   * drops its result; it does nothing once the handler has ended.
   */
  readonly onStart: (end: () => void) => void;
}

/**
 * Runs the handler of an automatic tool under a time limit and a signal of its own.
 *
 * @param args the arguments as the tool's schema parsed them
 */
export function runHandler(
  call: ToolCall,
  tool: AutomaticToolDefinition,
  args: unknown,
  { clock, settle, onError, onStart }: HandlerContext,
): void {
  const { toolCallId, toolName } = call.request;
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = tool;
  // Created on first use: few handlers listen, and a controller costs as much as the rest of a call.
  let controller: AbortController | undefined;
  const getController = () => {
    controller ??= new AbortController();
    return controller;
  };
  const files: ResultFile[] = [];
  let isOver = false;
  const cancelTimer = clock.after(timeoutMs, () => settle(call.key, outcomes.timedOut(timeoutMs)));
  const finish = (answer: ToolCallAnswer) => {
    if (isOver) return;
    isOver = true;
    cancelTimer();
    settle(call.key, answer);
  };
  const execute = async () =>
    tool.execute(toOwnArguments(tool, args), {
      toolCallId,
      toolName,
      addFile(file) {
        files.push(file);
      },
      get signal() {
        return getController().signal;
      },
    });

  onStart(() => {
    if (isOver) return;
    isOver = true;
    cancelTimer();
    getController().abort();
  });
  execute().then(
    (result) => finish({ ...toAnswer(call, tool, result), ...(files.length > 0 && { files }) }),
    (thrown: unknown) => {
      // An AgentChatError is no failure of the tool's work: the server that runs the tool could not be reached.
      if (AgentChatError.isInstance(thrown) && !controller?.signal.aborted) onError(thrown);
      finish(outcomes.failed(describeThrown(thrown)));
    },
  );
}

/** A handler may change its arguments, and nobody else sees that. */
function toOwnArguments({ input }: AutomaticToolDefinition, args: unknown): unknown {
  return input === undefined ? structuredClone(args) : copyArguments(args);
}

function toAnswer(call: ToolCall, tool: AutomaticToolDefinition, result: unknown): ToolCallAnswer {
  const checked = checkResult(call, tool, result);
  if (!('settled' in checked)) return tellOfEdit(call, tool, checked);
  const { toolName } = call.request;
  return outcomes.failed(`Invalid result of tool ${toolName}: ${describeIssues(checked.issues)}`);
}
