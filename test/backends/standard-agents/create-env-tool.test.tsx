// @vitest-environment jsdom
/** Values of environment variables (Standard Agents, section "Environment, storage, effects, hooks"). */
import { fireEvent, render, screen, waitFor } from '@testing-library/react';
import { act } from 'react';
import { describe, expect, it } from 'vitest';
import { ClientToolDialogs, Transcript } from '../../../src/components.ts';
import { AgentChatProvider } from '../../../src/react/agent-chat-provider.tsx';
import { createEnvTool } from '../../../src/standard-agents.ts';
import { calling, openThread, partsOf } from './support/thread-double.ts';

const VALUE = 'ghp_verysecretvalue';
const secret = createEnvTool({ name: 'GITHUB_TOKEN', description: 'To read your issues.' });

/** A page on which the agent asks for a value. */
async function openAsked(tool: ReturnType<typeof createEnvTool>) {
  const thread = openThread({ set_token: tool });
  const { server, chat } = thread;
  await act(async () => {
    await thread.start();
    await server.put(calling('a', 'c1', 'set_token'));
    await server.ask({ id: 'c1', name: 'set_token' });
  });
  const page = render(
    <AgentChatProvider chat={chat}>
      <Transcript />
      <ClientToolDialogs />
    </AgentChatProvider>,
  );
  return { ...thread, page };
}

async function enter(value: string, label: string) {
  fireEvent.change(await screen.findByLabelText(label), { target: { value } });
  fireEvent.click(screen.getByText('Send'));
}

describe('createEnvTool', () => {
  it('puts the value into the thread, and tells the agent only that it is set', async () => {
    const { server } = await openAsked(secret);
    await enter(VALUE, 'GITHUB_TOKEN');
    await act(() => server.settle());
    expect(server.requestsTo('PUT', '/env/GITHUB_TOKEN').map(({ path, body }) => [path, body])).toEqual([
      ['/t1/env/GITHUB_TOKEN', { value: VALUE, type: 'secret' }],
    ]);
    expect(server.requestsTo('POST', '/client-tools/c1').map(({ body }) => body)).toEqual([
      { outcome: 'submitted', result: { name: 'GITHUB_TOKEN', isSet: true } },
    ]);
  });

  it('asks for a longer value before it sends a secret that the server would refuse', async () => {
    const { server } = await openAsked(secret);
    await enter('abc', 'GITHUB_TOKEN');
    await act(() => server.settle());
    expect(screen.getByLabelText('GITHUB_TOKEN').getAttribute('aria-invalid')).toBe('true');
    expect(server.requestsTo('PUT', '/env/GITHUB_TOKEN')).toEqual([]);
  });

  it('leaves the value in no message, snapshot, page or request but the one', async () => {
    const { server, chat, storage, page, log } = await openAsked(secret);
    const field = await screen.findByLabelText('GITHUB_TOKEN');
    expect(field.getAttribute('type')).toBe('password');
    await enter(VALUE, 'GITHUB_TOKEN');
    expect(page.baseElement.outerHTML).not.toContain(VALUE);
    await act(async () => {
      await server.settle();
      await server.put({ id: 'b', role: 'assistant', content: 'Thanks.' });
      await server.rest();
      await server.clock.advance(1_000);
    });
    await waitFor(() => expect(screen.getByText('Thanks.')).toBeTruthy());
    expect(partsOf(chat)).toMatchObject([{ outcome: 'submitted', result: {} }, { text: 'Thanks.' }]);
    const others = server.requests.filter(({ method }) => method !== 'PUT');
    const kept = [chat.getState(), [...storage.entries], others, server.received, server.streams, log];
    expect(JSON.stringify(kept)).not.toContain(VALUE);
    expect(page.baseElement.outerHTML).not.toContain(VALUE);
  });

  it('puts nothing when the person declines', async () => {
    const { server } = await openAsked(secret);
    fireEvent.click(await screen.findByText("Don't answer"));
    await act(() => server.settle());
    expect(server.requestsTo('PUT', '/env/GITHUB_TOKEN')).toEqual([]);
    expect(server.requestsTo('POST', '/client-tools/c1')[0]?.body).toMatchObject({ outcome: 'declined' });
  });

  it('does not answer before the value is stored, and stores it again after a failure', async () => {
    const { server } = await openAsked(secret);
    let failures = 1;
    server.answer = ({ method }) =>
      method === 'PUT' && failures-- > 0 ? new Response(null, { status: 503 }) : undefined;
    await enter(VALUE, 'GITHUB_TOKEN');
    await act(() => server.settle());
    expect(server.requestsTo('POST', '/client-tools/c1')).toEqual([]);
    await act(async () => {
      await server.clock.advance(1);
      await server.settle();
    });
    expect(server.requestsTo('PUT', '/env/GITHUB_TOKEN')).toHaveLength(2);
    expect(server.requestsTo('POST', '/client-tools/c1')).toHaveLength(1);
  });

  it('asks for a text in the open, and stores it as one', async () => {
    const { server } = await openAsked(createEnvTool({ name: 'REGION', type: 'text', label: 'Region' }));
    expect((await screen.findByLabelText('Region')).getAttribute('type')).not.toBe('password');
    await enter('eu-1', 'Region');
    await act(() => server.settle());
    expect(server.requestsTo('PUT', '/env/REGION')[0]?.body).toEqual({ value: 'eu-1', type: 'text' });
  });

  it('does not take an empty value', async () => {
    const { server } = await openAsked(secret);
    await enter('', 'GITHUB_TOKEN');
    await act(() => server.settle());
    expect(server.requestsTo('PUT', '/env/GITHUB_TOKEN')).toEqual([]);
    expect(screen.getByLabelText('GITHUB_TOKEN')).toBeTruthy();
  });
});
