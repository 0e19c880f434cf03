/** Workers of Octavus 6.4: agents that the agent starts. Their events carry a `workerId` and come between those of the agent. */
import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import { decodeNativeEvent } from '../../../src/core/protocol/native.ts';
import type { UIMessagePart } from '../../../src/core/state/message.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { start } from '../../support/scripted-events.ts';

const finish = { type: 'finish', finishReason: 'stop' };
const workerStart = (workerId: string, more: object = {}) => ({
  type: 'worker-start',
  workerId,
  workerSlug: 'researcher',
  ...more,
});
const delta = (id: string, text: string, more: object = {}) => ({
  type: 'text-delta',
  id,
  delta: text,
  ...more,
});

/** The parts that a chat shows after a response with these frames of the native wire. */
async function partsAfter(...frames: object[]): Promise<readonly UIMessagePart[]> {
  const { chat, backend } = scriptedChat();
  void chat.sendMessage('Hi');
  const run = await backend.request(0);
  const events = frames.map((frame) => decodeNativeEvent(frame)).filter((event) => event !== undefined);
  run.send(start, ...(events as AgentEvent[]));
  run.end();
  await settled();
  return chat.getState().messages.at(-1)?.parts ?? [];
}

describe('workers', () => {
  it('the text of a worker with the id of the answer is shown in a thread of its own', async () => {
    const parts = await partsAfter(
      { type: 'text-start', id: 't' },
      workerStart('w', { description: 'Reads papers' }),
      { type: 'text-start', id: 't', workerId: 'w' },
      delta('t', 'worker ', { workerId: 'w' }),
      delta('t', 'Hel'),
      delta('t', 'words', { workerId: 'w' }),
      delta('t', 'lo.'),
      { type: 'text-end', id: 't', workerId: 'w' },
      { type: 'worker-result', workerId: 'w', output: 'words' },
      { type: 'text-end', id: 't' },
      finish,
    );
    expect(parts).toEqual([
      { type: 'text', text: 'Hello.', status: 'done' },
      {
        type: 'tool-call',
        toolCallId: 'w',
        toolName: 'researcher',
        displayName: 'Reads papers',
        args: {},
        result: 'words',
        status: 'done',
        executedBy: 'server',
      },
      { type: 'text', text: 'worker words', status: 'done', thread: 'w' },
    ]);
  });

  it('every kind of part of parallel workers belongs to its worker, whatever blocks are open', async () => {
    const block = { blockName: 'b', blockType: 'next-message', display: 'name' };
    const call = { toolCallId: 'c', toolName: 'read' };
    const source = { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' };
    const parts = await partsAfter(
      { type: 'block-start', blockId: 'main', ...block, thread: 'side' },
      workerStart('w1'),
      workerStart('w2'),
      { type: 'block-start', blockId: 'inner', ...block, outputToChat: false, workerId: 'w1' },
      { type: 'reasoning-delta', id: 'r', delta: 'Hm', workerId: 'w2' },
      { type: 'reasoning-delta', id: 'r', delta: 'Ah', workerId: 'w1' },
      { type: 'tool-input-start', ...call, workerId: 'w2' },
      { type: 'tool-input-available', ...call, input: {}, workerId: 'w2' },
      { type: 'tool-output-available', toolCallId: 'c', output: 1, workerId: 'w2' },
      { ...source, workerId: 'w1' },
      delta('t', 'Draft', { workerId: 'w1' }),
      delta('t', 'Side'),
      { type: 'block-end', blockId: 'inner', workerId: 'w1' },
      { type: 'block-end', blockId: 'main' },
      delta('u', 'Done'),
      finish,
    );
    expect(parts[5]).toEqual({ ...source, thread: 'w1' });
    expect(parts.map(({ type, thread }) => [type, thread])).toEqual([
      ['tool-call', 'side'],
      ['tool-call', 'side'],
      ['reasoning', 'w2'],
      ['reasoning', 'w1'],
      ['tool-call', 'w2'],
      ['source', 'w1'],
      ['text', 'w1'],
      ['text', 'side'],
      ['text', undefined],
    ]);
  });
});
