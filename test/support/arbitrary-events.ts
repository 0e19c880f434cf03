/** All events of a backend in any order, with few ids, so that streams overlap, repeat and end twice. */
import fc from 'fast-check';
import type { AgentEvent } from '../../src/core/protocol/events.ts';

const id = fc.constantFrom('1', '2', '__proto__');
const toolCallId = id;
const toolName = fc.constantFrom('ask', 'rate', 'auto', 'throws', 'missing', '__proto__', 'constructor');
const key = fc.constantFrom('a', 'b', '__proto__', 'toString');
const json = fc.jsonValue({ maxDepth: 2 });
const args = fc.dictionary(key, json, { maxKeys: 3, noNullPrototype: true });
const executionId = fc.constantFrom('run-1', 'run-2');
const text = fc.oneof(
  fc.constantFrom('{"a":', '[1,', '"x', '\\u00', '"}', 'null', '}', '{"a":{"b":[1]}}', ''),
  fc.string({ unit: 'binary', maxLength: 6 }),
);

/** An event of that type. Fields of `optional` may be absent, and any event may have a cursor. */
function event(
  type: AgentEvent['type'],
  fields: Record<string, fc.Arbitrary<unknown>>,
  optional: Record<string, fc.Arbitrary<unknown>> = {},
): fc.Arbitrary<AgentEvent> {
  const all = { type: fc.constant(type), ...fields, ...optional, cursor: fc.constantFrom('p1', 'p2') };
  const requiredKeys = ['type', ...Object.keys(fields)] as (keyof typeof all)[];
  // Events come from JSON, which has neither -0 nor objects without prototype.
  return fc
    .record<Record<string, unknown>>(all, { requiredKeys })
    .map((fresh) => JSON.parse(JSON.stringify(fresh)) as AgentEvent);
}

const pendingCall = fc.record(
  { toolCallId, toolName, args, deadline: fc.constant(Date.UTC(2026, 0, 2)) },
  { requiredKeys: ['toolCallId', 'toolName', 'args'] },
);

/** Events that neither end a run nor request a tool call. */
const contentEvent: fc.Arbitrary<AgentEvent> = fc.oneof(
  event(
    'start',
    {},
    {
      messageId: fc.constantFrom('m-1', 'm-2', 'id-1'),
      executionId,
      sessionId: fc.constant('s'),
      lastMessageId: fc.constantFrom('m-0', 'm-1'),
    },
  ),
  event('text-start', { id }, { responseType: fc.constantFrom('Order', '__proto__') }),
  event('text-delta', { id, delta: text }),
  event('text-end', { id }),
  event('reasoning-start', { id }),
  event('reasoning-delta', { id, delta: text }),
  event('reasoning-end', { id }),
  event(
    'tool-input-start',
    { toolCallId, toolName },
    { title: fc.string({ maxLength: 3 }), display: fc.constantFrom('title', 'stream') },
  ),
  event('tool-input-delta', { toolCallId, inputTextDelta: text }),
  event('tool-input-end', { toolCallId }),
  event('tool-input-available', { toolCallId, toolName, input: json }),
  event('tool-output-available', { toolCallId, output: json }),
  event('tool-output-error', { toolCallId, error: fc.string({ maxLength: 3 }) }),
  event('source', { sourceType: fc.constant('url'), id, url: fc.webUrl() }, { title: fc.string() }),
  event(
    'source',
    { sourceType: fc.constant('document'), id, mediaType: fc.constant('text/plain'), title: fc.string() },
    { filename: fc.string() },
  ),
  event(
    'block-start',
    {
      blockId: id,
      blockName: fc.string({ maxLength: 3 }),
      blockType: fc.constantFrom('set-resource', 'generate-image', 'next-message'),
      display: fc.constantFrom('hidden', 'name', 'description', 'stream'),
    },
    {
      description: fc.string({ maxLength: 3 }),
      outputToChat: fc.boolean(),
      thread: fc.constantFrom('main', 'side'),
    },
  ),
  event('block-end', { blockId: id }, { summary: fc.string() }),
  event('resource-update', { name: fc.string(), value: json }),
  event(
    'file-available',
    { id, mediaType: fc.constant('image/png'), url: fc.webUrl() },
    { filename: fc.string(), size: fc.nat(), toolCallId },
  ),
  event('todo-update', {
    todos: fc.array(fc.record({ id, content: fc.string(), status: fc.string() }), { maxLength: 3 }),
  }),
  event('usage', { usage: fc.record({ inputTokens: fc.nat(), model: fc.string() }, { requiredKeys: [] }) }),
  event('notice', { code: fc.string(), text: fc.string() }, { toolCallId }),
  event('tool-request', { toolCalls: fc.array(pendingCall, { maxLength: 2 }) }),
  event('tool-result-acknowledged', {
    toolCallId,
    status: fc.constantFrom('accepted', 'expired', 'duplicate'),
  }),
);

/** Events by which the agent requests tool calls. */
const requestEvent: fc.Arbitrary<AgentEvent> = event(
  'client-tool-request',
  { executionId, toolCalls: fc.array(pendingCall, { maxLength: 3 }) },
  {
    serverToolResults: fc.array(fc.record({ toolCallId: fc.constantFrom('s-1', 's-2'), result: json }), {
      maxLength: 2,
    }),
  },
);

/** Events that end the run. */
const endingEvent: fc.Arbitrary<AgentEvent> = fc.oneof(
  event(
    'finish',
    {
      finishReason: fc.constantFrom(
        'stop',
        'tool-calls',
        'client-tool-calls',
        'length',
        'content-filter',
        'error',
        'other',
      ),
    },
    { executionId },
  ),
  event('error', {
    errorType: fc.constantFrom('internal_error', 'rate_limit_error'),
    message: fc.string(),
    retryable: fc.boolean(),
    source: fc.constantFrom('platform', 'provider', 'tool', 'client'),
  }),
);

/** A stream of valid and contradictory events. Endings are rare, so that the chat processes most of the stream. */
export const eventStream: fc.Arbitrary<AgentEvent[]> = fc.array(
  fc.oneof(
    { weight: 16, arbitrary: contentEvent },
    { weight: 2, arbitrary: requestEvent },
    { weight: 1, arbitrary: endingEvent },
  ),
  { maxLength: 40 },
);

/** Returns the items in batches. The sizes are used cyclically. */
export function inBatches<Item>(items: readonly Item[], cuts: readonly number[]): Item[][] {
  const batches: Item[][] = [];
  for (let from = 0, turn = 0; from < items.length; turn += 1) {
    const size = cuts[turn % cuts.length] ?? 1;
    batches.push(items.slice(from, from + size));
    from += size;
  }
  return batches;
}

/** Sizes of batches for {@link inBatches}. */
export const batchSizes: fc.Arbitrary<number[]> = fc.array(fc.integer({ min: 1, max: 7 }), {
  minLength: 1,
  maxLength: 5,
});
