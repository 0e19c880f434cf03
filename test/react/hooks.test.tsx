// @vitest-environment jsdom
import { act, render, renderHook } from '@testing-library/react';
import { memo, StrictMode, useState } from 'react';
import { hydrateRoot } from 'react-dom/client';
import { renderToString } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import {
  type AgentChat,
  AgentChatProvider,
  type UIMessage,
  useAgentChat,
  useAgentChatState,
  usePendingClientTools,
} from '../../src/index.ts';
import { createManualClock } from '../../src/testing/manual-clock.ts';
import { createScriptedTransport } from '../../src/testing/scripted-transport.ts';
import { withChat } from '../../src/testing/with-chat.tsx';
import { scriptedChat, settled } from '../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start, stopped, text } from '../support/scripted-events.ts';

/** Sends events and renders the result. */
async function arrive(send: () => void, frame: () => void = () => {}) {
  await act(async () => {
    send();
    await settled();
    frame();
  });
}

describe('useAgentChat', () => {
  it('useAgentChat makes one commit of all deltas within a frame, and only the streaming message renders', async () => {
    const { chat, backend, clock } = scriptedChat();
    const renders: string[] = [];
    let commits = 0;
    const Message = memo(({ message }: { message: UIMessage }) => {
      renders.push(message.role);
      return <p>{message.parts.map((part) => ('text' in part ? part.text : ''))}</p>;
    });
    function Page() {
      commits += 1;
      const { messages } = useAgentChat({ chat });
      return messages.map((message) => <Message key={message.id} message={message} />);
    }
    const { container } = render(<Page />);
    await arrive(() => void chat.sendMessage('Hi'), clock.frame);
    const run = await backend.request(0);
    await arrive(() => run.send(start, ...text('t', '')), clock.frame);
    renders.length = 0;
    commits = 0;
    await arrive(() => {
      for (let count = 0; count < 20; count += 1) run.send({ type: 'text-delta', id: 't', delta: 'x' });
    }, clock.frame);
    expect({ commits, renders }).toEqual({ commits: 1, renders: ['assistant'] });
    expect(container.textContent).toBe(`Hi${'x'.repeat(20)}`);
  });

  it('useAgentChat renders only for the fields that are read', async () => {
    const { chat, backend, clock } = scriptedChat();
    const seen: string[] = [];
    function Status() {
      const { status } = useAgentChat({ chat });
      seen.push(status);
      return <p>{status}</p>;
    }
    render(<Status />);
    await arrive(() => void chat.sendMessage('Hi'), clock.frame);
    const run = await backend.request(0);
    await arrive(() => run.send(...text('t', 'a')), clock.frame);
    await arrive(() => run.send({ type: 'text-delta', id: 't', delta: 'b' }), clock.frame);
    await arrive(() => run.send(stopped), clock.frame);
    expect(seen).toEqual(['idle', 'streaming', 'idle']);
  });

  it('the values of a render do not change when the chat changes', async () => {
    const { chat, backend, clock } = scriptedChat();
    const given: ReturnType<typeof useAgentChat>[] = [];
    function Status() {
      const result = useAgentChat({ chat });
      given.push(result);
      return <p>{result.status}</p>;
    }
    render(<Status />);
    await arrive(() => void chat.sendMessage('Hi'), clock.frame);
    const run = await backend.request(0);
    await arrive(() => run.send(stopped), clock.frame);
    expect(given.slice(1).map(({ status }) => status)).toEqual(['streaming', 'idle']);
  });

  it('inline handlers are always the latest ones, and an inline transport does not replace the chat', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const transports = [createScriptedTransport(), createScriptedTransport()] as const;
    const clock = createManualClock();
    const notified: string[] = [];
    let chat: AgentChat | undefined;
    function Page({ version }: { version: 0 | 1 }) {
      chat = useAgentChat({
        transport: transports[version],
        clock,
        clientTools: { which: () => `version ${version}` },
        onFinish: () => notified.push(`finished in version ${version}`),
      });
      return null;
    }
    const page = render(<Page version={0} />);
    await arrive(() => void chat?.sendMessage('Hi'));
    page.rerender(<Page version={1} />);
    await arrive(() => transports[0].requests[0]?.send(start, request(call('1', 'which')), awaitingAnswers));
    expect(transports[0].commands[1]).toMatchObject({ answers: [{ result: 'version 1' }] });
    await arrive(() => transports[0].requests[1]?.send(stopped));
    expect(notified).toEqual(['finished in version 1']);
    expect(transports[1].requests).toEqual([]);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(warn.mock.calls[0]?.[0]).toMatch(/keeps the first/);
  });

  it('unmounting stops the stream and the handlers', async () => {
    const transport = createScriptedTransport();
    let signal: AbortSignal | undefined;
    let chat: AgentChat | undefined;
    function Page() {
      chat = useAgentChat({
        transport,
        clientTools: {
          slow: (_args: unknown, context) => {
            signal = context.signal;
            return new Promise(() => {});
          },
        },
      });
      return null;
    }
    const page = render(<Page />);
    await arrive(() => void chat?.sendMessage('Hi'));
    await arrive(() => transport.requests[0]?.send(start, request(call('1', 'slow'))));
    page.unmount();
    expect([transport.requests[0]?.signal.aborted, signal?.aborted]).toEqual([true, true]);
    await expect(chat?.sendMessage('more')).rejects.toMatchObject({ code: 'destroyed' });
  });

  it('useAgentChat has no effects during render, and StrictMode leaves the chat alive with one request per message', async () => {
    const transport = createScriptedTransport();
    const after = vi.fn(createManualClock().after);
    const clock = { ...createManualClock(), after };
    let chat: AgentChat | undefined;
    function Page() {
      chat = useAgentChat({ transport, clock });
      return null;
    }
    render(
      <StrictMode>
        <Page />
      </StrictMode>,
    );
    expect([transport.requests.length, after.mock.calls.length]).toEqual([0, 0]);
    await arrive(() => void chat?.sendMessage('Hi'));
    expect(transport.commands).toHaveLength(1);
    expect(transport.requests[0]?.signal.aborted).toBe(false);
  });

  it('a new id creates a new chat and destroys the old one', async () => {
    const transport = createScriptedTransport();
    const chats = new Set<AgentChat['send']>();
    let chat: AgentChat | undefined;
    function Page({ id }: { id: string }) {
      chat = useAgentChat({ transport, id });
      chats.add(chat.send);
      return <p>{useAgentChat({ chat }).messages.length}</p>;
    }
    const page = render(<Page id="a" />);
    await arrive(() => void chat?.sendMessage('Hi'));
    const [first] = transport.requests;
    page.rerender(<Page id="b" />);
    expect(first?.signal.aborted).toBe(true);
    expect([chat?.id, chats.size, page.container.textContent]).toEqual(['b', 2, '0']);
  });

  it('useAgentChat renders on a server and hydrates without a warning', async () => {
    const { chat } = scriptedChat();
    function Page() {
      const { status, messages } = useAgentChat({ chat });
      return (
        <p>
          {status} {messages.length}
        </p>
      );
    }
    const container = document.createElement('div');
    container.innerHTML = renderToString(<Page />);
    document.body.append(container);
    await act(async () => {
      hydrateRoot(container, <Page />);
    });
    expect(container.textContent).toBe('idle 0');
  });
});

describe('under a provider', () => {
  it('useAgentChatState narrows with inline selectors, and isEqual decides what is a change', async () => {
    const { chat, backend, clock } = scriptedChat();
    const seen: string[] = [];
    function Roles() {
      const roles = useAgentChatState(
        ({ messages }) => messages.map(({ role }) => role),
        (before, now) => before.join() === now.join(),
      );
      seen.push(roles.join());
      return null;
    }
    render(<Roles />, { wrapper: withChat(chat) });
    await arrive(() => void chat.sendMessage('Hi'), clock.frame);
    const run = await backend.request(0);
    for (const delta of ['a', 'b', 'c']) {
      await arrive(() => run.send({ type: 'text-delta', id: 't', delta }), clock.frame);
    }
    expect(seen).toEqual(['', 'user', 'user,assistant']);
  });

  it('a selector that makes a new object each time renders once per change', async () => {
    const { chat, clock } = scriptedChat();
    const seen: string[] = [];
    function Roles() {
      const roles = useAgentChatState(({ messages }) => messages.map(({ role }) => role));
      seen.push(roles.join());
      return null;
    }
    render(<Roles />, { wrapper: withChat(chat) });
    await arrive(() => void chat.sendMessage('Hi'), clock.frame);
    expect(seen).toEqual(['', 'user']);
  });

  it('a provider with another chat updates its children and subscribes to that chat', async () => {
    const [first, second] = [scriptedChat(), scriptedChat()];
    function Count() {
      return useAgentChatState(({ messages }) => messages.length);
    }
    const page = (chat: AgentChat) => (
      <AgentChatProvider chat={chat}>
        <Count />
      </AgentChatProvider>
    );
    const { container, rerender } = render(page(first.chat));
    await arrive(() => void first.chat.sendMessage('Hi'), first.clock.frame);
    expect(container.textContent).toBe('1');
    rerender(page(second.chat));
    expect(container.textContent).toBe('0');
    await arrive(() => void second.chat.sendMessage('Hi'), second.clock.frame);
    expect(container.textContent).toBe('1');
  });

  it('usePendingClientTools returns the calls in order, and renders only when they change', async () => {
    const { chat, backend, clock } = scriptedChat({
      clientTools: { ask: 'interactive', rate: 'interactive' },
    });
    const seen: string[] = [];
    function Questions() {
      seen.push(
        usePendingClientTools()
          .map(({ toolCallId }) => toolCallId)
          .join(),
      );
      return null;
    }
    render(<Questions />, { wrapper: withChat(chat) });
    await arrive(() => void chat.sendMessage('Hi'), clock.frame);
    const run = await backend.request(0);
    await arrive(
      () => run.send(start, ...text('t', 'a'), request(call('1', 'ask'), call('2', 'rate'))),
      clock.frame,
    );
    await arrive(() => void chat.getState().pendingClientTools.ask?.[0]?.submit(1), clock.frame);
    await arrive(() => run.send({ type: 'text-delta', id: 't', delta: 'b' }), clock.frame);
    expect(chat.getState().messages[1]?.parts[0]).toMatchObject({ text: 'ab' });
    expect(seen).toEqual(['', '1,2', '2']);
  });

  it('usePendingClientTools of one tool renders for its calls only, and returns those of another tool when the name changes', async () => {
    const { chat, backend, clock } = scriptedChat({
      clientTools: { ask: 'interactive', rate: 'interactive' },
    });
    const seen: string[][] = [];
    function Questions({ name }: { name: string }) {
      seen.push(usePendingClientTools(name).map(({ toolCallId }) => toolCallId));
      return null;
    }
    const { rerender } = render(<Questions name="ask" />, { wrapper: withChat(chat) });
    await arrive(() => void chat.sendMessage('Hi'), clock.frame);
    const run = await backend.request(0);
    const calls = [call('1', 'ask'), call('2', 'rate'), call('3', 'rate')];
    await arrive(() => run.send(start, request(...calls)), clock.frame);
    await arrive(() => void chat.getState().pendingClientTools.rate?.[1]?.submit(1), clock.frame);
    rerender(<Questions name="rate" />);
    expect(seen).toEqual([[], ['1'], ['2']]);
  });

  it('the provider does not render its children again because the chat changed', async () => {
    const { chat, clock } = scriptedChat();
    let renders = 0;
    const Child = memo(() => {
      renders += 1;
      useAgentChatState(() => 0);
      return null;
    });
    function Page() {
      const flat = useAgentChat({ chat });
      const [child] = useState(<Child />);
      return (
        <AgentChatProvider chat={flat}>
          {flat.messages.length}
          {child}
        </AgentChatProvider>
      );
    }
    const { container } = render(<Page />);
    await arrive(() => void chat.sendMessage('Hi'), clock.frame);
    expect([container.textContent, renders]).toEqual(['1', 1]);
  });

  it('a hook without a provider throws an error that says what to do', () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    function Lost() {
      useAgentChatState(() => 0);
      return null;
    }
    expect(() => render(<Lost />)).toThrow(/<AgentChatProvider chat=/);
    // A caller in plain JavaScript may pass a chat that does not exist yet.
    const missing = undefined as unknown as AgentChat;
    const provided = { wrapper: withChat(missing) };
    expect(() => render(<Lost />, provided)).toThrow(/<AgentChatProvider chat=/);
    expect(render(<p>Without a chat</p>, provided).container.textContent).toBe('Without a chat');
  });

  it.each([undefined, null])(
    'useAgentChat refuses { chat: %s } like options without a transport',
    (missing) => {
      vi.spyOn(console, 'error').mockImplementation(() => {});
      const options = { chat: missing as unknown as AgentChat };
      expect(() => renderHook(() => useAgentChat(options))).toThrow(
        expect.objectContaining({ code: 'invalid_options' }),
      );
    },
  );
});
