// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { type ClientTools, createHttpTransport, useAgentChat } from '../../src/index.ts';
import { awaitingAnswers, call, failure, request, start } from '../support/scripted-events.ts';
import { createBackstage, passFrame } from './support.ts';

/** Lets the agent call `tool` and returns what the console warns of. */
async function warningsOfCall(clientTools: ClientTools, tool: string): Promise<string> {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const stage = createBackstage({ clientTools });
  const { result } = renderHook(() => useAgentChat(stage.options));
  await act(async () => void result.current.sendMessage('Hi'));
  await stage.say(0, start, request(call('c', tool)), awaitingAnswers);
  await act(() => stage.clock.advance(1000));
  await passFrame(stage);
  return warn.mock.calls.flat().join('\n');
}

describe('a warning for the developer', () => {
  it('a tool that the app does not declare is named with the line that declares it', async () => {
    expect(await warningsOfCall({}, 'locate')).toMatch(
      /"locate" failed.*No client handler.*clientTools: \{ locate: async/,
    );
  });

  it('a tool that was declared with a typo is named', async () => {
    const tools = { pick: { excute: () => 1 } } as unknown as ClientTools;
    expect(await warningsOfCall(tools, 'pick')).toMatch(/"pick" failed.*no usable client handler/);
  });

  it.each([
    ['throws', () => Promise.reject(new Error('no battery')), /"probe" failed.*no battery/],
    ['returns a Map', () => new Map([['a', 1]]), /"probe" failed.*Map/],
  ])('a handler that %s is named with its error', async (_, probe, text) => {
    expect(await warningsOfCall({ probe }, 'probe')).toMatch(text);
  });

  it('an address without an agent is named', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const missing = Object.defineProperty(new Response('', { status: 404 }), 'url', {
      value: 'https://app.test/api/agnet',
    });
    const transport = createHttpTransport({ url: '/api/agnet', fetch: async () => missing });
    const { result } = renderHook(() => useAgentChat({ transport }));
    await act(async () => result.current.sendMessage('Hi'));
    expect(warn.mock.calls.flat().join('\n')).toMatch(/https:\/\/app\.test\/api\/agnet answered 404.*url/);
  });

  it.each(['invalid_agent_output', 'unknown_execution'])(
    'a server whose agent or store fails with %s is named',
    async (code) => {
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
      const stage = createBackstage();
      const { result } = renderHook(() => useAgentChat(stage.options));
      await act(async () => void result.current.sendMessage('Hi'));
      await stage.say(0, start, { ...failure, code, message: `Because of ${code}` });
      await passFrame(stage);
      expect(warn.mock.calls.flat().join('\n')).toContain(`Because of ${code}`);
    },
  );

  it('a tool that works warns of nothing', async () => {
    expect(await warningsOfCall({ locate: () => 'here' }, 'locate')).toBe('');
  });
});
