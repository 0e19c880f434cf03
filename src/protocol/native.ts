/**
 * Frames of the native wire to events: the Octavus wire protocol 2.0, section 3, plus the kinds of our own server.
 *
 * Tolerant in: an unknown kind or a malformed event that the turn can do without is handed back as `unknown`,
 * `null` in an optional field counts as absent, unknown words of a closed list become the word for all others,
 * unknown keys are ignored. A switch instead of a schema union: a delta costs a few property checks and comes back
 * as the object it was.
 */
import { AgentChatError } from '../shared/errors.ts';
import { hasOwn, isRecord } from '../shared/json.ts';
import type { AgentEvent, BlockDisplay, TokenUsage } from './events.ts';
import { decodeErrorEvent, decodeFinish } from './native-endings.ts';
import { isBoolean, isName, isNumber, isPresent, isString, pick, type Raw, wordOf } from './native-fields.ts';
import { decodeClientToolRequest, decodeToolCalls } from './native-tool-calls.ts';

/** What a frame turned out to be; exactly one of the keys is there. */
export type DecodedFrame =
  | { readonly event: AgentEvent; readonly unknown?: undefined; readonly invalid?: undefined }
  /** Not understood, and the stream goes on without it: the raw value, for `onUnknownEvent`. */
  | { readonly unknown: unknown; readonly event?: undefined; readonly invalid?: undefined }
  /** The turn cannot go on: code `invalid_event`, with the raw event as `cause`. */
  | { readonly invalid: AgentChatError; readonly event?: undefined; readonly unknown?: undefined };

type StartFields = { messageId: string; executionId: string };

const DISPLAYS: readonly BlockDisplay[] = ['hidden', 'name', 'description', 'stream'];
const ACKNOWLEDGEMENTS = ['accepted', 'expired', 'duplicate'] as const;
const USAGE_COUNTS = [
  'inputTokens',
  'outputTokens',
  'totalTokens',
  'reasoningTokens',
  'cachedInputTokens',
  'turns',
] as const;

/**
 * Decodes one parsed frame. Never throws. The event may be the frame itself, so hand over a frame that nobody
 * else keeps; `cursor` is left to the transport.
 */
export function decodeNativeEvent(raw: unknown): DecodedFrame {
  if (!isRecord(raw)) return { unknown: raw };
  if (raw.type === 'client-tool-request') {
    const request = decodeClientToolRequest(raw);
    return 'fault' in request ? { invalid: malformedRequest(request.fault, raw) } : { event: request };
  }
  const event = decodeOptional(raw);
  return event === undefined ? { unknown: raw } : { event };
}

function decodeOptional(raw: Raw): AgentEvent | undefined {
  switch (raw.type) {
    case 'text-delta':
    case 'reasoning-delta':
      if (!isString(raw.id) || !isString(raw.delta)) return undefined;
      return hasOwn(raw, 'cursor')
        ? { type: raw.type, id: raw.id, delta: raw.delta }
        : (raw as unknown as AgentEvent);
    case 'tool-input-delta': {
      const { toolCallId, inputTextDelta } = raw;
      if (!isString(toolCallId) || !isString(inputTextDelta)) return undefined;
      return hasOwn(raw, 'cursor')
        ? { type: raw.type, toolCallId, inputTextDelta }
        : (raw as unknown as AgentEvent);
    }
    case 'text-start':
      return pick(raw, raw.type, { id: isString }, { responseType: isString });
    case 'text-end':
    case 'reasoning-start':
    case 'reasoning-end':
      return pick(raw, raw.type, { id: isString });
    case 'start':
      return pick<'start', object, StartFields>(
        raw,
        raw.type,
        {},
        { messageId: isString, executionId: isString },
      );
    case 'finish':
      return decodeFinish(raw);
    case 'error':
      return decodeErrorEvent(raw);
    case 'block-start':
      return decodeBlockStart(raw);
    case 'block-end':
      return pick(raw, raw.type, { blockId: isString }, { summary: isString });
    case 'resource-update':
      return pick(raw, raw.type, { name: isString, value: isPresent });
    case 'source':
      return decodeSource(raw);
    case 'file-available':
      return pick(
        raw,
        raw.type,
        { id: isString, mediaType: isString, url: isString },
        { filename: isString, size: isNumber, toolCallId: isString },
      );
    default:
      return decodeToolEvent(raw) ?? decodeOwnKinds(raw);
  }
}

function decodeToolEvent(raw: Raw): AgentEvent | undefined {
  switch (raw.type) {
    case 'tool-input-start':
      return pick(raw, raw.type, { toolCallId: isName, toolName: isName }, { title: isString });
    case 'tool-input-end':
      return pick(raw, raw.type, { toolCallId: isName });
    case 'tool-input-available':
      return pick(raw, raw.type, { toolCallId: isName, toolName: isName, input: isPresent });
    case 'tool-output-available':
      // The reference server leaves the key out when a tool returned nothing.
      return pick({ ...raw, output: raw.output ?? null }, raw.type, {
        toolCallId: isName,
        output: isPresent,
      });
    case 'tool-output-error':
      return pick(raw, raw.type, { toolCallId: isName, error: isString });
    case 'tool-request': {
      const toolCalls = decodeToolCalls(raw.toolCalls);
      return 'fault' in toolCalls ? undefined : { type: raw.type, toolCalls };
    }
    default:
      return undefined;
  }
}

/** Kinds that protocol 2.0 does not have. */
function decodeOwnKinds(raw: Raw): AgentEvent | undefined {
  switch (raw.type) {
    case 'usage': {
      const usage = decodeUsage(raw.usage);
      return usage && { type: raw.type, usage };
    }
    case 'notice':
      return pick(raw, raw.type, { code: isString, text: isString }, { toolCallId: isString });
    case 'tool-result-acknowledged': {
      const status = wordOf(ACKNOWLEDGEMENTS, raw.status, '');
      return isName(raw.toolCallId) && status !== ''
        ? { type: raw.type, toolCallId: raw.toolCallId, status }
        : undefined;
    }
    default:
      return undefined;
  }
}

function decodeBlockStart(raw: Raw): AgentEvent | undefined {
  const event = pick(
    raw,
    'block-start',
    { blockId: isString, blockName: isString, blockType: isString, display: isString },
    { description: isString, outputToChat: isBoolean, thread: isString },
  );
  // Later versions know more ways to show a block; all of them name it.
  return event && { ...event, display: wordOf(DISPLAYS, event.display, 'name') };
}

function decodeSource(raw: Raw): AgentEvent | undefined {
  if (raw.sourceType === 'url') {
    const source = pick(raw, 'source', { id: isString, url: isString }, { title: isString });
    return source && { ...source, sourceType: 'url' };
  }
  if (raw.sourceType !== 'document') return undefined;
  const source = pick(
    raw,
    'source',
    { id: isString, mediaType: isString, title: isString },
    { filename: isString },
  );
  return source && { ...source, sourceType: 'document' };
}

function decodeUsage(raw: unknown): TokenUsage | undefined {
  if (!isRecord(raw)) return undefined;
  const usage: Record<string, unknown> = {};
  for (const count of USAGE_COUNTS) if (isNumber(raw[count])) usage[count] = raw[count];
  if (isString(raw.model)) usage.model = raw.model;
  return Object.keys(usage).length === 0 ? undefined : usage;
}

function malformedRequest(fault: string, raw: Raw): AgentChatError {
  return new AgentChatError({
    code: 'invalid_event',
    errorType: 'protocol_error',
    message: `The agent asked for client tools in a form that cannot be read: ${fault}. The run cannot go on without it; check the server that sent the event (it is this error's cause).`,
    cause: raw,
  });
}
