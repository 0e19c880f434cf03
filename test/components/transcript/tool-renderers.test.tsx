// @vitest-environment jsdom
import { act, render } from '@testing-library/react';
import { useEffect, useState } from 'react';
import { expect, test } from 'vitest';
import { type ToolRendererProps, Transcript } from '../../../src/components.ts';
import type { AgentEvent } from '../../../src/core/protocol/events.ts';
import type { AgentChat, UIMessage, UIMessagePart } from '../../../src/core.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { withChat } from '../../../src/testing/with-chat.tsx';
import { left, open, restored } from '../../support/persisted-page.ts';
import { settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start, stopped } from '../../support/scripted-events.ts';

/** A renderer that records its mounts and the props of every render. */
function createProbe() {
  const renders: { mount: number; props: ToolRendererProps }[] = [];
  let mounts = 0;
  function Probe(props: ToolRendererProps) {
    const [mount] = useState(() => ++mounts);
    useEffect(() => {
      renders.push({ mount, props });
    });
    return <i>{props.status}</i>;
  }
  const last = () => renders.at(-1)?.props;
  return { Probe, renders, last };
}

function openPage(tools: Record<string, ReturnType<typeof createProbe>['Probe']>) {
  const page = open(createMemoryStorage(), { clientTools: { ask: 'interactive' } });
  const view = render(<Transcript renderers={{ tools }} />, { wrapper: withChat(page.chat as AgentChat) });
  const send = (words: string) => act(async () => void page.chat.sendMessage(words));
  const say = (index: number, ...events: AgentEvent[]) =>
    act(async () => {
      (await page.backend.request(index)).send(...events);
      await settled();
      page.clock.frame();
    });
  return { ...page, ...view, send, say };
}

const inputStart = { type: 'tool-input-start', toolCallId: '1', toolName: 'ask' } as const;
const inputDelta = (json: string) =>
  ({ type: 'tool-input-delta', toolCallId: '1', inputTextDelta: json }) as const;

test('a tool renderer keeps one mounted component from the first streamed argument to later messages', async () => {
  const { Probe, renders, last } = createProbe();
  const { send, say, chat } = openPage({ ask: Probe });
  await act(() => restored(chat));
  await send('order');
  await say(0, start, inputStart);
  expect(last()).toMatchObject({ status: 'pending', args: undefined, partialArgs: {}, tool: undefined });
  await say(0, inputDelta('{"items":["tea","co'));
  expect(last()).toMatchObject({ args: undefined, partialArgs: { items: ['tea', 'co'] } });

  const args = { items: ['tea', 'coffee'] };
  await say(0, request(call('1', 'ask', args)), awaitingAnswers);
  expect(last()).toMatchObject({ status: 'running', args, partialArgs: args, result: undefined });
  await act(async () => void last()?.tool?.submit({ size: 'L' }));
  expect(last()).toMatchObject({ status: 'done', args, result: { size: 'L' }, tool: undefined });

  await say(1, { type: 'text-delta', id: 't', delta: 'Ordered.' }, stopped);
  await send('thanks');
  await say(2, start, { type: 'text-delta', id: 'u', delta: 'Welcome.' }, stopped);
  expect(new Set(renders.map(({ mount }) => mount))).toEqual(new Set([1]));
});

test('a tool renderer gets the waiting call in its first render after a reload and stays mounted', async () => {
  const { Probe, renders, last } = createProbe();
  const storage = createMemoryStorage();
  const before = await left(storage, { ask: 'interactive' }, undefined, 'ask');
  await before.clock.advance(1000);

  const { chat, backend, clock } = open(storage, { clientTools: { ask: 'interactive' } });
  render(<Transcript renderers={{ tools: { ask: Probe } }} />, { wrapper: withChat(chat as AgentChat) });
  await act(() => restored(chat));
  expect(renders[0]?.props).toMatchObject({ status: 'running', args: {}, tool: { toolCallId: 'c0' } });
  await act(async () => void last()?.tool?.submit('yes'));
  await act(async () => {
    (await backend.request(0)).send(start, stopped);
    await settled();
    clock.frame();
  });
  expect(last()).toMatchObject({ status: 'done', result: 'yes', tool: undefined });
  expect(new Set(renders.map(({ mount }) => mount))).toEqual(new Set([1]));
});

test('a tool renderer gets no complete arguments when the turn stops while they stream', async () => {
  const { Probe, last } = createProbe();
  const { send, say, chat } = openPage({ ask: Probe });
  await act(() => restored(chat));
  await send('order');
  await say(0, start, inputStart, inputDelta('{"items":["tea"'));
  await act(async () => chat.stop());
  expect(last()).toMatchObject({
    status: 'cancelled',
    args: undefined,
    partialArgs: { items: ['tea'] },
  });
});

test('a tool renderer keeps the arguments of a server tool when the turn stops before its result', async () => {
  const { Probe, last } = createProbe();
  const { send, say, chat } = openPage({ look: Probe });
  await act(() => restored(chat));
  await send('look');
  await say(0, start, {
    type: 'tool-input-available',
    toolCallId: '1',
    toolName: 'look',
    input: { at: 'sky' },
  });
  await act(async () => chat.stop());
  expect(last()).toMatchObject({ status: 'cancelled', args: { at: 'sky' } });
});

const toolPart = (toolCallId: string, toolName: string): UIMessagePart => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  args: {},
  status: 'done',
});
const answer = (...parts: UIMessagePart[]): UIMessage => ({
  id: '1',
  role: 'assistant',
  parts,
  status: 'done',
  createdAt: new Date(0),
});

test('a tool renderer comes before the renderer of all tool calls and leaves other tools to it', () => {
  const { container } = render(
    <Transcript
      renderers={{
        'tool-call': ({ part }) => <b>{part.toolName}</b>,
        tools: { ask: () => <b>mine</b> },
      }}
      messages={[answer(toolPart('1', 'ask'), toolPart('2', 'look'), toolPart('3', 'constructor'))]}
    />,
  );
  expect([...container.querySelectorAll('b')].map((each) => each.textContent)).toEqual([
    'mine',
    'look',
    'constructor',
  ]);
});

test('tool renderers in an inline object do not render unchanged calls again', () => {
  const { Probe, renders } = createProbe();
  const messages = [answer(toolPart('1', 'ask'))];
  const { rerender } = render(<Transcript renderers={{ tools: { ask: Probe } }} messages={messages} />);
  rerender(<Transcript renderers={{ tools: { ask: Probe } }} messages={messages} />);
  expect(renders).toHaveLength(1);
  rerender(<Transcript renderers={{ tools: {} }} messages={messages} />);
  rerender(<Transcript renderers={{ tools: { ask: Probe } }} messages={messages} />);
  expect(renders.map(({ mount }) => mount)).toEqual([1, 2]);
});

test('another call at the same place of a message gets a tool renderer of its own', () => {
  const { Probe, renders } = createProbe();
  const renderers = { tools: { ask: Probe } };
  const { rerender } = render(<Transcript renderers={renderers} messages={[answer(toolPart('1', 'ask'))]} />);
  rerender(<Transcript renderers={renderers} messages={[answer(toolPart('2', 'ask'))]} />);
  expect(renders.map(({ mount, props }) => [mount, props.part.toolCallId])).toEqual([
    [1, '1'],
    [2, '2'],
  ]);
});
