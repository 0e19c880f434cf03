/** The tool calls among the parts of a message, and what each chunk changes about one. */
import { deepEqual } from '../../shared/deep-equal.ts';
import { compact, isRecord } from '../../shared/json.ts';
import { type AiSdkChunk, type AiSdkPart, type AiSdkToolPart, isToolPart } from './ui-message.ts';

export type MutablePart = { type: string; [key: string]: unknown };

/** True for a call that has its end. */
export function isOver({ state, preliminary }: AiSdkToolPart): boolean {
  return state === 'output-available' ? preliminary !== true : /^output-/.test(state);
}

/** Returns the latest call that a chunk is about. */
export function findToolPart(
  parts: readonly MutablePart[],
  { toolCallId, approvalId }: AiSdkChunk,
): AiSdkToolPart | undefined {
  return parts.findLast((part): part is MutablePart & AiSdkToolPart => {
    if (!isToolPart(part as AiSdkPart)) return false;
    if (toolCallId !== undefined) return part.toolCallId === toolCallId;
    return isRecord(part.approval) && part.approval.id === approvalId;
  });
}

/**
 * How a chunk that announces a call relates to the calls of the message. Some providers count `call_0` anew in each step, so an id that
 * has its end comes again.
 *
 * - `new`: a call of its own
 * - `known`: an earlier announcement goes on, or comes twice, as by merged streams
 * - `held`: its arguments will tell
 * - `repeated`: the same arguments as a call that was answered with this request
 */
export function toAnnouncement(
  parts: readonly MutablePart[],
  chunk: AiSdkChunk,
  stepBegin: number,
  isAnswered: (part: AiSdkToolPart) => boolean,
): 'new' | 'known' | 'held' | 'repeated' {
  const part = findToolPart(parts, chunk);
  if (part === undefined) return 'new';
  if (!isOver(part)) return 'known';
  const isEarlier = parts.indexOf(part) < stepBegin;
  if (chunk.type === 'tool-input-start') return isEarlier ? 'held' : 'known';
  const isSame = deepEqual(part.input, chunk.input);
  if (!isEarlier) return isSame ? 'known' : 'new';
  return isSame && isAnswered(part) ? 'repeated' : 'new';
}

export function toToolPart({ toolCallId, toolName, dynamic, title }: AiSdkChunk): MutablePart {
  const type = dynamic ? 'dynamic-tool' : `tool-${toolName}`;
  return compact({
    type,
    toolCallId,
    toolName: dynamic ? toolName : undefined,
    title,
    state: 'input-streaming',
  }) as MutablePart;
}

/** What another end of the call may have left. */
const NO_END = { output: undefined, preliminary: undefined, errorText: undefined };

/** Returns the keys of the part that a chunk changes. */
export function toToolChange(part: AiSdkToolPart, chunk: AiSdkChunk): Readonly<Record<string, unknown>> {
  const { providerExecuted, providerMetadata, toolMetadata } = chunk;
  const more = compact({ providerExecuted, toolMetadata });
  switch (chunk.type) {
    case 'tool-input-start':
    case 'tool-input-available':
    case 'tool-input-error': {
      const called = { ...more, ...compact({ callProviderMetadata: providerMetadata }) };
      if (chunk.type === 'tool-input-start') return called;
      // Announced again, as by merged streams: it keeps its output.
      if (part.state !== 'input-streaming') return {};
      const end =
        chunk.type === 'tool-input-error'
          ? { state: 'output-error', errorText: chunk.errorText }
          : { state: part.approval ? 'approval-requested' : 'input-available' };
      return { ...called, input: chunk.input, ...end };
    }
    case 'tool-approval-request': {
      const approval = toApproval(chunk);
      // Merged streams may ask before the call is complete. Nobody is asked about half a call.
      return part.state === 'input-streaming' ? { approval } : { state: 'approval-requested', approval };
    }
    case 'tool-approval-response': {
      const { approved, reason } = chunk;
      return {
        state: 'approval-responded',
        approval: { ...part.approval, ...compact({ approved, reason }) },
      };
    }
    case 'tool-output-available': {
      const { output, preliminary } = chunk;
      return {
        ...NO_END,
        state: 'output-available',
        output: output ?? null,
        preliminary,
        approval: allowedBy(part),
        ...more,
        ...compact({ resultProviderMetadata: providerMetadata }),
      };
    }
    case 'tool-output-error':
      return {
        ...NO_END,
        state: 'output-error',
        errorText: chunk.errorText,
        approval: allowedBy(part),
        ...more,
      };
    case 'tool-output-denied':
      return { state: 'output-denied' };
    default:
      return {};
  }
}

function toApproval(chunk: AiSdkChunk): unknown {
  const { type: _, approvalId, toolCallId: __, approvalDescriptor, reason, ...rest } = chunk;
  return compact({ ...rest, id: approvalId, descriptor: approvalDescriptor, requestReason: reason });
}

/** Returns the approval of a call that has its end. `validateUIMessages` refuses one that was not given. */
function allowedBy({ approval }: AiSdkToolPart): unknown {
  return approval?.approved === true ? approval : undefined;
}
