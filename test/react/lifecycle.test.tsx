// @vitest-environment jsdom
/** The life of a chat in a component: when it begins and ends, and which options count. */
import { act, render, renderHook } from '@testing-library/react';
import { Component, type ReactNode, StrictMode, Suspense } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { type AgentChatOptions, createAgentChat, createPersistence, type UIMessage } from '../../src/core.ts';
import { AgentChatProvider } from '../../src/react/agent-chat-provider.tsx';
import type { UseAgentChatResult } from '../../src/react/create-tracked-state.ts';
import { useAgentChat } from '../../src/react/use-agent-chat.ts';
import { useAgentChatState } from '../../src/react/use-agent-chat-state.ts';
import type { ConnectionStatus } from '../../src/shared/connection.ts';
import { createMemoryStorage } from '../../src/testing/memory-storage.ts';
import { createScriptedTransport } from '../../src/testing/scripted-transport.ts';
import { createDeferred } from '../support/deferred.ts';
import { settled } from '../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start, stopped } from '../support/scripted-events.ts';
import { createBackstage, passFrame } from './support.ts';

const delta = (text: string) => ({ type: 'text-delta', id: 't', delta: text }) as const;

/** Reads every field, as `{...chat}` or a debugger would. */
function useWhole(options: AgentChatOptions) {
  const chat = useAgentChat(options);
  return { ...chat };
}

describe('nothing runs during render', () => {
  it('creating a chat makes no request, timer, frame or listener', () => {
    const stage = createBackstage();
    const subscribe = vi.fn(() => () => {});
    const connect = vi.fn(async () => {});
    const status: ConnectionStatus = { state: 'disconnected' };
    const transport = {
      ...stage.backend,
      connection: { getStatus: () => status, subscribe, connect, disconnect: () => {} },
    };
    const listen = vi.spyOn(globalThis, 'addEventListener');
    const timer = vi.spyOn(globalThis, 'setTimeout');
    renderToString(<Silent options={{ ...stage.options, transport }} />);
    expect([stage.backend.commands, stage.clock.waiting]).toEqual([[], 0]);
    for (const spy of [subscribe, connect, listen, timer]) expect(spy).not.toHaveBeenCalled();
  });

  it('creating a chat draws no random id, and the chat has one id once it is read', () => {
    const createId = vi.fn(() => 'drawn');
    const stage = createBackstage({ createId });
    const chats: UseAgentChatResult[] = [];
    function Reading() {
      const chat = useAgentChat(stage.options);
      chats.push(chat);
      return <p>{chat.status}</p>;
    }
    renderToString(<Reading />);
    createAgentChat({
      ...stage.options,
      persistence: createPersistence({ key: 'k', storage: createMemoryStorage() }),
    });
    expect(createId).not.toHaveBeenCalled();
    expect([chats[0]?.id, chats[0]?.id]).toEqual(['drawn', 'drawn']);
    expect(createId).toHaveBeenCalledOnce();
  });

  it('a render that React discards leaves no request, timer or listener behind', async () => {
    const stage = createBackstage();
    const ready = createDeferred();
    let isReady = false;
    let renders = 0;
    function Waiting() {
      const chat = useAgentChat(stage.options);
      renders += 1;
      if (!isReady) throw ready.promise;
      return <p>{chat.status}</p>;
    }
    const { container, unmount } = render(
      <Suspense fallback="later">
        <Waiting />
      </Suspense>,
    );
    expect(container.textContent).toBe('later');
    await act(async () => {
      isReady = true;
      ready.resolve();
    });
    expect(container.textContent).toBe('idle');
    expect(renders).toBeGreaterThan(1);
    unmount();
    expect([stage.backend.commands, stage.clock.waiting]).toEqual([[], 0]);
  });

  function Silent({ options }: { options: AgentChatOptions }) {
    useWhole(options);
    return null;
  }
});

describe('StrictMode', () => {
  it('a message in StrictMode is one request, handlers run once, and the chat survives the repeated effects', async () => {
    const handler = vi.fn(() => 'noon');
    const stage = createBackstage({ clientTools: { now: handler } });
    const { result, unmount } = renderHook(() => useWhole(stage.options), { wrapper: StrictMode });
    await act(async () => void result.current.sendMessage('Hi'));
    await stage.say(0, start, request(call('1', 'now')), awaitingAnswers);
    await stage.say(1, start, delta('It is noon'), stopped);
    expect(result.current.messages.at(-1)?.parts.at(-1)).toMatchObject({ text: 'It is noon' });
    expect(handler).toHaveBeenCalledOnce();
    expect(stage.backend.commands.map(({ type }) => type)).toEqual(['trigger', 'respond']);
    unmount();
    await expect(result.current.sendMessage('late')).rejects.toMatchObject({ code: 'destroyed' });
  });
});

describe('unmounting', () => {
  it('unmounting aborts the stream and the handlers at once, calls no callback and logs nothing', async () => {
    const notified: string[] = [];
    let signal: AbortSignal | undefined;
    const running = createDeferred();
    const stage = createBackstage({
      clientTools: {
        slow: (_args, context) => {
          ({ signal } = context);
          return running.promise;
        },
        ask: 'interactive',
      },
      onStop: () => notified.push('stop'),
      onError: () => notified.push('error'),
      onFinish: () => notified.push('finish'),
    });
    const { result, unmount } = renderHook(() => useWhole(stage.options), { wrapper: StrictMode });
    await act(async () => void result.current.sendMessage('Hi'));
    await stage.say(0, start, delta('a'), request(call('1', 'slow'), call('2', 'ask')));
    const [tool] = result.current.pendingClientTools.ask ?? [];
    unmount();
    expect(stage.backend.requests[0]?.signal.aborted).toBe(true);
    expect(signal?.aborted).toBe(true);
    expect(stage.clock.waiting).toBe(0);
    expect(tool?.submit('late')).toEqual({ settled: false, reason: 'already-settled' });
    running.resolve();
    await settled();
    expect(notified).toEqual([]);
    expect(stage.backend.commands.map(({ type }) => type)).toEqual(['trigger', 'stop']);
  });

  it('a component that fails to render ends its chat too', async () => {
    const stage = createBackstage();
    let chat: UseAgentChatResult | undefined;
    vi.spyOn(console, 'error').mockImplementation(() => {});
    function Broken() {
      chat = useAgentChat(stage.options);
      if (chat.messages.length > 1) throw new Error('render');
      return null;
    }
    render(
      <Boundary>
        <Broken />
      </Boundary>,
    );
    await act(async () => void chat?.sendMessage('Hi'));
    await stage.say(0, delta('a'));
    expect(stage.backend.requests[0]?.signal.aborted).toBe(true);
  });

  it('unmounting does not destroy a shared chat', async () => {
    const stage = createBackstage();
    const chat = createAgentChat(stage.options);
    const first = renderHook(() => useAgentChat({ chat }).messages.length);
    const second = renderHook(() => useAgentChat({ chat }).messages.length);
    await act(async () => void chat.sendMessage('Hi'));
    await stage.say(0, delta('a'));
    expect([first.result.current, second.result.current]).toEqual([2, 2]);
    first.unmount();
    await stage.say(0, delta('b'), stopped);
    expect(chat.getState()).toMatchObject({ status: 'idle', messages: [{}, { parts: [{ text: 'ab' }] }] });
    expect(second.result.current).toBe(2);
  });
});

describe('options of a later render', () => {
  it('callbacks and tools of the latest render count, also for earlier requests', async () => {
    const stage = createBackstage();
    const notified: string[] = [];
    const { result, rerender } = renderHook(
      ({ name }) =>
        useWhole({
          ...stage.options,
          clientTools: { now: () => `tool of ${name}` },
          onFinish: () => notified.push(`finish of ${name}`),
          trace: ({ type }) => type === 'turn-ended' && notified.push(`trace of ${name}`),
        }),
      { initialProps: { name: 'first' } },
    );
    await act(async () => void result.current.sendMessage('Hi'));
    rerender({ name: 'second' });
    await stage.say(0, start, request(call('1', 'now')), awaitingAnswers);
    expect(stage.backend.commands[1]).toMatchObject({ answers: [{ result: 'tool of second' }] });
    rerender({ name: 'third' });
    await stage.say(1, start, stopped);
    expect(notified).toEqual(['trace of third', 'finish of third']);
  });

  it.each(['first', 'second'])(
    'an inline transport keeps the first one, warned of once: the %s chat of a page',
    async () => {
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
      const stage = createBackstage();
      const others: unknown[] = [];
      const use = () => {
        const { options } = stage;
        const transport = others.length === 0 ? stage.backend : createScriptedTransport();
        others.push(transport);
        return useWhole({ ...options, transport });
      };
      const { result, rerender } = renderHook(use);
      const { getState } = result.current;
      await act(async () => void result.current.sendMessage('Hi'));
      await stage.say(0, delta('a'));
      rerender();
      rerender();
      await stage.say(0, delta('b'), stopped);
      expect(result.current.messages[1]?.parts).toMatchObject([{ text: 'ab' }]);
      expect(result.current.getState).toBe(getState);
      expect(warn.mock.calls).toEqual([[expect.stringContaining('another transport in a later render')]]);
    },
  );

  it('a new id creates a chat with its own messages and transport, and destroys the old one without a callback', async () => {
    const first = createBackstage();
    const second = createBackstage();
    const message: UIMessage = { id: 'm', role: 'user', parts: [], status: 'done', createdAt: new Date(0) };
    const { result, rerender } = renderHook(
      ({ id }) =>
        useWhole({
          ...(id === 'a' ? first : second).options,
          id,
          initialMessages: id === 'a' ? [] : [message],
        }),
      { initialProps: { id: 'a' }, wrapper: StrictMode },
    );
    await act(async () => void result.current.sendMessage('Hi'));
    await first.say(0, delta('a'));
    const old = result.current;
    rerender({ id: 'b' });
    expect(result.current).toMatchObject({ id: 'b', status: 'idle', messages: [{ id: 'm' }] });
    expect(first.backend.requests[0]?.signal.aborted).toBe(true);
    await expect(old.sendMessage('late')).rejects.toMatchObject({ code: 'destroyed' });
    await act(async () => void result.current.sendMessage('Hello'));
    await second.say(0, delta('b'), stopped);
    expect(result.current.messages).toHaveLength(3);
    await passFrame(first);
    expect(result.current.id).toBe('b');
  });

  it.each([
    ['with an id', { id: 'own' }],
    ['without one', {}],
  ])(
    'a switch from options %s to a shared chat and back shows the right chat, and destroys the one from options',
    async (_name, named) => {
      const stage = createBackstage(named);
      const shared = createAgentChat({ ...createBackstage().options, id: 'shared' });
      const { result, rerender } = renderHook(({ chat }) => useAgentChat(chat ? { chat } : stage.options), {
        initialProps: { chat: undefined as typeof shared | undefined },
      });
      const own = result.current;
      rerender({ chat: shared });
      expect(result.current.send).toBe(shared.send);
      await expect(own.sendMessage('Hi')).rejects.toMatchObject({ code: 'destroyed' });
      rerender({ chat: undefined });
      expect([own.send, shared.send]).not.toContain(result.current.send);
      expect(result.current.status).toBe('idle');
      const sent = shared.sendMessage('Hi');
      expect(shared.getState().status).toBe('streaming');
      shared.destroy();
      await sent;
    },
  );

  it.each([
    ['a transport', {}],
    ['a chat in `{ chat }`', { chat: undefined }],
    ['options', undefined],
  ])('useAgentChat without %s throws an error that names the missing option', (_, options) => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    expect(() => renderHook(() => useAgentChat(options as unknown as AgentChatOptions))).toThrow(
      /needs a transport/,
    );
  });
});

describe('the server', () => {
  const message: UIMessage = {
    id: 'm',
    role: 'user',
    parts: [{ type: 'text', text: 'Hi', status: 'done' }],
    status: 'done',
    createdAt: new Date(0),
  };

  it('the server renders the initial messages, and the page hydrates without a warning', async () => {
    const stage = createBackstage({ initialMessages: [message] });
    let chat: UseAgentChatResult | undefined;
    function Count() {
      return <b>{useAgentChatState(({ status }) => status)}</b>;
    }
    function Chat() {
      chat = useAgentChat(stage.options);
      return (
        <AgentChatProvider chat={chat}>
          <p>{chat.messages.map(({ parts }) => JSON.stringify(parts[0])).join()}</p>
          <Count />
        </AgentChatProvider>
      );
    }
    const html = renderToString(<Chat />);
    expect(html).toContain('idle');
    const host = document.createElement('div');
    host.innerHTML = html;
    const recovered: unknown[] = [];
    const root = await act(async () =>
      hydrateRoot(host, <Chat />, { onRecoverableError: (error) => recovered.push(error) }),
    );
    expect(recovered).toEqual([]);
    await act(async () => void chat?.sendMessage('Two'));
    await stage.say(0, delta('a'), stopped);
    expect(host.textContent).toContain('"text":"a"');
    act(() => root.unmount());
  });
});

class Boundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };
  static getDerivedStateFromError() {
    return { failed: true };
  }
  override render() {
    return this.state.failed ? null : this.props.children;
  }
}
