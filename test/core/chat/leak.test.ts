/** Only the messages may grow with the number of turns. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { decodeSnapshot } from '../../../src/core/persistence/snapshot.ts';
import { createAgentChat, createPersistence } from '../../../src/core.ts';
import { createScriptedAgent } from '../../../src/server/scripted/create-scripted-agent.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { createManualClock } from '../../../src/testing/manual-clock.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { settle } from '../../server/support.ts';
import { createInterruptedNetwork } from '../../support/interrupted-network.ts';

const TURNS = 500;
const RELOAD_EVERY = 5;
/** A message of a person and an answer with two settled calls, as JSON. */
const BYTES_PER_TURN = 1_500;
/** The same as objects: on the page, in its storage, and in the history of the server. */
const HEAP_PER_TURN = 10_000;

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Returns the bytes in use after garbage collection. */
async function measureHeap(): Promise<number> {
  await settle();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

it('500 turns with reloads leave the messages behind, and no call, timer or listener', async () => {
  const clock = createManualClock();
  const agent = createScriptedAgent([
    { steps: [() => ['One moment. ', { call: 'auto' }, { call: 'ask' }], 'Done.'] },
  ]);
  const session = createAgentSession({ id: 's', agent });
  const network = createInterruptedNetwork(session, clock);
  network.recover();
  const storage = createMemoryStorage();
  let listeners = 0;

  const openPage = () => {
    const { transport, close } = network.openPage();
    const chat = createAgentChat({
      transport,
      id: 'c',
      clock,
      persistence: createPersistence({ storage, tabs: false }),
      clientTools: { auto: () => 1, ask: 'interactive' },
    });
    const unsubscribe = chat.subscribe(() => {
      for (const tool of chat.getState().pendingClientTools.ask ?? []) tool.submit(true);
    });
    listeners += 1;
    return {
      chat,
      leave() {
        unsubscribe();
        listeners -= 1;
        close();
        chat.destroy();
      },
    };
  };

  const sizes: number[] = [];
  const heap: number[] = [];
  const left: WeakRef<object>[] = [];
  let page = openPage();
  for (let turn = 1; turn <= TURNS; turn += 1) {
    await page.chat.sendMessage(`message ${turn}`);
    while (page.chat.getState().status !== 'idle') await settle();
    if (turn % RELOAD_EVERY === 0) {
      page.leave();
      left.push(new WeakRef(page.chat));
      // The response is released over several turns of the event loop.
      await settle();
      expect(clock.waiting).toBe(0);
      page = openPage();
    }
    sizes.push(storage.entries.get('handrail:c')?.length ?? 0);
    if (turn % (TURNS / 2) === 0) heap.push(await measureHeap());
  }

  const decoded = decodeSnapshot(storage.entries.get('handrail:c') ?? '');
  if ('fault' in decoded) throw new Error(decoded.fault);
  const { messages, calls, streamingMessage, checkpoint, interrupted, request, notices } =
    decoded.conversation;
  expect(messages).toHaveLength(2 * TURNS);
  // Calls of the last turn may remain, so that a repeated request is recognised. Older calls must not.
  expect(calls.length).toBeLessThanOrEqual(2);
  expect([streamingMessage, interrupted, notices]).toEqual([null, null, []]);
  expect(JSON.stringify([checkpoint, request]).length).toBeLessThan(BYTES_PER_TURN);
  // The last hundred turns add as much memory as the first hundred.
  const cost = (from: number, to: number) => (sizes[to - 1] ?? 0) - (sizes[from - 1] ?? 0);
  expect(cost(400, 500)).toBeLessThan(cost(100, 200) * 1.05);
  expect(sizes.at(-1)).toBeLessThan(TURNS * BYTES_PER_TURN);
  expect([...storage.entries.keys()]).toEqual(['handrail:c']);
  const [half = 0, whole = 0] = heap;
  expect((whole - half) / (TURNS / 2)).toBeLessThan(HEAP_PER_TURN);
  expect(left.filter((page) => page.deref() !== undefined)).toEqual([]);
  page.leave();
  await settle();
  expect([clock.waiting, listeners]).toEqual([0, 0]);
}, 60_000);
