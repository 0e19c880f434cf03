import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createYesResult } from '../../../src/components/confirmation/use-batch.ts';
import type { PendingToolCall } from '../../../src/core/protocol/events.ts';
import { toQuestion } from '../../../src/core/transport/to-question.ts';
import { type ClientTools, defineClientTool, type TransportQuestion } from '../../../src/core.ts';
import { createApprovalNo } from '../../../src/shared/approval-answers.ts';
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

describe('the approval of a server tool', () => {
  const asked: PendingToolCall = { ...refund, question: { ui: 'confirm' } };

  async function approvalChat(clientTools: ClientTools) {
    const transport = Object.assign(createScriptedTransport(), { clientTool: toQuestion });
    const { chat, backend } = scriptedChat({ clientTools }, transport);
    void chat.sendMessage('Refund it');
    (await backend.request(0)).send(start, request(asked), awaitingAnswers);
    await settled();
    const [tool] = chat.getState().pendingCalls;
    if (tool === undefined) throw new Error('no call waits');
    return { tool, backend };
  }

  it('a yes is exact although the app declares a result of its own for a tool of that name', async () => {
    const declared = defineClientTool({ interactive: true, title: 'Refund', output: z.boolean() });
    const { tool, backend } = await approvalChat({ refund: declared });
    expect(tool.definition).toMatchObject({ ui: 'confirm', title: 'Refund' });
    expect(tool.submit(createYesResult(tool))).toEqual({ settled: true });
    expect((await backend.request(1)).command).toMatchObject({
      answers: [{ outcome: 'submitted', result: { confirmed: true } }],
    });
  });

  it('a yes runs no handler of the page that has the name of the tool', async () => {
    const ran: unknown[] = [];
    const { tool, backend } = await approvalChat({ refund: (args) => ran.push(args) });
    tool.submit({ confirmed: true });
    expect((await backend.request(1)).command).toMatchObject({
      answers: [{ outcome: 'submitted', result: { confirmed: true } }],
    });
    expect(ran).toEqual([]);
  });

  it('a no is declined with its reason', async () => {
    const { tool, backend } = await approvalChat({});
    tool.decline('too much', createApprovalNo());
    expect((await backend.request(1)).command).toMatchObject({
      answers: [
        {
          outcome: 'declined',
          reason: 'too much',
          result: { outcome: 'declined', confirmed: false, reason: 'too much' },
        },
      ],
    });
  });
});
