// @vitest-environment jsdom
/** Exact render counts of hooks and components. */
import { act, render } from '@testing-library/react';
import { memo, Profiler } from 'react';
import { describe, expect, it } from 'vitest';
import { type AgentChat, createAgentChat, type UIMessage } from '../../src/core.ts';
import { AgentChatProvider } from '../../src/react/agent-chat-provider.tsx';
import type { UseAgentChatResult } from '../../src/react/create-tracked-state.ts';
import { useAgentChat } from '../../src/react/use-agent-chat.ts';
import { useAgentChatState } from '../../src/react/use-agent-chat-state.ts';
import { usePendingClientTools } from '../../src/react/use-pending-client-tools.ts';
import { settled } from '../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start, stopped } from '../support/scripted-events.ts';
import { createBackstage, passFrame } from './support.ts';

const delta = (text: string) => ({ type: 'text-delta', id: 't', delta: text }) as const;

describe('useAgentChat', () => {
  it('useAgentChat commits once for any number of deltas within a frame', async () => {
    const stage = createBackstage();
    let commits = 0;
    let shown: UseAgentChatResult | undefined;
    function Chat() {
      shown = useAgentChat(stage.options);
      return <p>{shown.messages.length}</p>;
    }
    render(
      <Profiler id="chat" onRender={() => commits++}>
        <Chat />
      </Profiler>,
    );
    await act(async () => void shown?.sendMessage('Hi'));
    await stage.say(0, start, delta('a'));
    const before = commits;
    const run = await stage.backend.request(0);
    await act(async () => {
      // The chunks are separate, and each is read in its own turn of the event loop.
      for (let index = 0; index < 50; index += 1) run.send(delta('x'));
      for (let turn = 0; turn < 20; turn += 1) await settled();
    });
    expect(commits - before).toBe(0);
    act(() => stage.clock.frame());
    expect(commits - before).toBe(1);
    expect(shown?.messages[1]?.parts).toMatchObject([{ text: `a${'x'.repeat(50)}` }]);
    await passFrame(stage);
    expect(commits - before).toBe(1);
  });

  it('only the streaming message renders again while text streams', async () => {
    const stage = createBackstage();
    const renders: Record<string, number> = {};
    const Message = memo(({ message }: { message: UIMessage }) => {
      renders[message.id] = (renders[message.id] ?? 0) + 1;
      return <p>{message.id}</p>;
    });
    let chat: UseAgentChatResult | undefined;
    function Chat() {
      chat = useAgentChat(stage.options);
      return chat.messages.map((message) => <Message key={message.id} message={message} />);
    }
    render(<Chat />);
    await act(async () => void chat?.sendMessage('one'));
    await stage.say(0, { ...start, messageId: 'first' } as never, delta('a'), stopped);
    await act(async () => void chat?.sendMessage('two'));
    await stage.say(1, { ...start, messageId: 'second' } as never, delta('b'));
    const ids = chat?.messages.map(({ id }) => id) ?? [];
    expect(ids).toHaveLength(4);
    const before = { ...renders };
    for (let frame = 0; frame < 5; frame += 1) await stage.say(1, delta('c'));
    const again = ids.map((id) => (renders[id] ?? 0) - (before[id] ?? 0));
    expect(again).toEqual([0, 0, 0, 5]);
  });

  it('a component that reads only the status does not render while text streams', async () => {
    const stage = createBackstage();
    const seen: string[] = [];
    let chat: UseAgentChatResult | undefined;
    function Status() {
      chat = useAgentChat(stage.options);
      const { status } = chat;
      seen.push(status);
      return null;
    }
    render(<Status />);
    await act(async () => void chat?.sendMessage('Hi'));
    for (const text of ['a', 'b', 'c']) await stage.say(0, delta(text));
    await stage.say(0, stopped);
    expect(seen).toEqual(['idle', 'streaming', 'idle']);
  });

  it('a component that reads nothing renders once, and its handlers still read the current state', async () => {
    const stage = createBackstage();
    let renders = 0;
    let chat: UseAgentChatResult | undefined;
    function Silent() {
      chat = useAgentChat(stage.options);
      renders += 1;
      return null;
    }
    render(<Silent />);
    await act(async () => void chat?.sendMessage('Hi'));
    await stage.say(0, delta('a'));
    expect(renders).toBe(1);
    // An event handler of the only render may read the state twice.
    for (const _ of [1, 2]) {
      expect(chat?.status).toBe('streaming');
      expect(chat?.messages).toHaveLength(2);
    }
  });

  it('the result of useAgentChat retains its identity while no field that was read changes', async () => {
    const stage = createBackstage();
    const results = new Set<unknown>();
    let chat: UseAgentChatResult | undefined;
    function Chat({ tick }: { tick: number }) {
      chat = useAgentChat(stage.options);
      results.add(chat);
      return <p>{`${tick} ${chat.status}`}</p>;
    }
    const { rerender } = render(<Chat tick={0} />);
    rerender(<Chat tick={1} />);
    expect(results.size).toBe(1);
    await act(async () => void chat?.sendMessage('Hi'));
    await stage.say(0, delta('a'));
    expect(results.size).toBe(2);
  });

  it('the result of useAgentChat retains its identity also after a switch to another chat', () => {
    const chats = [1, 2].map(() => createAgentChat(createBackstage().options));
    const results = new Set<unknown>();
    function Chat({ index }: { index: number }) {
      results.add(useAgentChat({ chat: chats[index] as AgentChat }));
      return null;
    }
    const { rerender } = render(<Chat index={0} />);
    for (const _ of [1, 2, 3]) rerender(<Chat index={1} />);
    expect(results.size).toBe(2);
  });
});

describe('useAgentChatState', () => {
  it('useAgentChatState renders only when the value of an inline selector has changed', async () => {
    const stage = createBackstage();
    const chat = createAgentChat(stage.options);
    const counts: number[] = [];
    const texts: string[] = [];
    function Count() {
      counts.push(useAgentChatState((state) => state.messages.length));
      return null;
    }
    function Text() {
      texts.push(useAgentChatState(({ messages }) => JSON.stringify(messages.at(-1)?.parts[0] ?? null)));
      return null;
    }
    render(
      <AgentChatProvider chat={chat}>
        <Count />
        <Text />
      </AgentChatProvider>,
    );
    await act(async () => void chat.sendMessage('Hi'));
    for (const text of ['a', 'b', 'c']) await stage.say(0, delta(text));
    expect(counts).toEqual([0, 1, 2]);
    expect(texts).toHaveLength(5);
  });

  it('useAgentChatState with isEqual renders only when a newly created selection differs', async () => {
    const stage = createBackstage();
    const chat = createAgentChat(stage.options);
    const seen = new Set<unknown>();
    let renders = 0;
    function Ids() {
      const ids = useAgentChatState(
        ({ messages }) => messages.map(({ id }) => id),
        (before, now) => before.join() === now.join(),
      );
      seen.add(ids);
      renders += 1;
      return null;
    }
    const { rerender } = render(<Ids />, {
      wrapper: ({ children }) => <AgentChatProvider chat={chat}>{children}</AgentChatProvider>,
    });
    await act(async () => void chat.sendMessage('Hi'));
    for (const text of ['a', 'b', 'c']) await stage.say(0, delta(text));
    rerender(<Ids />);
    expect(renders).toBe(4);
    expect(seen.size).toBe(3);
  });

  it('useAgentChatState applies a selector that changes with props at once', async () => {
    const stage = createBackstage();
    const chat = createAgentChat(stage.options);
    function Field({ name }: { name: 'status' | 'error' }) {
      return <p>{String(useAgentChatState((state) => state[name]))}</p>;
    }
    const { container, rerender } = render(<Field name="status" />, {
      wrapper: ({ children }) => <AgentChatProvider chat={chat}>{children}</AgentChatProvider>,
    });
    expect(container.textContent).toBe('idle');
    rerender(<Field name="error" />);
    expect(container.textContent).toBe('null');
  });
});

describe('usePendingClientTools', () => {
  const clientTools = { ask: 'interactive', rate: 'interactive' } as const;

  it('usePendingClientTools returns the calls in the order of the requests, and renders only when they change', async () => {
    const stage = createBackstage({ clientTools });
    const chat = createAgentChat(stage.options);
    const seen: string[] = [];
    const rates: string[] = [];
    function Questions() {
      seen.push(
        usePendingClientTools()
          .map(({ toolCallId }) => toolCallId)
          .join(),
      );
      return null;
    }
    function Rates() {
      rates.push(
        usePendingClientTools('rate')
          .map(({ toolCallId }) => toolCallId)
          .join(),
      );
      return null;
    }
    render(
      <AgentChatProvider chat={chat}>
        <Questions />
        <Rates />
      </AgentChatProvider>,
    );
    await act(async () => void chat.sendMessage('Hi'));
    await stage.say(0, start, request(call('1', 'ask'), call('2', 'rate'), call('3', 'ask')));
    await stage.say(0, delta('a'));
    await stage.say(0, delta('b'), awaitingAnswers);
    await act(async () => void chat.getState().pendingClientTools.ask?.[0]?.submit('yes'));
    await act(async () => chat.stop());
    expect(seen).toEqual(['', '1,2,3', '2,3', '']);
    expect(rates).toEqual(['', '2', '']);
  });

  it('usePendingClientTools returns no calls for a name that only Object.prototype has', async () => {
    const stage = createBackstage({ clientTools });
    const chat = createAgentChat(stage.options);
    let pending: unknown;
    function Questions() {
      pending = usePendingClientTools('constructor');
      return null;
    }
    render(
      <AgentChatProvider chat={chat}>
        <Questions />
      </AgentChatProvider>,
    );
    expect(pending).toEqual([]);
  });
});

describe('AgentChatProvider', () => {
  it('AgentChatProvider retains its value while the chat changes, so that its children render only for the fields that they read', async () => {
    const stage = createBackstage();
    let chat: UseAgentChatResult | undefined;
    let below = 0;
    let outer = 0;
    const Below = memo(() => {
      useAgentChatState((state) => state.error);
      below += 1;
      return null;
    });
    function Chat() {
      chat = useAgentChat(stage.options);
      outer += chat.messages.length >= 0 ? 1 : 0;
      return (
        <AgentChatProvider chat={chat}>
          <Below />
        </AgentChatProvider>
      );
    }
    render(<Chat />);
    await act(async () => void chat?.sendMessage('Hi'));
    await stage.say(0, delta('a'));
    await stage.say(0, delta('b'));
    expect(outer).toBe(4);
    expect(below).toBe(1);
  });
});
