// @vitest-environment jsdom
import { act, render, renderHook } from '@testing-library/react';
import { type ReactNode, StrictMode } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClientToolDialogs, Composer } from '../../src/components.ts';
import {
  AgentChatError,
  type AgentChatOptions,
  AgentChatProvider,
  createAgentChat,
  createHttpTransport,
  useAgentChat,
  usePendingClientTools,
} from '../../src/index.ts';
import { explainUnreachable } from '../../src/react/explain-unreachable.ts';
import { noteFailedAddress } from '../../src/shared/failed-addresses.ts';
import { createScriptedTransport } from '../../src/testing/scripted-transport.ts';
import { awaitingAnswers, call, request, start } from '../support/scripted-events.ts';
import { type Backstage, createBackstage, passFrame } from './support.ts';

let warned: () => string;
beforeEach(() => {
  vi.stubEnv('NODE_ENV', 'development');
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  warned = () => warn.mock.calls.flat().join('\n');
});
afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('two chats of one id', () => {
  const use = (id: string) => renderHook(() => useAgentChat({ transport: createScriptedTransport(), id }));

  it('at once on a page are named once, with the fix', () => {
    use('twice');
    use('twice');
    use('twice');
    expect(warned()).toMatch(/useAgentChat with the id "twice" at once.*AgentChatProvider chat=\{chat\}/);
    expect(warned().match(/at once/g)).toHaveLength(1);
  });

  it('one after the other, of different ids, or twice in StrictMode are no mistake', () => {
    use('in-turn').unmount();
    use('in-turn');
    use('another');
    renderHook(() => useAgentChat({ transport: createScriptedTransport(), id: 'strict' }), {
      wrapper: StrictMode,
    });
    expect(warned()).not.toMatch(/at once/);
  });
});

/** A page whose agent asks with a tool; `place` is what the page renders for it. */
async function askOnPage(stage: Backstage, tool: string, Place: () => ReactNode): Promise<void> {
  function Page({ options }: { options: AgentChatOptions }) {
    const chat = useAgentChat(options);
    const { sendMessage } = chat;
    return (
      <AgentChatProvider chat={chat}>
        <button type="button" onClick={() => void sendMessage('Hi')}>
          Say hi
        </button>
        <Place />
      </AgentChatProvider>
    );
  }
  const page = render(<Page options={stage.options} />);
  await act(async () => page.getByText('Say hi').click());
  await stage.say(0, start, request(call('c', tool)), awaitingAnswers);
  await passFrame(stage);
  await act(() => stage.clock.advance(3000));
}

describe('a question with no place to be asked', () => {
  const isMissed = /waits for a person, and nothing on this page asks/;

  it('is named with its tool and the fix, after three seconds', async () => {
    const stage = createBackstage({ clientTools: { lost: 'interactive' } });
    await askOnPage(stage, 'lost', () => null);
    expect(warned()).toMatch(/The tool "lost" waits for a person.*<ClientToolDialogs \/>/);
    await act(() => stage.clock.advance(60_000));
    expect(warned().match(/"lost"/g)).toHaveLength(1);
  });

  it('is not named where the components of an app read the waiting calls', async () => {
    const stage = createBackstage({ clientTools: { own: 'interactive' } });
    const Own = () => <p>{usePendingClientTools().length}</p>;
    await askOnPage(stage, 'own', Own);
    expect(warned()).not.toMatch(isMissed);
  });

  it('is not named where dialogs ask it', async () => {
    const stage = createBackstage({ clientTools: { asked: 'interactive' } });
    await askOnPage(stage, 'asked', () => <ClientToolDialogs mode="inline" />);
    expect(warned()).not.toMatch(isMissed);
  });

  it('is not named where the component with the chat reads the waiting calls', async () => {
    const stage = createBackstage({ clientTools: { read: 'interactive' } });
    const { result } = renderHook(() => {
      const chat = useAgentChat(stage.options);
      return { send: chat.sendMessage, calls: chat.pendingCalls };
    });
    await act(async () => void result.current.send('Hi'));
    await stage.say(0, start, request(call('c', 'read')), awaitingAnswers);
    await act(() => stage.clock.advance(3000));
    expect(result.current.calls).toHaveLength(1);
    expect(warned()).not.toMatch(isMissed);
  });
});

describe('two ClientToolDialogs', () => {
  const chat = () => createAgentChat({ transport: createScriptedTransport() });

  it('for one chat are named once, with the fix', () => {
    render(
      <AgentChatProvider chat={chat()}>
        <ClientToolDialogs />
        <ClientToolDialogs mode="inline" />
        <ClientToolDialogs mode="inline" />
      </AgentChatProvider>,
    );
    expect(warned()).toMatch(/Two <ClientToolDialogs \/> of one chat.*`tools`/);
    expect(warned().match(/Two <Client/g)).toHaveLength(1);
  });

  it('for two chats, or with their own calls, or one after the other are no mistake', () => {
    const first = chat();
    const page = (mode: 'modal' | 'inline') => (
      <>
        <AgentChatProvider chat={first}>
          <ClientToolDialogs key={mode} mode={mode} />
          <ClientToolDialogs tools={[]} />
        </AgentChatProvider>
      </>
    );
    const { rerender } = render(page('modal'));
    rerender(page('inline'));
    render(
      <AgentChatProvider chat={chat()}>
        <ClientToolDialogs />
      </AgentChatProvider>,
    );
    expect(warned()).not.toMatch(/Two <Client/);
  });
});

describe('the style sheet', () => {
  const show = () => {
    vi.useFakeTimers();
    render(<Composer onSend={() => {}} />);
    vi.advanceTimersByTime(1000);
  };

  it('that is there is not asked for', () => {
    const style = document.createElement('style');
    style.textContent = '.hr-piece { --_surface: white; }';
    document.head.append(style);
    show();
    style.remove();
    expect(warned()).not.toMatch(/style sheet/);
  });

  it('that is missing is named once, with the import', () => {
    show();
    show();
    expect(warned()).toMatch(/no style sheet.*import 'handrail\/styles\.css'/);
    expect(warned().match(/no style sheet/g)).toHaveLength(1);
  });
});

describe('a route that speaks another protocol', () => {
  const reply = (frame: object) => async () =>
    new Response(`data: ${JSON.stringify(frame)}\n\n`, { headers: { 'content-type': 'text/event-stream' } });

  it.each([
    [
      'AG-UI',
      { type: 'RUN_STARTED', threadId: 't' },
      /speaks AG-UI.*\{"type":"RUN_STARTED","threadId":"t"\}.*handrail\/ag-ui/,
    ],
    [
      'the AI SDK',
      { type: 'start-step' },
      /protocol of the AI SDK.*\{"type":"start-step"\}.*createAiSdkTransport/,
    ],
  ])('%s is named with what it sent', async (_, frame, words) => {
    const transport = createHttpTransport({ url: '/api', fetch: reply(frame) });
    const { result } = renderHook(() => useAgentChat({ transport }));
    await act(async () => result.current.sendMessage('Hi'));
    expect(warned()).toMatch(words);
  });

  it('an event of a later version is no other protocol', async () => {
    const transport = createHttpTransport({ url: '/api', fetch: reply({ type: 'mood-changed' }) });
    const { result } = renderHook(() => useAgentChat({ transport }));
    await act(async () => result.current.sendMessage('Hi'));
    expect(warned()).not.toMatch(/speaks/);
  });
});

describe('a request without a response', () => {
  const failure = () => new TypeError('Failed to fetch');
  const explain = async (address: string, send: typeof fetch) => {
    const thrown = failure();
    noteFailedAddress(thrown, address);
    await explainUnreachable(thrown, send);
  };
  const opaque = async () => ({ type: 'opaque' }) as Response;
  const refuse = async () => Promise.reject(failure());

  it('is explained as CORS where a server answers a probe', async () => {
    const send = vi.fn(opaque);
    await explain('https://cors.test/agent?token=4711', send);
    expect(warned()).toMatch(
      /A server answers at https:\/\/cors\.test\/agent, .* by CORS.*access-control-allow-origin: http:\/\/localhost/,
    );
    expect(warned()).not.toContain('4711');
    expect(send.mock.calls[0]?.slice(1)).toMatchObject([{ method: 'HEAD', mode: 'no-cors' }]);
  });

  it('is explained as a server that is down where a probe fails too', async () => {
    await explain('https://down.test/agent', refuse);
    expect(warned()).toMatch(/No server answered at https:\/\/down\.test\/agent\. Start it/);
  });

  it('is never CORS at the own origin, which is not probed', async () => {
    const send = vi.fn(opaque);
    await explain('/api/own', send);
    expect(send).not.toHaveBeenCalled();
    expect(warned()).toMatch(/No server answered at http:\/\/localhost.*\/api\/own/);
  });

  it('is explained to the developer of a page by the hook', async () => {
    vi.stubGlobal('fetch', refuse);
    const transport = createHttpTransport({ url: 'https://hook.test/agent' });
    const { result } = renderHook(() => useAgentChat({ transport }));
    await act(async () => result.current.sendMessage('Hi'));
    expect(AgentChatError.isInstance(result.current.error)).toBe(true);
    expect(warned()).toMatch(/No server answered at https:\/\/hook\.test\/agent/);
  });

  it('is not explained in a production build', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    vi.stubGlobal('fetch', refuse);
    const transport = createHttpTransport({ url: 'https://production.test/agent' });
    const { result } = renderHook(() => useAgentChat({ transport }));
    await act(async () => result.current.sendMessage('Hi'));
    expect(warned()).toBe('');
  });
});
