/**
 * Plays the conversation on a cluster, with a person who answers, retries, and stops the second message. A second device follows all of it.
 */
import {
  type AgentChat,
  type AgentChatState,
  createAgentChat,
  createPersistence,
  defineClientTool,
  type InteractiveTool,
} from '../../../src/core.ts';
import { createMemoryStorage } from '../../../src/testing/memory-storage.ts';
import { createFaultyNetwork } from '../faulty-carrier.ts';
import { type Account, LAST_TEXT, MESSAGES, STOP_AT, takeAccount } from './conversation.ts';
import { followSession } from './follow-session.ts';
import type { Cluster, ClusterFault } from './open-cluster.ts';

/** No conversation here takes as long. It counts as stuck then. Milliseconds. */
const PATIENCE_MS = 20_000;

export interface ClusterPlay {
  readonly fault: ClusterFault | 'none';
  /** The event of the page at which the fault happens. */
  readonly at: number;
}

export async function playOnCluster(
  cluster: Cluster,
  { fault, at }: ClusterPlay,
): Promise<{ readonly account: Account; readonly events: number }> {
  const sessionId = `${fault} ${at} ${Math.random()}`;
  let recovered = Promise.resolve();
  const network = createFaultyNetwork('http', cluster.port, {
    events: fault === 'none' ? [] : [{ fault: 'call', at }],
    requests: [],
    sessionId,
    onCall() {
      if (fault !== 'none') recovered = cluster.hit(fault);
    },
  });
  const answered = new Map<string, number>();
  const count = (toolCallId: string) => answered.set(toolCallId, (answered.get(toolCallId) ?? 0) + 1);
  const { transport, kill } = network.connect();
  const chat = createAgentChat({
    transport,
    id: sessionId,
    persistence: createPersistence({ storage: createMemoryStorage(), tabs: false }),
    clientTools: {
      locate: defineClientTool({
        idempotent: true,
        execute(_, { toolCallId }) {
          count(toolCallId);
          return { of: toolCallId };
        },
      }),
      confirm: 'interactive',
    },
  });
  const closing = new AbortController();
  const followed = followSession(cluster.port, sessionId, LAST_TEXT, closing.signal);
  const isPageStuck = !(await playAll(chat, count));
  await recovered;
  const timer = setTimeout(() => closing.abort(), isPageStuck ? 0 : PATIENCE_MS);
  await followed;
  clearTimeout(timer);
  const isStuck = isPageStuck || closing.signal.aborted;
  const record = await cluster.store.load(sessionId);
  const account = takeAccount({
    ...{ record, answered, isStuck, paid: cluster.paidIn(sessionId) },
    finalText: readText(chat.getState()),
  });
  if (isStuck)
    account.details.push(
      isPageStuck ? 'the page is stuck' : 'the device that follows is stuck',
      JSON.stringify(chat.getState()).slice(0, 1_000),
    );
  kill();
  chat.destroy();
  return { account, events: network.seen };
}

/** Resolves to false if the conversation did not come to its end. */
async function playAll(chat: AgentChat, onAnswered: (toolCallId: string) => void): Promise<boolean> {
  const deadline = Date.now() + PATIENCE_MS;
  for (const message of MESSAGES) {
    let isStopped = false;
    const isOver = () => chat.getState().status === 'idle' && isShown(chat.getState(), message);
    while (!isOver()) {
      if (Date.now() > deadline) return false;
      const state = chat.getState();
      if (state.status === 'idle') chat.sendMessage(message).catch(() => {});
      else if (state.status === 'error') await recover(chat);
      else if (state.status === 'awaiting-input') answerAll(state, onAnswered);
      else if (!isStopped && readText(state).includes(STOP_AT)) {
        isStopped = true;
        chat.stop();
      }
      await change(chat);
    }
  }
  return true;
}

async function recover(chat: AgentChat): Promise<void> {
  if (chat.getState().error?.retryable) await chat.retry().catch(() => {});
  else chat.clearError();
}

function answerAll({ pendingCalls }: AgentChatState, onAnswered: (toolCallId: string) => void): void {
  for (const tool of pendingCalls) if (answer(tool)) onAnswered(tool.toolCallId);
}

function answer(tool: InteractiveTool): boolean {
  const isPayment = tool.toolName === 'pay';
  return tool.submit(isPayment ? { why: tool.toolCallId } : { of: tool.toolCallId }).settled;
}

function isShown({ messages }: AgentChatState, message: string): boolean {
  return messages.some(({ parts }) => parts.some((part) => part.type === 'text' && part.text === message));
}

function readText({ messages }: AgentChatState): string {
  return (messages.at(-1)?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Waits until the page changes, but not longer than 20 ms. */
function change(chat: AgentChat): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const timer = setTimeout(done, 20);
    const unsubscribe = chat.subscribe(done);
  });
}
