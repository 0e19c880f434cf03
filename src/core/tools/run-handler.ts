import type { Clock } from '../../shared/clock.ts';
import { copyArguments } from '../../shared/copy-arguments.ts';
import { AgentChatError, describeThrown } from '../../shared/errors.ts';
import { isFileReference } from '../../shared/is-file-reference.ts';
import { describeIssues } from '../../shared/validate.ts';
import type { ResultFile } from '../protocol/events.ts';
import type { FileReference, ToolProgress } from '../state/message.ts';
import type { ToolCall, ToolCallAnswer } from '../state/tool-call.ts';
import { checkResult } from './check-result.ts';
import type { AutomaticToolDefinition, ClientToolContext } from './client-tool.ts';
import { tellOfEdit } from './edit-arguments.ts';
import { outcomes } from './outcomes.ts';
import { readProgress } from './read-progress.ts';

const DEFAULT_TIMEOUT_MS = 60_000;

/** Uploads a file, until the signal aborts. */
export type UploadFile = (file: File, signal: AbortSignal) => Promise<readonly FileReference[]>;

interface HandlerContext {
  readonly clock: Clock;
  readonly upload: UploadFile;
  /** Takes how far the handler is. */
  readonly report: (progress: ToolProgress) => void;
  /** Takes the answer, once. */
  readonly settle: (answer: ToolCallAnswer) => void;
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
  { clock, upload, report, settle, onError, onStart }: HandlerContext,
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
  const cancelTimer = clock.after(timeoutMs, () => settle(outcomes.timedOut(timeoutMs)));
  const finish = (answer: ToolCallAnswer) => {
    if (isOver) return;
    isOver = true;
    cancelTimer();
    settle(answer);
  };
  const context: ClientToolContext = {
    toolCallId,
    toolName,
    async addFile(given, options) {
      const isRaw = given instanceof Blob;
      const [file] = isRaw ? await upload(toFile(given, options), getController().signal) : [given];
      if (!isFileReference(file)) throw noFile();
      // The answer is on its way: sent again, it has to be the same.
      if (!isOver) files.push(Object.freeze({ ...file }));
      return file as FileReference;
    },
    report(given) {
      const progress = isOver ? undefined : readProgress(given);
      if (progress) report(progress);
    },
    get signal() {
      return getController().signal;
    },
  };
  const execute = async () => tool.execute(toOwnArguments(tool, args), context);

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

function toFile(blob: Blob, { filename }: { readonly filename?: string } = {}): File {
  const name = filename ?? (blob instanceof File ? blob.name : 'file');
  return new File([blob], name, { type: blob.type });
}

/** A server would refuse the whole request, again and again, and the agent would get no answer. */
function noFile(): TypeError {
  return new TypeError(
    'addFile takes a Blob, a File, or a reference { id, mediaType, url } to an uploaded file',
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
