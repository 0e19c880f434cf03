/** The whole engine under any stream of events, cut anywhere, ended in any way. */

import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { AgentChatError, type AgentChatState, defineClientTool, uiMessageSchema } from '../../../src/core.ts';
import { createScriptedTransport } from '../../../src/testing/scripted-transport.ts';
import { batchSizes, eventStream, inBatches } from '../../support/arbitrary-events.ts';
import fc, { caseCount } from '../../support/fast-check.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';

const waitingTools = {
  ask: 'interactive',
  rate: defineClientTool({ interactive: true, input: z.object({ a: z.number().default(1) }) }),
  auto: 'interactive',
  throws: 'interactive',
  // `__proto__` and `constructor` are not declared, so that calls of these names must find no tool.
} as const;
const allTools = {
  ...waitingTools,
  auto: () => 'done',
  throws: () => {
    throw new Error('no');
  },
} as const;

const results = fc.constantFrom('together' as const, 'one-by-one' as const);
const ways = fc.constantFrom('stop', 'destroy', 'send', 'end', 'fail', 'finish', 'error event');

/** Returns the comparable part of a state, without functions, which differ between chats. */
const visible = ({ messages, status, error, usage, notices, pendingClientTools }: AgentChatState) => ({
  messages,
  status,
  error: error && { code: error.code, message: error.message },
  usage,
  notices,
  pending: Object.entries(pendingClientTools).map(([name, tools]) => [
    name,
    tools.map(({ toolCallId, args }) => ({ toolCallId, args })),
  ]),
});

const unfinished = ({ messages }: AgentChatState) =>
  messages
    .flatMap(({ status, parts }) => [
      status,
      ...parts.map((part) => ('status' in part ? part.status : 'done')),
    ])
    .filter((status) => /streaming|pending|running/.test(status));

describe('any stream of events', () => {
  it('any stream of events gives the same state, however it is divided into batches', async () => {
    await fc.assert(
      fc.asyncProperty(eventStream, batchSizes, results, async (events, sizes, how) => {
        const play = async (batches: (typeof events)[]) => {
          const { chat, backend, clock, notified } = scriptedChat(
            { clientTools: waitingTools },
            createScriptedTransport({ results: how }),
          );
          chat.subscribe(() => {});
          void chat.sendMessage('Hi');
          const run = await backend.request(0);
          for (const batch of batches) {
            run.send(...batch);
            await settled();
            clock.frame();
          }
          await settled();
          return { state: visible(chat.getState()), notified };
        };
        expect(await play(inBatches(events, sizes))).toEqual(await play([events]));
      }),
    );
  });

  it('a stream that is cut at any event leaves no unfinished part and throws nothing', async () => {
    await fc.assert(
      fc.asyncProperty(eventStream, results, ways, fc.nat(40), async (events, how, way, cut) => {
        const { chat, backend, clock, notified } = scriptedChat(
          { clientTools: allTools },
          createScriptedTransport({ results: how }),
        );
        const sent = chat.sendMessage('Hi');
        (await backend.request(0)).send(...events.slice(0, cut));
        await settled();
        const stillOpen = backend.requests.filter(({ command }) => command.type !== 'stop');
        for (const run of stillOpen) {
          if (way === 'end') run.end();
          if (way === 'fail') run.fail(new Error('cut'));
          if (way === 'finish') run.send({ type: 'finish', finishReason: 'stop' });
          if (way === 'error event')
            run.send({
              type: 'error',
              errorType: 'internal_error',
              message: 'x',
              retryable: true,
              source: 'platform',
            });
        }
        if (way === 'destroy') chat.destroy();
        if (way === 'send') void chat.sendMessage('Next', { whilePending: 'cancel' });
        await settled();
        // A run that waits for a person is not over, but the person can stop it.
        chat.stop();
        await settled();
        expect(unfinished(chat.getState())).toEqual([]);
        expect(chat.getState().pendingClientTools).toEqual({});
        expect(['idle', 'error']).toContain(chat.getState().status);
        expect(notified.filter((word) => word.startsWith('error')).length).toBeLessThanOrEqual(1);
        await sent;
        clock.frame();
        expect(clock.waiting).toBe(0);
        for (const message of chat.getState().messages)
          expect(uiMessageSchema.parse(JSON.parse(JSON.stringify(message)))).toEqual(message);
      }),
      { numRuns: caseCount(100) },
    );
  });

  it('a published state never changes afterwards', async () => {
    await fc.assert(
      fc.asyncProperty(eventStream, batchSizes, results, async (events, sizes, how) => {
        const { chat, backend, clock } = scriptedChat(
          { clientTools: allTools },
          createScriptedTransport({ results: how }),
        );
        const published: { readonly state: AgentChatState; readonly copy: unknown }[] = [];
        chat.subscribe(() => {
          const state = chat.getState();
          expect(Object.isFrozen(state)).toBe(true);
          published.push({ state, copy: structuredClone(visible(state)) });
        });
        void chat.sendMessage('Hi');
        const run = await backend.request(0);
        for (const batch of inBatches(events, sizes)) {
          run.send(...batch);
          await settled();
          clock.frame();
        }
        for (const tools of Object.values(chat.getState().pendingClientTools))
          for (const tool of tools) tool.submit({ any: ['thing'] });
        await settled();
        chat.stop();
        clock.frame();
        for (const { state, copy } of published) expect(visible(state)).toEqual(copy);
      }),
    );
  });

  it('every call of any stream settles with one outcome and is delivered at most once per run', async () => {
    await fc.assert(
      fc.asyncProperty(eventStream, batchSizes, results, async (events, sizes, how) => {
        const { chat, backend, clock } = scriptedChat(
          { clientTools: allTools },
          createScriptedTransport({ results: how }),
        );
        void chat.sendMessage('Hi');
        const run = await backend.request(0);
        const settlements: unknown[] = [];
        for (const batch of inBatches(events, sizes)) {
          run.send(...batch);
          await settled();
          const [tool] = Object.values(chat.getState().pendingClientTools).flat();
          if (tool === undefined) continue;
          settlements.push(tool.submit('yes'), tool.submit('again'), tool.cancel());
          await settled();
        }
        clock.frame();
        for (const [index, settlement] of settlements.entries())
          expect(settlement).toEqual(
            index % 3 === 0 ? { settled: true } : { settled: false, reason: 'already-settled' },
          );
        const delivered = backend.commands.flatMap((command) =>
          command.type === 'respond'
            ? command.answers.map(({ toolCallId }) => `${command.executionId} ${toolCallId}`)
            : [],
        );
        // A run that requests a delivered call again gets its answer again. It gets no answer that it did not request.
        const asked = events.flatMap((event) =>
          event.type === 'client-tool-request'
            ? event.toolCalls.map(({ toolCallId }) => `${event.executionId} ${toolCallId}`)
            : [],
        );
        for (const name of new Set(delivered)) {
          const times = (list: string[]) => list.filter((item) => item === name).length;
          expect(times(delivered)).toBeLessThanOrEqual(times(asked));
        }
        for (const command of backend.commands)
          if (command.type === 'respond')
            for (const answer of command.answers)
              expect('result' in answer !== (answer.error !== undefined)).toBe(true);
      }),
      { numRuns: caseCount(100) },
    );
  });
});

describe('an error of the engine', () => {
  it('an error of the engine is always an AgentChatError', async () => {
    const { chat, backend } = scriptedChat();
    const sent = chat.sendMessage('Hi');
    (await backend.request(0)).fail('just text');
    await sent;
    expect(AgentChatError.isInstance(chat.getState().error)).toBe(true);
    expect(chat.getState().error).toMatchObject({ code: 'connection_failed', message: 'just text' });
  });
});
