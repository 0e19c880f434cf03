import type { Meta, StoryObj } from '@storybook/react-vite';
import { useState } from 'react';
import { expect, screen, userEvent, waitFor } from 'storybook/test';
import { z } from 'zod';
import { ClientToolDialogs } from '../src/components/client-tools/client-tool-dialogs.tsx';
import { Composer } from '../src/components/composer/composer.tsx';
import { ComposerBar } from '../src/components/composer/composer-bar.tsx';
import { PendingInbox } from '../src/components/inbox/pending-inbox.tsx';
import { LabelsProvider } from '../src/components/text/labels-context.tsx';
import { Transcript } from '../src/components/transcript/transcript.tsx';
import { createAgentChat } from '../src/core/chat/create-agent-chat.ts';
import { ar } from '../src/locales-ar.ts';
import { MarkdownText } from '../src/markdown/markdown-text.tsx';
import { AgentChatProvider } from '../src/react/agent-chat-provider.tsx';
import { usePendingInbox } from '../src/react/use-pending-inbox.ts';
import { createScriptedTransport } from '../src/testing/scripted-transport.ts';
import { message, text } from './support/example-conversation.ts';
import { inColumn } from './support/in-column.tsx';
import { createInboxRoute, createOpenCall } from './support/inbox-route.ts';
import { callsOf, createStoryTool } from './support/story-tool.ts';

/** Every kind of surface on a page that is read from right to left, in Arabic. Figures and code keep their direction. */
const meta = {
  title: 'Right to left',
  component: ClientToolDialogs,
  args: { tools: [], labels: ar },
  parameters: { direction: 'rtl' },
} satisfies Meta<typeof ClientToolDialogs>;
export default meta;

type Story = StoryObj<typeof meta>;

const refundInput = z.object({
  amount: z
    .number()
    .min(1)
    .max(500)
    .meta({ title: 'المبلغ', emphasis: true, format: 'currency', currency: 'EUR' }),
  order: z.string().meta({ title: 'الطلب' }),
  to: z.string().meta({ title: 'إلى' }),
  on: z.iso.date().meta({ title: 'اليوم', format: 'date' }),
});

const refund = () =>
  createStoryTool({
    toolName: 'refund',
    args: { amount: 89, order: '4711', to: 'Visa •• 4242', on: '2026-11-30' },
    definition: {
      title: 'إرجاع مبلغ الطلب',
      description: 'يعود المال إلى بطاقة العميل خلال ثلاثة أيام.',
      confirmLabel: 'إرجاع',
      severity: 'caution',
      editable: true,
      input: refundInput,
    },
  });

const left = (element: Element | null | undefined) => element?.getBoundingClientRect().left ?? 0;

/** The amount is changed by keyboard. The old value comes first in reading order. */
export const Dialog: Story = {
  args: { tools: [refund()] },
  play: async () => {
    (await screen.findByRole('button', { name: ar.changeArgument('المبلغ') })).focus();
    await userEvent.keyboard('{Enter}');
    await screen.findByRole('spinbutton', { name: 'المبلغ' });
    await userEvent.keyboard('{Control>}a{/Control}45{Enter}');
    await waitFor(() => expect(screen.getByText('غيّرته أنت')).toBeVisible());
    const dialog = screen.getByRole('dialog', { name: 'إرجاع مبلغ الطلب' });
    const before = dialog.querySelector('.hr-before');
    await expect(left(before)).toBeGreaterThan(left(before?.parentElement?.querySelector('.hr-arrow')));
    // No stands before yes: to the right of it.
    const yes = screen.getByRole('button', { name: /إرجاع/ });
    await expect(left(screen.getByRole('button', { name: 'رفض' }))).toBeGreaterThan(left(yes));
  },
};

export const DialogPhone: Story = {
  ...Dialog,
  args: { tools: [refund()] },
  globals: { viewport: { value: 'phone' } },
};

/** Where the first and the last character of a text stand: a sign at the end of a Latin name must not change sides. */
function edgesOf(element: Element | null | undefined) {
  const text = element?.firstChild as Text;
  return [0, text.length - 1].map((at) => {
    const range = document.createRange();
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return range.getBoundingClientRect().left;
  }) as [number, number];
}

const abroad = () =>
  createStoryTool({
    toolName: 'mcp:Bank (US)/pay',
    args: { amount: 89, order: 'A-4711 (2)' },
    definition: {
      title: 'Refund (order)',
      confirmLabel: 'Refund',
      editable: true,
      input: z.object({
        amount: z
          .number()
          .meta({ title: 'Amount (net)', emphasis: true, format: 'currency', currency: 'EUR' }),
        order: z.string().meta({ title: 'Order' }),
      }),
    },
    approvalReason: 'interrupted',
  });

function Abroad() {
  const [chat] = useState(() => createAgentChat({ transport: createScriptedTransport() }));
  const [tool] = useState(abroad);
  return (
    <AgentChatProvider chat={chat} agentName="Acme Inc!">
      <ClientToolDialogs tools={[tool]} labels={ar} />
    </AgentChatProvider>
  );
}

/** Latin names, amounts and addresses inside Arabic sentences keep their own order. */
export const LatinNames: Story = {
  render: () => <Abroad />,
  play: async () => {
    const dialog = await screen.findByRole('dialog', { name: ar.rerunTitle('Refund (order)') });
    const agent = dialog.querySelector('.hr-asker strong');
    await expect(agent).toHaveTextContent('Acme Inc!');
    const [first, last] = edgesOf(agent);
    await expect(first).toBeLessThan(last);
    await expect(dialog).not.toHaveTextContent('u{');
    await userEvent.keyboard('{Tab}');
    await expect(dialog).toContainElement(document.activeElement as HTMLElement);
  },
};

export const LatinNamesPhone: Story = { ...LatinNames, globals: { viewport: { value: 'phone' } } };

const deletion = createStoryTool({
  toolName: 'delete-project',
  args: { project: 'atlas-website', files: 1284 },
  definition: {
    title: 'حذف المشروع',
    confirmLabel: 'حذف المشروع',
    severity: 'destructive',
    input: z.object({
      project: z.string().meta({ title: 'المشروع' }),
      files: z.int().meta({ title: 'الملفات', unit: 'ملف' }),
    }),
  },
});

/** A note is opened by keyboard, above the buttons. */
export const Card: Story = {
  args: { mode: 'inline', tools: [deletion] },
  decorators: [inColumn],
  play: async () => {
    (await screen.findByRole('button', { name: 'إضافة ملاحظة' })).focus();
    await userEvent.keyboard('{Enter}');
    const note = await screen.findByRole('textbox', { name: 'ملاحظة يقرؤها الوكيل' });
    await userEvent.type(note, 'لا حاجة إليه');
    await expect(note).toHaveValue('لا حاجة إليه');
    await expect(callsOf(deletion.submit)).toEqual([]);
  },
};

export const CardPhone: Story = { ...Card, globals: { viewport: { value: 'phone' } } };

const visit = () =>
  createStoryTool({
    toolName: 'collect-visit',
    args: {
      title: 'موعد الزيارة',
      description: 'لكي نحجز لك طاولة.',
      requestedSchema: {
        type: 'object',
        required: ['name', 'guests'],
        properties: {
          name: { type: 'string', title: 'الاسم' },
          email: { type: 'string', format: 'email', title: 'البريد الإلكتروني' },
          guests: { type: 'integer', title: 'عدد الضيوف', minimum: 1, maximum: 12 },
          day: { type: 'string', format: 'date', title: 'اليوم' },
          place: { type: 'string', title: 'المكان', enum: ['في الداخل', 'على الشرفة', 'قرب النافذة'] },
        },
      },
    },
  });

export const Form: Story = {
  args: { tools: [visit()] },
  play: async () => {
    (await screen.findByRole('button', { name: 'إرسال' })).focus();
    await userEvent.keyboard('{Enter}');
    await waitFor(() => expect(screen.getByText('إجابتان تحتاجان إلى مراجعة')).toBeVisible());
  },
};

export const FormPhone: Story = {
  ...Form,
  args: { tools: [visit()] },
  globals: { viewport: { value: 'phone' } },
};

const conversation = [
  message('1', 'user', [text('أرجع مبلغ الطلب 4711 من فضلك')]),
  message('2', 'assistant', [
    text('سأفعل ذلك الآن:\n\n- الطلب 4711\n- المبلغ 89.00 EUR\n\n`refund(4711)`\n\n> بطاقة Visa'),
    {
      ...{ type: 'tool-call', toolCallId: 'call-1', toolName: 'refund', displayName: 'إرجاع مبلغ الطلب' },
      ...{ args: { amount: 45, order: '4711' }, originalArgs: { amount: 89, order: '4711' } },
      ...{ result: { confirmed: true }, status: 'done', outcome: 'submitted', executedBy: 'client' },
    } as const,
    {
      ...{ type: 'tool-call', toolCallId: 'call-2', toolName: 'notify', displayName: 'إخبار العميل' },
      ...{ args: { to: 'ada@shop.example' }, status: 'done', outcome: 'declined', executedBy: 'client' },
    } as const,
  ]),
];

function Page() {
  const [chat] = useState(() => createAgentChat({ transport: createScriptedTransport() }));
  return (
    <LabelsProvider labels={ar}>
      <AgentChatProvider chat={chat}>
        <div className="story-chat">
          <Transcript messages={conversation} status="idle" renderers={{ text: MarkdownText }} />
          <ComposerBar heldQuestion={{ title: 'إرجاع مبلغ الطلب', reason: 'later', open: () => {} }} />
          <Composer />
        </div>
      </AgentChatProvider>
    </LabelsProvider>
  );
}

/** The row of a call, opened. */
export const Conversation: Story = {
  render: () => <Page />,
  play: async () => {
    const row = screen.getByText('إرجاع مبلغ الطلب', { selector: 'summary *' });
    await userEvent.click(row);
    await expect(row.closest('details')).toHaveAttribute('open');
    await expect(left(screen.getByText('أرجع مبلغ الطلب 4711 من فضلك'))).toBeLessThan(left(row));
    await waitFor(() => expect(screen.getByText('بانتظارك')).toBeVisible());
    // The hint in the empty field begins at the right edge, too.
    await expect(getComputedStyle(screen.getByRole('textbox', { name: 'رسالة' })).direction).toBe('rtl');
  },
};

export const ConversationPhone: Story = { ...Conversation, globals: { viewport: { value: 'phone' } } };

function Inbox() {
  const [route] = useState(() =>
    createInboxRoute([
      createOpenCall(
        'refund',
        {
          toolName: 'refund_order',
          args: { order: '4711', to: 'Visa •• 4242' },
          executedBy: 'server',
          deadline: Date.now() + 9 * 60_000,
          question: { ui: 'confirm', title: 'إرجاع مبلغ الطلب', severity: 'caution', confirmLabel: 'إرجاع' },
        },
        { minutesAgo: 42, startedBy: { id: 'grace', name: 'Grace' } },
      ),
      createOpenCall('desk', {
        toolName: 'pick_desk',
        args: { options: ['قرب النافذة', 'قرب المطبخ'] },
        question: { ui: 'choice', title: 'أي مكتب تريد؟' },
      }),
    ]),
  );
  const inbox = usePendingInbox(route.options);
  return <PendingInbox inbox={inbox} labels={ar} titleOf={({ sessionId }) => `المحادثة ${sessionId}`} />;
}

export const Waiting: Story = {
  render: () => <Inbox />,
  decorators: [inColumn],
  play: async () => {
    await expect(await screen.findAllByRole('listitem', { name: /منذ/ })).toHaveLength(2);
    await expect(screen.getByRole('status')).toHaveTextContent('سؤالان بانتظار إجابتك');
  },
};

export const WaitingPhone: Story = { ...Waiting, globals: { viewport: { value: 'phone' } } };
