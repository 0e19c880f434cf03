/** Counts the characters parsed and the values built for JSON that arrives in pieces: tool arguments and objects. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../../src/core/protocol/events.ts';
import { createConversation } from '../../src/core/state/conversation.ts';
import { ChatStore } from '../../src/core/store/chat-store.ts';
import * as incrementalJson from '../../src/shared/incremental-json.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { countCharacters } from '../support/count-characters.ts';

vi.mock('../../src/shared/incremental-json.ts', { spy: true });

const PIECE = 8;
const PIECES_PER_FRAME = 50;

const KINDS: Readonly<Record<string, { begin: AgentEvent; piece(text: string): AgentEvent }>> = {
  'tool input': {
    begin: { type: 'tool-input-start', toolCallId: 'call', toolName: 'store' },
    piece: (text) => ({ type: 'tool-input-delta', toolCallId: 'call', inputTextDelta: text }),
  },
  'an object': {
    begin: { type: 'text-start', id: 'o', responseType: 'Records' },
    piece: (text) => ({ type: 'text-delta', id: 'o', delta: text }),
  },
};

/** Returns the published value of each frame. */
function publish({ begin, piece }: (typeof KINDS)[string], json: string): unknown[] {
  const clock = createManualClock();
  const store = new ChatStore(createConversation([]), clock);
  const values: unknown[] = [];
  store.change({
    type: 'turn-started',
    messageId: 'm',
    at: new Date(0),
    command: { type: 'trigger', triggerName: 'go' },
  });
  store.change({ type: 'event', event: begin });
  store.subscribe(() => {
    const part = store.getState().messages[0]?.parts[0];
    values.push(part?.type === 'tool-call' ? part.args : part?.type === 'object' ? part.partial : undefined);
  });
  const pieces = json.match(new RegExp(`.{1,${PIECE}}`, 'g')) ?? [];
  for (const [index, text] of pieces.entries()) {
    store.change({ type: 'event', event: piece(text) });
    if (index % PIECES_PER_FRAME === PIECES_PER_FRAME - 1) clock.frame();
  }
  clock.frame();
  return values;
}

function toJson(items: number): string {
  return JSON.stringify({ items: Array.from({ length: items }, (_, id) => ({ id, title: `Item ${id}` })) });
}

beforeEach(() => vi.mocked(incrementalJson.createIncrementalJson).mockClear());

describe.each(Object.entries(KINDS))('%s', (_, kind) => {
  it.each([1_000, 2_000])('parses %i items once, with one parser, however often they are shown', (items) => {
    const json = toJson(items);
    let values: unknown[] = [];
    const count = countCharacters(() => {
      values = publish(kind, json);
    });
    expect(values).toHaveLength(Math.ceil(json.length / PIECE / PIECES_PER_FRAME));
    expect(incrementalJson.createIncrementalJson).toHaveBeenCalledTimes(1);
    expect(count).toBe(json.length);
    expect(values.at(-1)).toEqual(JSON.parse(json));
  });

  it('builds only the items that arrived in a frame, and shares the others', () => {
    const values = publish(kind, toJson(1_000)) as { items: readonly object[] }[];
    const made = new Set(values.flatMap(({ items }) => items));
    // An item that was incomplete at a frame is built again when it is complete.
    expect(made.size).toBeGreaterThanOrEqual(1_000);
    expect(made.size).toBeLessThanOrEqual(1_000 + values.length);
  });
});
