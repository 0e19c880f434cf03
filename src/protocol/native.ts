/**
 * Frames of the native wire to events: the Octavus wire protocol 2.0, section 3, plus the kinds of our own server.
 *
 * Tolerant in: an unknown kind or a malformed event that the turn can do without is passed over,
 * `null` in an optional field counts as absent, unknown words of a closed list become the word for all others,
 * unknown keys are ignored. A switch instead of a schema union: a delta costs a few property checks and comes back
 * as the object it was.
 */
import { AgentChatError, describeThrown } from '../shared/errors.ts';
import { hasOwn, isRecord } from '../shared/json.ts';
import type {
  AgentEvent,
  BlockDisplay,
  BlockStartEvent,
  DocumentSourceEvent,
  TokenUsage,
  UrlSourceEvent,
} from './events.ts';
import { decodeErrorEvent, decodeFinish } from './native-endings.ts';
import {
  isBoolean,
  isName,
  isNumber,
  isOneOf,
  isPresent,
  isString,
  pick,
  pickPassing,
  type Raw,
  type Shape,
  wordOf,
} from './native-fields.ts';
import { decodeClientToolRequest, decodeToolCalls } from './native-tool-calls.ts';

const DISPLAYS: readonly BlockDisplay[] = ['hidden', 'name', 'description', 'stream'];
const USAGE = {
  inputTokens: isNumber,
  outputTokens: isNumber,
  totalTokens: isNumber,
  reasoningTokens: isNumber,
  cachedInputTokens: isNumber,
  turns: isNumber,
  model: isString,
};

/** Events that decode by their fields alone. The other events have a case of their own below. */
const SHAPES = {
  start: [{}, { messageId: isString, executionId: isString }],
  'text-start': [{ id: isString }, { responseType: isString }],
  'text-end': [{ id: isString }],
  'reasoning-start': [{ id: isString }],
  'reasoning-end': [{ id: isString }],
  'tool-input-start': [{ toolCallId: isName, toolName: isName }, { title: isString }],
  'tool-input-end': [{ toolCallId: isName }],
  'tool-input-available': [{ toolCallId: isName, toolName: isName, input: isPresent }],
  'tool-output-available': [{ toolCallId: isName, output: isPresent }],
  'tool-output-error': [{ toolCallId: isName, error: isString }],
  'tool-result-acknowledged': [{ toolCallId: isName, status: isOneOf('accepted', 'expired', 'duplicate') }],
  'block-end': [{ blockId: isString }, { summary: isString }],
  'resource-update': [{ name: isString, value: isPresent }],
  'file-available': [
    { id: isString, mediaType: isString, url: isString },
    { filename: isString, size: isNumber, toolCallId: isString },
  ],
  notice: [{ code: isString, text: isString }, { toolCallId: isString }],
} satisfies { readonly [Type in AgentEvent['type']]?: Shape<EventOf<AgentEvent, Type>> };
/** Some events have several types. */
type EventOf<Event extends AgentEvent, Type> = Event extends unknown
  ? Type extends Event['type']
    ? Event
    : never
  : never;
/** Shapes that another field of the event chooses. */
const URL_SOURCE: Shape<UrlSourceEvent> = [
  { sourceType: isOneOf('url'), id: isString, url: isString },
  { title: isString },
];
const DOCUMENT_SOURCE: Shape<DocumentSourceEvent> = [
  { sourceType: isOneOf('document'), id: isString, mediaType: isString, title: isString },
  { filename: isString },
];
const BLOCK: Shape<Omit<BlockStartEvent, 'display'> & { display: string }> = [
  { blockId: isString, blockName: isString, blockType: isString, display: isString },
  { description: isString, outputToChat: isBoolean, thread: isString },
];

/**
 * Decodes one parsed frame. Never throws. The event may be the frame itself, so pass a frame that no other code
 * uses. The transport adds `cursor`.
 *
 * @returns undefined for a frame that is not understood: the stream goes on without it, `onUnknownEvent` takes it. An error
 * `invalid_event`, with the frame as its `cause`, where the turn cannot go on.
 */
export function decodeNativeEvent(raw: unknown): AgentEvent | AgentChatError | undefined {
  if (!isRecord(raw)) return undefined;
  try {
    return decode(raw);
  } catch (thrown) {
    return raw.type === 'client-tool-request' ? malformedRequest(describeThrown(thrown), raw) : undefined;
  }
}

function decode(raw: Raw): AgentEvent | undefined {
  const { type } = raw;
  switch (type) {
    case 'text-delta':
    case 'reasoning-delta':
      return isString(raw.id) && isString(raw.delta) ? asItIs(raw) : undefined;
    case 'tool-input-delta':
      return isString(raw.toolCallId) && isString(raw.inputTextDelta) ? asItIs(raw) : undefined;
    case 'finish':
      return decodeFinish(raw);
    case 'error':
      return decodeErrorEvent(raw);
    case 'source':
      return pick(raw, URL_SOURCE) ?? pick(raw, DOCUMENT_SOURCE);
    case 'block-start': {
      const event = pick(raw, BLOCK);
      // Later versions know more ways to show a block; all of them name it.
      return event && { ...event, display: wordOf(DISPLAYS, event.display, 'name') };
    }
    case 'tool-output-available':
      // The reference server leaves the key out when a tool returned nothing.
      return pick({ ...raw, output: raw.output ?? null }, SHAPES[type]);
    case 'client-tool-request':
      return decodeClientToolRequest(raw);
    case 'tool-request':
      return { type, toolCalls: decodeToolCalls(raw.toolCalls) };
    case 'usage': {
      const usage: TokenUsage = isRecord(raw.usage) ? pickPassing(raw.usage, USAGE) : {};
      return Object.keys(usage).length > 0 ? { type, usage } : undefined;
    }
    default:
      return isString(type) && hasOwn(SHAPES, type)
        ? pick(raw, SHAPES[type as keyof typeof SHAPES] as Shape<AgentEvent>)
        : undefined;
  }
}

/** Removes `cursor`, which only the transport may set. */
function asItIs(raw: { cursor?: unknown }): AgentEvent {
  if (hasOwn(raw, 'cursor')) delete raw.cursor;
  return raw as unknown as AgentEvent;
}

function malformedRequest(fault: string, raw: Raw): AgentChatError {
  return new AgentChatError({
    code: 'invalid_event',
    errorType: 'protocol_error',
    message: `The agent's request for client tools cannot be read: ${fault}. Check the server; the event is this error's cause.`,
    cause: raw,
  });
}
