/** Runs one tool call of a thread. Never rejects: an error is a result that the model reads. */
import { describeThrown } from '../../../shared/errors.ts';
import { isRecord, parseJson, readOwn } from '../../../shared/json.ts';
import { untilAborted } from '../../../shared/until-aborted.ts';
import { describeIssues, validate } from '../../../shared/validate.ts';
import type { ToolResult, ToolSet } from './define-tool.ts';
import type { NewMessage } from './thread.ts';
import type { ThreadHooks } from './thread-hooks.ts';
import type { ToolCallEntry } from './thread-message.ts';
import type { ThreadState } from './thread-state.ts';

const STOPPED = 'Stopped by the user';

interface ToolCallSettings {
  readonly tools: ToolSet;
  readonly hooks: ThreadHooks;
  readonly state: ThreadState;
  readonly signal: AbortSignal;
  readonly onThrown: (thrown: unknown) => void;
}

/** Returns the row with the result of the call. */
export async function runToolCall(call: ToolCallEntry, settings: ToolCallSettings): Promise<NewMessage> {
  const { tools, state, signal, onThrown } = settings;
  if (signal.aborted) return toRow(call, toError(STOPPED));
  const fail = (thrown: unknown): ToolResult => {
    // A tool that throws because it was stopped did as it was asked.
    if (!signal.aborted) onThrown(thrown);
    return toError(describeThrown(thrown));
  };
  const running = execute(call, tools, state)
    .catch(fail)
    .then((result) => changeResult(call, result, settings))
    .catch(fail);
  return toRow(call, (await untilAborted(running, signal)) ?? toError(STOPPED));
}

async function changeResult(
  call: ToolCallEntry,
  result: ToolResult,
  { hooks, state }: ToolCallSettings,
): Promise<ToolResult> {
  const toArguments = (current: ToolResult) => [call, current];
  const name = result.status === 'success' ? 'after_tool_call_success' : 'after_tool_call_failure';
  const changed = await hooks.change(name, state, result, toArguments);
  return hooks.change('before_store_tool_result', state, changed, toArguments);
}

async function execute(call: ToolCallEntry, tools: ToolSet, state: ThreadState): Promise<ToolResult> {
  const { name } = call.function;
  const tool = readOwn(tools, name);
  if (tool === undefined)
    return toError(`There is no tool named ${name}. Use one of the tools you were given.`);
  const args = validate(tool.args, parseJson(call.function.arguments));
  if ('issues' in args)
    return toError(`The arguments of ${name} are invalid: ${describeIssues(args.issues)}`);
  const result: unknown = await tool.execute(state, args.value);
  if (isRecord(result) && (result.status === 'success' || result.status === 'error')) {
    return result as unknown as ToolResult;
  }
  throw new TypeError(
    `The tool ${name} must return { status: 'success', result } or { status: 'error', error }`,
  );
}

function toError(error: string): ToolResult {
  return { status: 'error', error };
}

function toRow(call: ToolCallEntry, { status, result, error, attachments }: ToolResult): NewMessage {
  const content = status === 'success' ? (result ?? '') : error || 'The tool failed without a message';
  return {
    role: 'tool',
    name: call.function.name,
    tool_call_id: call.id,
    tool_status: status,
    content,
    ...(attachments === undefined ? {} : { attachments: JSON.stringify(attachments) }),
  };
}
