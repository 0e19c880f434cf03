/** Runs one tool call of a thread. Never rejects: an error is a result that the model reads. */
import { describeThrown } from '../../../shared/errors.ts';
import { isRecord, parseJson, readOwn } from '../../../shared/json.ts';
import { untilAborted } from '../../../shared/until-aborted.ts';
import { describeIssues, validate } from '../../../shared/validate.ts';
import type { ToolResult, ToolSet } from './define-tool.ts';
import type { NewMessage } from './thread.ts';
import type { ToolCallEntry } from './thread-message.ts';
import type { ThreadState } from './thread-state.ts';

const STOPPED = 'Stopped by the user';

/** Returns the row with the result of the call. */
export async function runToolCall(
  call: ToolCallEntry,
  tools: ToolSet,
  state: ThreadState,
  { signal, onThrown }: { readonly signal: AbortSignal; readonly onThrown: (thrown: unknown) => void },
): Promise<NewMessage> {
  if (signal.aborted) return toRow(call, toError(STOPPED));
  const running = execute(call, tools, state).catch((thrown: unknown): ToolResult => {
    // A tool that throws because it was stopped did as it was asked.
    if (!signal.aborted) onThrown(thrown);
    return toError(describeThrown(thrown));
  });
  return toRow(call, (await untilAborted(running, signal)) ?? toError(STOPPED));
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
