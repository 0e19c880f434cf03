/** The tools that end a session, or say how it stands (specification 0.15, `SessionToolBinding`). */
import { isRecord, parseJson } from '../../../shared/json.ts';
import type { SessionToolBinding, SideConfig } from './agent-definition.ts';
import type { ThreadMessage, ToolCallEntry } from './thread-message.ts';
import type { ThreadRecord } from './thread-record.ts';

/** Returns what the result of a call changes in the session; nothing for most calls. */
export function readSessionTool(
  { sessionStop, sessionFail, sessionStatus }: SideConfig,
  call: ToolCallEntry,
  result: Pick<ThreadMessage, 'tool_status' | 'content'>,
): Partial<Pick<ThreadRecord, 'session' | 'session_status' | 'run'>> {
  // The model reads the error, and may call the tool again.
  if (result.tool_status !== 'success') return {};
  const messageOf = (binding: SessionToolBinding | undefined) => {
    const { name, messageProperty } = typeof binding === 'object' ? binding : { name: binding };
    if (name !== call.function.name) return undefined;
    const args = parseJson(call.function.arguments);
    const text = messageProperty !== undefined && isRecord(args) ? args[messageProperty] : result.content;
    return typeof text === 'string' ? text : JSON.stringify(text ?? null);
  };
  const [stopped, failed, status] = [sessionStop, sessionFail, sessionStatus].map(messageOf);
  if (failed !== undefined) return { session: { status: 'failed', message: failed }, run: 'stopping' };
  if (stopped !== undefined) return { session: { status: 'completed', message: stopped }, run: 'stopping' };
  return status === undefined ? {} : { session_status: status };
}
