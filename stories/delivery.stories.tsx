import type { Meta, StoryObj } from '@storybook/react-vite';
import { useEffect, useState } from 'react';
import { expect, fn, screen, userEvent, waitFor } from 'storybook/test';
import { Composer } from '../src/components/composer/composer.tsx';
import { ComposerBar } from '../src/components/composer/composer-bar.tsx';
import type { HeldQuestion } from '../src/components/hooks/held-questions.ts';
import { Transcript } from '../src/components/transcript/transcript.tsx';
import { createAgentChat } from '../src/core/chat/create-agent-chat.ts';
import type { AgentEvent } from '../src/core/protocol/events.ts';
import { AgentChatProvider } from '../src/react/agent-chat-provider.tsx';
import { createScriptedTransport } from '../src/testing/scripted-transport.ts';
import { awaitingAnswers, call, failure, request, start } from '../test/support/scripted-events.ts';

interface DeliveryProps {
  readonly stage?: 'waiting' | 'sending' | 'not-sent' | 'received' | 'refused' | 'restarted';
  readonly heldQuestion?: HeldQuestion;
}

/** With the schema of its arguments, so that the row has the main value. */
const refund = {
  ...call('call-1', 'refund', { amount: 89, order: '4711' }),
  question: {
    title: 'Refund',
    inputSchema: {
      properties: {
        amount: { type: 'number', title: 'Amount', emphasis: true, format: 'currency', currency: 'EUR' },
        order: { type: 'string', title: 'Order' },
      },
    },
  },
};

const restarted: AgentEvent = { ...failure, code: 'server_restarted' };
const overruled: AgentEvent = {
  ...{ type: 'tool-result-acknowledged', toolCallId: 'call-1', status: 'expired' },
  ...{ outcome: 'declined', answeredBy: { id: 'lin', name: 'Lin' } },
};

/** The network of the page, until the next story. */
function setOnline(isOnline: boolean) {
  Object.defineProperty(navigator, 'onLine', { configurable: true, get: () => isOnline });
  window.dispatchEvent(new Event(isOnline ? 'online' : 'offline'));
}

/** The real engine, and the answer of a person at one stage of its way. */
function Delivery({ stage = 'waiting', heldQuestion }: DeliveryProps) {
  const [{ transport, chat }] = useState(() => {
    const scripted = createScriptedTransport();
    return {
      transport: scripted,
      chat: createAgentChat({ transport: scripted, clientTools: { refund: 'interactive' } }),
    };
  });
  useEffect(() => {
    if (chat.getState().messages.length > 0) return;
    void play(chat, transport, stage);
  }, [chat, transport, stage]);
  return (
    <AgentChatProvider chat={chat}>
      <div className="story-chat">
        <Transcript />
        {heldQuestion && <ComposerBar heldQuestion={heldQuestion} />}
        <Composer />
      </div>
    </AgentChatProvider>
  );
}

async function play(
  chat: ReturnType<typeof createAgentChat>,
  transport: ReturnType<typeof createScriptedTransport>,
  stage: NonNullable<DeliveryProps['stage']>,
) {
  void chat.sendMessage('Please refund order 4711').catch(() => {});
  const run = await transport.request(0);
  if (stage === 'restarted') {
    run.send(start, restarted);
    return (await transport.request(1)).send(start, restarted);
  }
  run.send(start, request(refund), awaitingAnswers);
  run.end();
  if (stage === 'waiting') return;
  await new Promise<void>((resolve) => {
    const leave = chat.subscribe(() => {
      if (chat.getState().pendingCalls.length === 0) return;
      leave();
      resolve();
    });
  });
  if (stage === 'not-sent') setOnline(false);
  chat.getState().pendingCalls[0]?.submit({ confirmed: true });
  if (stage === 'received') (await transport.request(1)).send(start);
  if (stage === 'refused') (await transport.request(1)).send(start, overruled);
}

/** How far the answer of a person is: on the row of its call, and in the bar above the composer. */
const meta = {
  title: 'Delivery',
  component: Delivery,
  beforeEach: () => () => {
    Reflect.deleteProperty(navigator, 'onLine');
    window.dispatchEvent(new Event('online'));
  },
} satisfies Meta<typeof Delivery>;
export default meta;

type Story = StoryObj<typeof meta>;

const bar = (text: string | RegExp) =>
  waitFor(() => {
    const shown = document.querySelector('.hr-bar');
    expect(shown).toBeVisible();
    expect(shown).toHaveTextContent(text);
  });
const row = () => document.querySelector<HTMLElement>('.hr-call');
const reaches = (delivery: string | undefined) =>
  waitFor(() => expect(row()?.dataset.delivery).toBe(delivery));

export const Waiting: Story = {
  play: async () => {
    await waitFor(() => expect(row()).toHaveAttribute('data-waiting'));
    await expect(row()).toHaveTextContent('Refund€89.00waits for you');
  },
};

export const Sending: Story = {
  args: { stage: 'sending' },
  play: async () => {
    await reaches('sending');
    await expect(screen.getByText('sending…')).toBeVisible();
  },
};

/** By keyboard: the answer is taken back before the network is. */
export const NotSentYet: Story = {
  args: { stage: 'not-sent' },
  play: async () => {
    await reaches('not-sent');
    await bar('You are offline.');
    screen.getByRole('button', { name: 'Take back' }).focus();
    await userEvent.keyboard('{Enter}');
    await reaches(undefined);
    await expect(row()).toHaveAttribute('data-waiting');
  },
};

export const Offline: Story = {
  args: { stage: 'not-sent' },
  play: async () => {
    await reaches('not-sent');
    await bar(/1 answer goes out when you are back/);
  },
};
export const OfflineDark: Story = { ...Offline, parameters: { theme: 'dark' } };
export const OfflinePhone: Story = { ...Offline, globals: { viewport: { value: 'mobile1' } } };

export const BackOnline: Story = {
  args: { stage: 'waiting' },
  play: async () => {
    await waitFor(() => expect(row()).toHaveAttribute('data-waiting'));
    setOnline(false);
    await bar('You are offline.');
    setOnline(true);
    await bar('Back online. All sent.');
  },
};

export const Received: Story = {
  args: { stage: 'received' },
  play: () => reaches('received'),
};

export const Refused: Story = {
  args: { stage: 'refused' },
  play: async () => {
    await reaches('refused');
    await expect(screen.getByText('your answer did not count')).toBeVisible();
  },
};

export const Restarted: Story = {
  args: { stage: 'restarted' },
  play: async () => {
    await bar('The server restarted. Your answers are kept.');
  },
};
export const RestartedDark: Story = { ...Restarted, parameters: { theme: 'dark' } };

export const HeldWhileTyping: Story = {
  args: { heldQuestion: { title: 'Refund order 4711', reason: 'typing', open: fn() } },
  play: async ({ args }) => {
    (await screen.findByRole('button', { name: 'Open' })).focus();
    await userEvent.keyboard('{Enter}');
    await expect(args.heldQuestion?.open).toHaveBeenCalledOnce();
  },
};
export const PutOff: Story = {
  args: { heldQuestion: { title: 'Refund order 4711', reason: 'later', open: fn() } },
};
