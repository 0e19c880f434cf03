import { describe, expect, it } from 'vitest';
import type { PendingToolCall } from '../../../src/core/protocol/events.ts';
import { type ClientTools, defineClientTool, type TransportQuestion } from '../../../src/core.ts';
import { createScriptedTransport } from '../../../src/testing/scripted-transport.ts';
import { scriptedChat, settled } from '../../support/scripted-chat.ts';
import { awaitingAnswers, call, request, start, stopped } from '../../support/scripted-events.ts';

const approval: TransportQuestion = { interactive: true, ui: 'confirm', description: 'Pay it back?' };
const refund: PendingToolCall = { ...call('c', 'refund', { amount: 3 }), executedBy: 'server' };

/** A chat whose agent asks whether the server may execute a call. */
async function askedChat(clientTools: ClientTools = {}, asked: PendingToolCall = refund) {
  const transport = Object.assign(createScriptedTransport(), { clientTool: () => approval });
  const stage = scriptedChat({ clientTools }, transport);
  void stage.chat.sendMessage('Refund it');
  const run = await stage.backend.request(0);
  run.send(start, request(asked), awaitingAnswers);
  await settled();
  const [tool] = stage.chat.getState().pendingCalls;
  const part = () => stage.chat.getState().messages.at(-1)?.parts[0];
  return { ...stage, tool, part };
}

describe('a question of the backend', () => {
  it('a question about a tool that the app does not declare is asked as the transport describes it', async () => {
    const { tool } = await askedChat();
    expect(tool).toMatchObject({ toolName: 'refund', args: { amount: 3 }, definition: approval });
  });

  it('what the app declares for the tool replaces the description of the transport', async () => {
    const declared = defineClientTool({ interactive: true, severity: 'destructive', description: 'Refund' });
    const { tool } = await askedChat({ refund: declared });
    expect(tool?.definition).toMatchObject({ ui: 'confirm', severity: 'destructive', description: 'Refund' });
  });

  it('a question about a handler of the app runs the handler once it is allowed', async () => {
    const { tool, backend } = await askedChat({ refund: ({ amount }) => ({ paid: amount }) });
    expect(tool?.approvalReason).toBe('policy');
    tool?.submit({ confirmed: true });
    expect((await backend.request(1)).command).toMatchObject({
      type: 'respond',
      answers: [{ outcome: 'submitted', result: { paid: 3 } }],
    });
  });

  it('a question names the agent that asks', async () => {
    const { tool } = await askedChat({}, { ...refund, origin: 'Bookkeeper' });
    expect(tool?.origin).toBe('Bookkeeper');
  });
});

describe('a call that the server executes', () => {
  it('an allowed call runs until its output arrives', async () => {
    const { tool, part, backend, clock } = await askedChat();
    tool?.submit({ confirmed: true });
    expect(part()).toMatchObject({ status: 'running', outcome: 'submitted', executedBy: 'server' });
    const rest = await backend.request(1);
    rest.send({ type: 'tool-output-available', toolCallId: 'c', output: { paid: 3 } }, stopped);
    await settled();
    clock.frame();
    expect(part()).toMatchObject({ status: 'done', result: { paid: 3 }, executedBy: 'server' });
  });

  it('a declined call is done with its answer', async () => {
    const { tool, part } = await askedChat();
    tool?.decline('too much');
    expect(part()).toMatchObject({ status: 'done', outcome: 'declined', executedBy: 'server' });
  });
});
