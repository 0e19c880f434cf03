// @vitest-environment jsdom
/** Schemas of libraries that do not describe themselves as JSON Schema, such as Valibot and Zod 3. */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { act, render, screen, waitFor } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { StrictMode } from 'react';
import * as v from 'valibot';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { z as z3 } from 'zod/v3';
import { ClientToolDialogs, englishLabels } from '../../../src/components.ts';
import type { RespondCommand } from '../../../src/core/protocol/commands.ts';
import { defineClientTool } from '../../../src/core.ts';
import { AgentChatProvider } from '../../../src/react/agent-chat-provider.tsx';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start } from '../../support/scripted-events.ts';

async function ask(output: StandardSchemaV1, ...argsOfCalls: Record<string, unknown>[]) {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  const { chat, backend } = scriptedChat({
    clientTools: { 'your-name': defineClientTool({ interactive: true, output }) },
  });
  render(
    <AgentChatProvider chat={chat}>
      <ClientToolDialogs />
    </AgentChatProvider>,
    { wrapper: StrictMode },
  );
  await act(async () => {
    void chat.sendMessage('Hi');
    const run = await backend.request(0);
    run.send(
      start,
      ...argsOfCalls.map((args, index) => request(call(String(index), 'your-name', args))),
      awaitingAnswers,
    );
    run.end();
    await settled();
  });
  const answers = () =>
    backend.commands
      .filter((command): command is RespondCommand => command.type === 'respond')
      .flatMap((command) => command.answers)
      .map(({ outcome, result }) => ({ outcome, result }));
  return { answers, warn, user: userEvent.setup() };
}

const editor = () => screen.getByRole<HTMLTextAreaElement>('textbox');
const press = (user: ReturnType<typeof userEvent.setup>) =>
  user.click(screen.getByRole('button', { name: 'Send' }));

/** Each call makes another schema, because a developer is warned once about each. */
describe.each<[string, () => StandardSchemaV1]>([
  ['Valibot', () => v.object({ name: v.pipe(v.string(), v.minLength(2, 'Two letters')) })],
  ['Zod 3', () => z3.object({ name: z3.string().min(2, 'Two letters') })],
])('a tool with an output schema of %s', (vendor, createOutput) => {
  test('is answered in a JSON editor, which says where the schema refuses the value', async () => {
    const { answers, user } = await ask(createOutput(), { question: 'Who are you?' });
    expect(editor()).toHaveProperty('tagName', 'TEXTAREA');
    expect(document.getElementById(editor().getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      englishLabels.jsonNote,
    );

    await user.type(editor(), '{{"name":"A"}');
    await press(user);
    await screen.findByText('name: Two letters', { selector: '.hr-error' });
    expect(answers()).toEqual([]);

    await user.clear(editor());
    await user.type(editor(), '{{"name":"Ada"}');
    await press(user);
    await waitFor(() => expect(answers()).toEqual([{ outcome: 'submitted', result: { name: 'Ada' } }]));
  });

  test('warns the developer once, and names the fix', async () => {
    const { warn, user } = await ask(createOutput(), { question: 'Who are you?' }, { question: 'And you?' });
    await user.type(editor(), '{{"name":"Ada"}');
    await press(user);
    await screen.findByText('2 of 2');
    expect(warn).toHaveBeenCalledOnce();
    const [message] = warn.mock.calls[0] ?? [];
    expect(message).toContain('"your-name"');
    expect(message).toContain(vendor === 'Valibot' ? '@valibot/to-json-schema' : 'Zod 4.2');
  });

  test('shows the fields that the agent sends', async () => {
    const { answers, warn, user } = await ask(createOutput(), {
      fields: [{ name: 'name', label: 'Your name', required: true }],
    });
    await user.type(screen.getByRole('textbox', { name: 'Your name' }), 'Ada');
    await press(user);
    await waitFor(() => expect(answers()).toEqual([{ outcome: 'submitted', result: { name: 'Ada' } }]));
    expect(warn).not.toHaveBeenCalled();
  });
});

test('a tool with an output schema that describes itself gives no warning', async () => {
  const { warn } = await ask(z.object({ name: z.string() }), { question: 'Who are you?' });
  expect(screen.getByRole('textbox', { name: 'Name' })).toBeTruthy();
  expect(warn).not.toHaveBeenCalled();
});
