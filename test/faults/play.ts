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
import { type Account, MESSAGES, script, serverTools, takeAccount } from './conversation.ts';
import { createFaultyNetwork, type FaultyCarrier } from './faulty-carrier.ts';
import { type FaultName, planFault } from './plan-fault.ts';

export interface Play {
  readonly kind: BackendKind;
  readonly carrier: FaultyCarrier;
  readonly fault: FaultName | 'none';
  readonly at: number;
}

/**
 * The maximum number of looks at the page, ten times what any conversation needs; only a hanging one reaches it. It is no time, because on a
 * busy machine every step takes long.
 */
const MOST_LOOKS = 300;

export async function play({
  kind,
  carrier,
  fault,
  at,
}: Play): Promise<{ account: Account; events: number }> {
  const backend = await kind.open(script, serverTools);
  const plan = planFault(fault, at);
  const network = createFaultyNetwork(carrier, backend.port, { ...plan, onCall: () => onCall() });
  const answered = new Map<string, number>();
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

  /** Abandons the page without destroy(), and opens it again with its storage. */
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
    const { toolCallId } = tool;
    // People press twice. The second press must have no effect.
    for (const result of [{ of: toolCallId }, { of: 'the second press' }])
      if (tool.submit(result).settled) answered.set(toolCallId, (answered.get(toolCallId) ?? 0) + 1);
  };
  const answerAll = () => {
    for (const tool of page.chat.getState().pendingClientTools.confirm ?? []) answer(tool);
  };

  /** Waits until the page changes or a moment passes; a person looks at the page again then. */
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
      if (looks > MOST_LOOKS) {
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
        // A run that cannot be resumed and whose answers were taken is over: the person goes on with the next message.
        if (chat.getState().error?.retryable && retries++ < 3) chat.retry().catch(() => {});
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
    isStuck,
    finalText: isDoubled && !kind.numbersEvents ? undefined : finalText,
  });
  if (isStuck) account.details.push(JSON.stringify(page.chat.getState()).slice(0, 600));
  page.kill();
  page.chat.destroy();
  await backend.close();
  return { account, events: network.seen };
}
