/** Posts an answer of a client tool (Mantyx protocol 0.11, section 6). */
import type { ToolAnswer } from '../../core/protocol/commands.ts';
import type { NoticeEvent } from '../../core/protocol/events.ts';
import { withFiles } from '../../core/protocol/with-files.ts';
import type { TransportIO } from '../../core/transport/agent-transport.ts';
import type { Delivery, PostRequest } from '../../core/transport/create-one-by-one-transport.ts';
import { AgentChatError } from '../../shared/errors.ts';
import { countBytes } from './assert-limit.ts';
import type { Api } from './create-api.ts';

const MAX_RESULT_BYTES = 2 * 1024 * 1024;
const MAX_ERROR_BYTES = 8 * 1024;

export interface PostContext {
  readonly api: Api;
  readonly isOver: (runId: string, signal: AbortSignal) => Promise<boolean>;
}

/** Throws `connection_failed` and `http_error`. */
export async function postAnswer(
  { api, isOver }: PostContext,
  { executionId: runId, answer, mayHaveArrived }: PostRequest,
  { signal }: TransportIO,
): Promise<Delivery> {
  const body = { toolUseId: answer.toolCallId, ...toBody(answer).sent };
  try {
    await api.ask({ path: `agent-runs/${encodeURIComponent(runId)}/tool-results`, body }, signal);
    return 'accepted';
  } catch (thrown) {
    const status = AgentChatError.isInstance(thrown) ? thrown.status : undefined;
    if (status !== 404 && status !== 409) throw thrown;
    // An earlier attempt arrived, and only its response was lost.
    if (mayHaveArrived) return 'duplicate';
    // The call is not open: its run is over, or another page answered it. This must be decided now, because a further attempt
    // would look as if this one had arrived.
    return status === 409 || (await isOver(runId, signal).catch(() => false)) ? 'expired' : 'elsewhere';
  }
}

/** Tells the person that the agent gets an error in place of a result that is too large. */
export function toSizeNotice(answer: ToolAnswer): NoticeEvent | undefined {
  const { notice: text } = toBody(answer);
  const { toolCallId } = answer;
  return text === undefined ? undefined : { type: 'notice', code: 'tool_result_too_large', text, toolCallId };
}

interface Body {
  readonly sent: { readonly result: string } | { readonly error: string };
  /** A notice for the person. */
  readonly notice?: string;
}

/** A result over the limit becomes an error and is not cut, because a part of it could mean something else. */
function toBody({ toolName, result: returned, error, files }: ToolAnswer): Body {
  if (error !== undefined) return { sent: { error: cutText(error) } };
  const result = withFiles(returned, files);
  const text = typeof result === 'string' ? result : JSON.stringify(result ?? null);
  const bytes = countBytes(text);
  if (bytes <= MAX_RESULT_BYTES) return { sent: { result: text } };
  const notice = `The result of ${toolName} has ${bytes} bytes, and at most ${MAX_RESULT_BYTES} can be sent, so the agent got an error instead. Return less, or a reference to it.`;
  return { sent: { error: cutText(notice) }, notice };
}

/** Cuts a text to the limit, between characters. */
function cutText(text: string): string {
  const bytes = new TextEncoder().encode(text);
  if (bytes.byteLength <= MAX_ERROR_BYTES) return text;
  const room = MAX_ERROR_BYTES - countBytes('…');
  return `${new TextDecoder().decode(bytes.subarray(0, room), { stream: true })}…`;
}
