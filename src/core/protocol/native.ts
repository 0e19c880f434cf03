/**
 * Decodes frames of the native wire: the Octavus wire protocol 2.0, section 3, plus the kinds that `handrail/server` adds.
 *
 * The decoder is tolerant: an unknown kind is ignored, and so is a malformed event, unless the turn cannot go on without it. An optional
 * field that is null or of a wrong type counts as absent. An unknown word of a closed list becomes the word for all others. Unknown
 * fields are ignored.
 *
 * It is a switch, not a union of schemas, because deltas are by far the most frequent events: a delta costs three property checks and
 * no copy.
 */
import { AgentChatError, describeThrown } from '../../shared/errors.ts';
import { hasOwn, isRecord } from '../../shared/json.ts';
import type { Answerer } from '../../shared/principal.ts';
import { isToolOutcome } from '../../shared/tool-outcome.ts';
import type {
  AgentEvent,
  DocumentSourceEvent,
  ResultFile,
  TodoItem,
  TokenUsage,
  UrlSourceEvent,
} from './events.ts';
import { decodeErrorEvent, decodeFinish } from './native-endings.ts';
import {
  type Check,
  isBoolean,
  isListOf,
  isName,
  isNumber,
  isOneOf,
  isPresent,
  isString,
  pick,
  pickPassing,
  type Raw,
  type Shape,
} from './native-fields.ts';
import { decodeClientToolRequest, decodeSnapshotEvent } from './native-tool-calls.ts';

const USAGE = {
  inputTokens: isNumber,
  outputTokens: isNumber,
  totalTokens: isNumber,
  reasoningTokens: isNumber,
  cachedInputTokens: isNumber,
  turns: isNumber,
  model: isString,
};

const isAnswerer: Check<Answerer> = (value): value is Answerer =>
  isRecord(value) && isName(value.id) && isString(value.name ?? '');

/** The events that need no more than a check of their fields. The others have a case of their own below. */
const SHAPES = {
  start: [
    {},
    {
      messageId: isString,
      executionId: isString,
      idempotencyKey: isString,
      restarted: isBoolean,
      sessionId: isName,
      lastMessageId: isName,
    },
  ],
  'text-start': [{ id: isString }, { responseType: isString }],
  'text-end': [{ id: isString }, { text: isString, error: isString }],
  'reasoning-start': [{ id: isString }],
  'reasoning-end': [{ id: isString }],
  'tool-input-start': [
    { toolCallId: isName, toolName: isName },
    { title: isString, display: isString },
  ],
  'tool-input-end': [{ toolCallId: isName }],
  'tool-input-available': [
    { toolCallId: isName, toolName: isName, input: isPresent },
    { title: isString, providerExecuted: isBoolean },
  ],
  'tool-output-available': [{ toolCallId: isName, output: isPresent }],
  'tool-output-error': [{ toolCallId: isName, error: isString }],
  'tool-result-acknowledged': [
    { toolCallId: isName, status: isOneOf('accepted', 'expired', 'duplicate') },
    {
      ...{
        answeredBy: isAnswerer,
        result: isPresent,
        error: isString,
        outcome: isToolOutcome,
        reason: isString,
      },
      files: isListOf<ResultFile>(isString, 'id', 'mediaType', 'url'),
    },
  ],
  'block-start': [
    { blockId: isString, blockName: isString, blockType: isString, display: isString },
    { description: isString, isOperation: isBoolean, outputToChat: isBoolean, thread: isString },
  ],
  'block-end': [{ blockId: isString }, { summary: isString }],
  'resource-update': [{ name: isString, value: isPresent }],
  'todo-update': [{ todos: isListOf<TodoItem>(isString, 'id', 'content', 'status') }],
  'file-available': [
    { id: isString, mediaType: isString, url: isString },
    { filename: isString, size: isNumber, toolCallId: isString },
  ],
  notice: [{ code: isString, text: isString }, { toolCallId: isString }],
} satisfies { readonly [Type in AgentEvent['type']]?: Shape<EventOf<AgentEvent, Type>> };
/** Selects the event of a type. An event such as `TextDeltaEvent` has several types. */
type EventOf<Event extends AgentEvent, Type> = Event extends unknown
  ? Type extends Event['type']
    ? Event
    : never
  : never;
/** The shapes of `source` depend on its `sourceType`. */
const URL_SOURCE: Shape<UrlSourceEvent> = [
  { sourceType: isOneOf('url'), id: isString, url: isString },
  { title: isString },
];
const DOCUMENT_SOURCE: Shape<DocumentSourceEvent> = [
  { sourceType: isOneOf('document'), id: isString, mediaType: isString, title: isString },
  { filename: isString },
];

/**
 * Decodes one parsed frame. Never throws. The event may be the frame itself, so the caller must not use the frame afterwards. The
 * transport sets `cursor`.
 *
 * @returns undefined for an unknown frame: the stream goes on, and `onUnknownEvent` takes the frame. An error `invalid_event`, with the
 * frame as its `cause`, if the turn cannot go on.
 */
export function decodeNativeEvent(frame: unknown): AgentEvent | AgentChatError | undefined {
  if (!isRecord(frame)) return undefined;
  const raw = showWorkerAsCall(frame);
  try {
    const event = decode(raw);
    return event && isName(raw.workerId) ? { ...event, workerId: raw.workerId } : event;
  } catch (thrown) {
    return malformedEvent(describeThrown(thrown), raw);
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
    case 'tool-output-available':
      // The reference server leaves `output` out when a tool returned nothing.
      return pick({ ...raw, output: raw.output ?? null }, SHAPES[type]);
    case 'client-tool-request':
      return decodeClientToolRequest(raw);
    case 'snapshot':
      return decodeSnapshotEvent(raw);
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

/**
 * Rewrites the frames of a worker, an agent that the agent starts (Octavus 6.4), as those of a tool call. The id of the worker names
 * the call, and the thread of everything that the worker sends. Returns every other frame as it is.
 */
function showWorkerAsCall(raw: Raw): Raw {
  const { workerId: toolCallId, workerSlug: toolName = toolCallId } = raw;
  switch (raw.type) {
    case 'worker-input-start':
      return { type: 'tool-input-start', toolCallId, toolName, title: raw.description };
    case 'worker-input-delta':
      return { type: 'tool-input-delta', toolCallId, inputTextDelta: raw.delta };
    case 'worker-input-ready':
    case 'worker-start':
      return {
        type: 'tool-input-available',
        toolCallId,
        toolName,
        title: raw.description,
        input: raw.input ?? {},
      };
    case 'worker-result':
      return {
        type: isString(raw.error) ? 'tool-output-error' : 'tool-output-available',
        toolCallId,
        output: raw.output,
        error: raw.error,
      };
    default:
      return raw;
  }
}

/** Returns the frame as the event, without copying it. A `cursor` in the frame is removed: only the transport knows the position. */
function asItIs(raw: { cursor?: unknown }): AgentEvent {
  if (hasOwn(raw, 'cursor')) delete raw.cursor;
  return raw as unknown as AgentEvent;
}

function malformedEvent(fault: string, raw: Raw): AgentChatError {
  return new AgentChatError({
    code: 'invalid_event',
    errorType: 'protocol_error',
    message: `The agent's event ${raw.type} cannot be read: ${fault}. The event is this error's cause.`,
    cause: raw,
  });
}
