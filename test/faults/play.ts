/** Plays the conversation through a faulty network, with a person who answers, retries and reloads. */
import {
  type AgentChat,
  createAgentChat,
  createPersistence,
  defineClientTool,
  type InteractiveTool,
} from '../../src/core.ts';
import { createMemoryStorage } from '../../src/testing/memory-storage.ts';
import type { BackendKind } from '../integration/backend.ts';
import {
  type Account,
  createScript,
  createServerTools,
  MESSAGES,
  REFUSED,
  takeAccount,
} from './conversation.ts';
import { createFaultyNetwork, type FaultyCarrier } from './faulty-carrier.ts';
import { type FaultName, isOfRequests, planFault } from './plan-fault.ts';

export interface Play {
  readonly kind: BackendKind;
  readonly carrier: FaultyCarrier;
  readonly fault: FaultName | 'none';
  readonly at: number;
}

/**
 * Looks at the page until the conversation counts as stuck: ten times as many as any conversation here needs. It is no time, because a
 * busy machine may be slow.
 */
const MAX_LOOKS = 300;

export async function play({
  kind,
  carrier,
  fault,
  at,
}: Play): Promise<{ account: Account; events: number; requests: number }> {
  const paid: string[] = [];
  const backend = await kind.open(createScript(kind.asksBeforePay), createServerTools(paid));
  const plan = planFault(fault, at);
  const network = createFaultyNetwork(carrier, backend.port, { ...plan, onCall: () => onCall() });
  const answered = new Map<string, number>();
  const declined = new Set<string>();
  const storage = createMemoryStorage();
  let page = openPage();
  let onCall = () => {};
  let mayAnswer = !plan.calls.includes('answer');

  function openPage() {
    const { transport, kill } = network.connect();
    const saved = createMemoryStorage();
    for (const [key, value] of storage.entries) saved.save(key, value);
    const chat = createAgentChat({
      transport,
      id: 'c',
      persistence: createPersistence({ storage: saved, tabs: false }),
      clientTools: {
        locate: defineClientTool({
          idempotent: true,
          execute: async (_args, { toolCallId }) => {
            answered.set(toolCallId, (answered.get(toolCallId) ?? 0) + 1);
            return { of: toolCallId };
          },
        }),
        confirm: 'interactive',
      },
    });
    return { chat, kill, saved };
  }

  /** Closes the page without a stop, and opens it again with its persisted conversation. */
  const reload = () => {
    const { chat, kill, saved } = page;
    kill();
    for (const [key, value] of saved.entries) storage.save(key, value);
    chat.destroy();
    page = openPage();
    wake();
  };

  let wake = () => {};
  onCall = () => {
    if (plan.calls.includes('answer')) {
      mayAnswer = true;
      answerAll();
    }
    if (plan.calls.includes('restart')) void backend.restart?.();
    if (plan.calls.includes('reload')) queueMicrotask(reload);
    wake();
  };

  const answer = (tool: InteractiveTool) => {
    const { toolCallId, toolName, args } = tool;
    // A server that asks before it pays wants a yes, and takes no other value.
    const submit = (of: string) => tool.submit(toolName === 'pay' ? { confirmed: true } : { of });
    const mustDecline = args.to === REFUSED;
    if (mustDecline) declined.add(toolCallId);
    // A person may press twice. The second press must do nothing.
    const presses = [
      () => (mustDecline ? tool.decline('no') : submit(toolCallId)),
      () => submit('the second press'),
    ];
    for (const press of presses)
      if (press().settled) answered.set(toolCallId, (answered.get(toolCallId) ?? 0) + 1);
  };
  const answerAll = () => {
    for (const tool of page.chat.getState().pendingCalls) answer(tool);
  };

  /** Waits until the page changes, but not longer than 20 ms. */
  const change = (chat: AgentChat) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, 20);
      const done = () => {
        clearTimeout(timer);
        unsubscribe();
        resolve();
      };
      const unsubscribe = chat.subscribe(done);
      wake = done;
    });

  let looks = 0;
  let isStuck = false;
  let patience = 0;
  for (const message of MESSAGES) {
    let isSent = false;
    let retries = 0;
    for (;;) {
      const { chat } = page;
      looks += 1;
      if (looks > MAX_LOOKS) {
        isStuck = true;
        break;
      }
      const { status, messages } = chat.getState();
      const isShown = messages.some(({ parts }) =>
        parts.some((part) => part.type === 'text' && part.text === message),
      );
      if (status === 'idle' && !isShown && (!isSent || page.chat !== chat || patience++ > 5)) {
        isSent = true;
        patience = 0;
        chat.sendMessage(message).catch(() => {});
      } else if (status === 'idle' && isShown) {
        break;
      } else if (status === 'error') {
        // A run that cannot be resumed and whose answers were delivered is over: the person sends the next message.
        // Once they have logged in again, the person retries what was refused.
        const { retryable, errorType } = chat.getState().error ?? {};
        const mayRetry = retryable || errorType === 'authentication_error';
        if (mayRetry && retries++ < 6) chat.retry().catch(() => {});
        else chat.clearError();
      } else if (status === 'awaiting-input' && (mayAnswer || patience++ > 3)) {
        mayAnswer = true;
        answerAll();
      }
      await change(page.chat);
    }
    if (isStuck) break;
  }
  const parts = page.chat.getState().messages.at(-1)?.parts ?? [];
  const finalText = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
  const isDoubled = plan.events.some((step) => step.fault === 'duplicate');
  const account = takeAccount({
    transcript: await backend.readTranscript(),
    answered,
    paid,
    declined,
    isStuck,
    finalText: isDoubled && !kind.numbersEvents ? undefined : finalText,
    // After a reload the person may say the same again, because the page has lost it.
    takesMessagesOnce: kind.remembersMessages === true && isOfRequests(fault),
  });
  if (isStuck) account.details.push(JSON.stringify(page.chat.getState()).slice(0, 600));
  page.kill();
  page.chat.destroy();
  await backend.close();
  return { account, events: network.seen, requests: network.requested };
}
