/** Decodes the chunks of one response to events of the engine (UI message stream of `ai` 6 and 7). */
import type { AgentEvent, FinishReason } from '../../core/protocol/events.ts';
import { readTokenUsage } from '../../core/protocol/token-usage.ts';
import { createId } from '../../shared/ids.ts';
import { compact, isRecord } from '../../shared/json.ts';
import type { AiSdkChunk, AiSdkToolPart } from './ui-message.ts';

const FINISH_REASONS: readonly FinishReason[] = ['stop', 'length', 'content-filter', 'error'];

/** The end of a response as its chunks tell of it. The calls that it leaves open come on top. */
export interface ResponseEnd {
  /** True once the response is complete: by `finish`, or by `[DONE]`. */
  isComplete: boolean;
  /** True if the server gave the response up. The calls that it leaves open are not asked about. */
  isAborted: boolean;
  finishReason: FinishReason;
}

/** The call that a chunk is about: its part, and its id on the page. */
export interface NamedCall {
  readonly part: AiSdkToolPart;
  readonly toolCallId: string;
}

/** Returns the events of a chunk, except those that end the run. An unknown chunk goes to `onUnknownEvent`. */
export function decodeChunk(
  chunk: AiSdkChunk,
  named: NamedCall | undefined,
  end: ResponseEnd,
  onUnknownEvent: (event: unknown) => void,
): readonly AgentEvent[] {
  switch (chunk.type) {
    case 'done':
      end.isComplete = true;
      return [];
    case 'finish':
      end.isComplete = true;
      end.finishReason =
        FINISH_REASONS.find((known) => known === chunk.finishReason) ??
        (chunk.finishReason ? 'other' : 'stop');
      return decodeUsage(chunk.messageMetadata);
    case 'message-metadata':
      return decodeUsage(chunk.messageMetadata);
    case 'start':
      return typeof chunk.messageId === 'string' ? [{ type: 'start', messageId: chunk.messageId }] : [];
    case 'start-step':
    case 'finish-step':
    case 'reset-step':
      return [];
    case 'error':
      return [
        {
          type: 'error',
          errorType: 'execution_error',
          message: String(chunk.errorText),
          retryable: true,
          source: 'platform',
        },
      ];
    case 'abort':
      end.isComplete = true;
      end.isAborted = true;
      end.finishReason = 'other';
      return [{ type: 'notice', code: 'cancelled', text: toCancelText(chunk.reason) }];
    default:
      return decodeContent(chunk) ?? decodeToolChunk(chunk, named) ?? unknown(chunk, onUnknownEvent);
  }
}

function unknown(chunk: AiSdkChunk, onUnknownEvent: (event: unknown) => void): readonly AgentEvent[] {
  onUnknownEvent(chunk);
  return [];
}

function toCancelText(reason: unknown): string {
  return typeof reason === 'string' ? `The run was cancelled: ${reason}.` : 'The run was cancelled.';
}

/** Texts, sources, files and data. */
function decodeContent(chunk: AiSdkChunk): readonly AgentEvent[] | undefined {
  const id = String(chunk.id);
  switch (chunk.type) {
    case 'text-start':
    case 'text-end':
    case 'reasoning-start':
    case 'reasoning-end':
      return [{ type: chunk.type, id }];
    case 'text-delta':
    case 'reasoning-delta':
      return typeof chunk.delta === 'string' ? [{ type: chunk.type, id, delta: chunk.delta }] : [];
    case 'source-url': {
      const { sourceId, url, title } = chunk;
      return [compact({ type: 'source', sourceType: 'url', id: sourceId, url, title }) as AgentEvent];
    }
    case 'source-document': {
      const { sourceId, mediaType, title, filename } = chunk;
      const source = { type: 'source', sourceType: 'document', id: sourceId, mediaType, title, filename };
      return [compact(source) as AgentEvent];
    }
    case 'file': {
      const { url, mediaType } = chunk as unknown as { readonly url: string; readonly mediaType: string };
      return [{ type: 'file-available', id: createId(), url, mediaType }];
    }
    case 'custom':
    case 'reasoning-file':
    case 'steering-message':
      return [{ type: 'notice', code: chunk.type, text: describeRare(chunk) }];
    default:
      return chunk.type.startsWith('data-') ? decodeData(chunk) : undefined;
  }
}

function describeRare({ type, kind }: AiSdkChunk): string {
  if (type === 'reasoning-file') return 'The agent made a file while it was thinking.';
  if (type === 'steering-message') return 'A message reached the agent while it was working.';
  return `The agent sent ${String(kind)}.`;
}

/** The app hears of all data as of a resource. Data with an id takes the place of the data before it. */
function decodeData({ type, id, data, transient }: AiSdkChunk): readonly AgentEvent[] {
  const name = type.slice('data-'.length);
  const update: AgentEvent = { type: 'resource-update', name, value: data };
  if (transient) return [update];
  const shown = id === undefined ? createId() : String(id);
  return [update, { type: 'object-available', id: shown, typeName: name, object: data }];
}

function decodeToolChunk(chunk: AiSdkChunk, named: NamedCall | undefined): readonly AgentEvent[] | undefined {
  const { type, toolName, title, input, providerExecuted } = chunk;
  const { toolCallId = String(chunk.toolCallId), part } = named ?? {};
  const call = { toolCallId, toolName: String(toolName) };
  const available: AgentEvent = {
    type: 'tool-input-available',
    ...call,
    input: toArgs(input),
    ...(typeof title === 'string' && { title }),
    ...(providerExecuted === true && { providerExecuted }),
  };
  switch (type) {
    case 'tool-input-start':
      return [{ type, ...call, ...(typeof title === 'string' && { title }) }];
    case 'tool-input-delta':
      return [{ type, toolCallId, inputTextDelta: String(chunk.inputTextDelta ?? '') }];
    case 'tool-input-available':
      return [available];
    case 'tool-input-error':
      return [available, { type: 'tool-output-error', toolCallId, error: String(chunk.errorText) }];
    case 'tool-output-available':
      return [
        {
          type,
          toolCallId,
          output: chunk.output ?? null,
          ...(chunk.preliminary === true && { preliminary: true }),
        },
      ];
    case 'tool-output-error':
      return [{ type, toolCallId, error: String(chunk.errorText) }];
    case 'tool-output-denied':
      return [
        {
          type: 'tool-output-available',
          toolCallId,
          output: undefined,
          outcome: 'declined',
          ...compact({ reason: part?.approval?.reason }),
        },
      ];
    case 'tool-approval-request':
    case 'tool-approval-response':
      return [];
    default:
      return undefined;
  }
}

/** Arguments are an object. A tool that takes plain text gets it as `input`. */
export function toArgs(input: unknown): Readonly<Record<string, unknown>> {
  return isRecord(input) ? input : { input };
}

/** Servers often send the usage as metadata of the message, under either of these names. */
function decodeUsage(metadata: unknown): readonly AgentEvent[] {
  if (!isRecord(metadata)) return [];
  const usage = readTokenUsage([metadata.totalUsage, metadata.usage].find(isRecord));
  return usage === undefined ? [] : [{ type: 'usage', usage }];
}
