// @vitest-environment jsdom
import { act, render } from '@testing-library/react';
import { lazy, type ReactNode, StrictMode, Suspense, useState } from 'react';
import { renderToString } from 'react-dom/server';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { RespondCommand } from '../../src/core/protocol/commands.ts';
import type { ClientTools } from '../../src/core.ts';
import { AgentChatProvider, useClientTool, usePendingClientTools } from '../../src/index.ts';
import { createDeferred } from '../support/deferred.ts';
import { scriptedChat, settled } from '../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start } from '../support/scripted-events.ts';

/** A page whose agent calls `pick` as often as the test says. */
async function page(clientTools: ClientTools = {}) {
  const scripted = scriptedChat({ clientTools });
  void scripted.chat.sendMessage('Hi');
  let asked = 0;
  return {
    ...scripted,
    within: (children: ReactNode) => <AgentChatProvider chat={scripted.chat}>{children}</AgentChatProvider>,
    ask: () =>
      act(async () => {
        const run = await scripted.backend.request(asked);
        asked += 1;
        run.send(start, request(call(`c${asked}`, 'pick')), awaitingAnswers);
        run.end();
        await settled();
      }),
    advance: (ms: number) => act(() => scripted.clock.advance(ms)),
    answers: () =>
      scripted.backend.commands
        .filter((command): command is RespondCommand => command.type === 'respond')
        .flatMap((command) => command.answers.map(({ result, error }) => error ?? result)),
  };
}

function Pick({ color, enabled = true }: { color: string; enabled?: boolean }) {
  useClientTool('pick', () => color, { enabled });
  return <p>{color}</p>;
}

/** A component that asks a person itself. */
function Asks({ title }: { title: string }) {
  useClientTool('pick', { interactive: true, title, output: z.object({ color: z.string() }) });
  const [tool] = usePendingClientTools('pick');
  return <p>{tool === undefined ? 'nothing to pick' : tool.definition?.title}</p>;
}

describe('useClientTool', () => {
  it('a mounted component answers calls, with the props of its latest render', async () => {
    const { within, ask, answers } = await page();
    const { rerender } = render(within(<Pick color="red" />));
    await ask();
    rerender(within(<Pick color="blue" />));
    await ask();
    expect(answers()).toEqual(['red', 'blue']);
  });

  it('a handler sees the state of the latest render', async () => {
    const { within, ask, answers } = await page();
    function Counter() {
      const [count, setCount] = useState(0);
      useClientTool('pick', () => {
        setCount(count + 1);
        return count;
      });
      return <p>{count}</p>;
    }
    const { container } = render(within(<Counter />));
    await ask();
    await ask();
    await ask();
    expect(answers()).toEqual([0, 1, 2]);
    expect(container.textContent).toBe('3');
  });

  it.each([
    ['not enabled', (color: string) => <Pick color={color} enabled={false} />],
    ['unmounted', () => null],
  ])(
    'a component that is %s does not answer: the agent gets the missing-handler text after a second',
    async (_, show) => {
      const { within, ask, answers, advance } = await page();
      const { rerender } = render(within(<Pick color="red" />));
      rerender(within(show('red')));
      await ask();
      await advance(999);
      expect(answers()).toEqual([]);
      await advance(1);
      expect(answers()).toEqual(['No client handler for tool: pick']);
    },
  );

  it('a component that mounts within a second of the call answers it', async () => {
    const { within, ask, answers, advance } = await page();
    const { rerender } = render(within(null));
    await ask();
    await advance(900);
    rerender(within(<Pick color="red" />));
    await act(settled);
    expect(answers()).toEqual(['red']);
  });

  it('a component whose content suspends answers once it is shown, and goes on while a fallback is shown later', async () => {
    const { within, ask, answers } = await page();
    const loaded = [createDeferred<void>(), createDeferred<void>()];
    const contents = loaded.map(({ promise }) =>
      lazy(() => promise.then(() => ({ default: () => <p>ready</p> }))),
    );
    function Lazy({ index }: { index: number }) {
      useClientTool('pick', () => 'red');
      const Content = contents[index] as (typeof contents)[number];
      return <Content />;
    }
    const show = (index: number) =>
      within(
        <Suspense fallback="loading">
          <Lazy index={index} />
        </Suspense>,
      );
    const { container, rerender } = await act(async () => render(show(0)));
    await act(async () => loaded[0]?.resolve());
    expect(container.textContent).toBe('ready');
    await ask();
    await act(async () => rerender(show(1)));
    expect(container.textContent).toContain('loading');
    await ask();
    expect(answers()).toEqual(['red', 'red']);
  });

  it('Strict Mode registers the tool once and warns of nothing', async () => {
    const { within, ask, answers, advance } = await page();
    const handler = vi.fn(() => 'red');
    function Once() {
      useClientTool('pick', handler);
      return null;
    }
    const { unmount } = render(<StrictMode>{within(<Once />)}</StrictMode>);
    await ask();
    expect(handler).toHaveBeenCalledTimes(1);
    unmount();
    await ask();
    await advance(1000);
    expect(answers()).toEqual(['red', 'No client handler for tool: pick']);
  });

  it('a page that is rendered on the server registers nothing', async () => {
    const { chat, within } = await page();
    const register = vi.spyOn(chat, 'registerTool');
    expect(renderToString(within(<Pick color="red" />))).toContain('red');
    expect(register).not.toHaveBeenCalled();
  });

  it('a waiting call survives its component, and the next component of the name asks it anew', async () => {
    const { within, ask, answers, advance, chat } = await page();
    const { rerender, container } = render(within(<Asks key="1" title="Pick one" />));
    await ask();
    await advance(16);
    expect(container.textContent).toBe('Pick one');
    rerender(within(null));
    await advance(60_000);
    expect(answers()).toEqual([]);
    rerender(within(<Asks key="2" title="Choose one" />));
    await advance(16);
    expect(container.textContent).toBe('Choose one');
    await act(async () => void chat.getState().pendingCalls[0]?.submit({ color: 'red' }));
    expect(answers()).toEqual([{ color: 'red' }]);
  });

  it('a handler that runs when its component unmounts runs to its end', async () => {
    const { within, ask, answers } = await page();
    const slow = createDeferred<string>();
    function Slow() {
      useClientTool('pick', () => slow.promise);
      return null;
    }
    const { rerender } = render(within(<Slow />));
    await ask();
    rerender(within(null));
    await act(async () => slow.resolve('red'));
    await act(settled);
    expect(answers()).toEqual(['red']);
  });

  it('of two components the last mounted wins, with one warning, and the first is back when it goes', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { within, ask, answers } = await page();
    const both = (color?: string) =>
      within(
        <>
          <Pick color="red" />
          {color !== undefined && <Pick key={color} color={color} />}
        </>,
      );
    const { rerender } = render(both());
    rerender(both('blue'));
    rerender(both('green'));
    // The first one renders again, and does not come to the front.
    rerender(both('green'));
    await ask();
    rerender(both());
    await ask();
    expect(answers()).toEqual(['green', 'red']);
    expect(warn.mock.calls.flat()).toEqual([
      expect.stringContaining("Two mounted components call useClientTool('pick')"),
    ]);
  });

  it('a component wins over clientTools of its name, with a warning', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const { within, ask, answers } = await page({ pick: () => 'declared' });
    const { rerender } = render(within(<Pick color="red" />));
    await ask();
    rerender(within(null));
    await ask();
    expect(answers()).toEqual(['red', 'declared']);
    expect(warn.mock.calls.flat()).toEqual([expect.stringMatching(/useClientTool\('pick'\).*clientTools/)]);
  });

  it('another name registers the tool under that name alone', async () => {
    const { chat, within } = await page();
    const register = vi.spyOn(chat, 'registerTool');
    function Named({ name }: { name: string }) {
      useClientTool(name, () => name);
      return null;
    }
    const { rerender } = render(within(<Named name="a" />));
    rerender(within(<Named name="b" />));
    expect(register.mock.calls.map(([name]) => name)).toEqual(['a', 'b']);
    expect(chat.registerTool('a', () => 1).replaces).toBeUndefined();
    expect(chat.registerTool('b', () => 1).replaces).toBe('registered');
  });

  it('a component outside of a provider gets an error that says what to do', () => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    expect(() => render(<Pick color="red" />)).toThrow('put the component under <AgentChatProvider');
  });
});
