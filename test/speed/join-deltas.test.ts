/** Deltas that arrive in one chunk are written once; nobody can tell from what they see. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../src/protocol/events.ts';
import { readStream } from '../../src/session/requests.ts';
import { createConversation } from '../../src/state/conversation.ts';
import { reduceConversation } from '../../src/state/reduce-conversation.ts';

async function* inBatches(events: readonly AgentEvent[], size: number) {
  for (let from = 0; from < events.length; from += size) yield events.slice(from, from + size);
}

async function read(events: readonly AgentEvent[], size: number): Promise<AgentEvent[]> {
  const heard: AgentEvent[] = [];
  const { signal } = new AbortController();
  await readStream(inBatches(events, size), signal, (event) => heard.push(event));
  return heard;
}

function applyAll(events: readonly AgentEvent[]) {
  const begun = reduceConversation(createConversation([]), {
    type: 'turn-started',
    messageId: 'm',
    at: new Date(0),
    command: { type: 'trigger', triggerName: 'go' },
  });
  return events.reduce((state, event) => reduceConversation(state, { type: 'event', event }), begun);
}

const id = fc.constantFrom('a', 'b');
const piece = fc.string({ maxLength: 3 });
const cursor = fc.option(fc.nat({ max: 99 }).map(String), { nil: undefined });
const positioned = (event: AgentEvent, at: string | undefined): AgentEvent =>
  at === undefined ? event : { ...event, cursor: at };
const anyEvent = fc
  .tuple(fc.constantFrom('text', 'reasoning', 'input', 'start', 'end'), id, piece, cursor)
  .map(([kind, key, delta, at]) => {
    switch (kind) {
      case 'text':
        return positioned({ type: 'text-delta', id: key, delta }, at);
      case 'reasoning':
        return positioned({ type: 'reasoning-delta', id: key, delta }, at);
      case 'input':
        return positioned({ type: 'tool-input-delta', toolCallId: key, inputTextDelta: delta }, at);
      case 'start':
        return positioned({ type: 'tool-input-start', toolCallId: key, toolName: 'look' }, at);
      default:
        return positioned({ type: 'text-end', id: key }, at);
    }
  });

describe('events of one chunk', () => {
  it('give the same conversation as one by one', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyEvent, { maxLength: 40 }),
        fc.integer({ min: 1, max: 40 }),
        async (events, size) => {
          const whole = JSON.stringify(events);
          expect(applyAll(await read(events, size))).toEqual(applyAll(events));
          expect(JSON.stringify(events), 'what the transport gave is left as it was').toBe(whole);
        },
      ),
    );
  });

  it('are as few as there are streams to write to', async () => {
    const fifty = Array.from({ length: 50 }, (): AgentEvent => ({ type: 'text-delta', id: 'a', delta: 'x' }));
    expect(await read(fifty, 50)).toEqual([{ type: 'text-delta', id: 'a', delta: 'x'.repeat(50) }]);
    expect(await read(fifty, 1)).toHaveLength(50);
  });
});
