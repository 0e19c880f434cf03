/**
 * Plays a random conversation, brings it to its end over a network that works again, and compares what the page shows with
 * the answers that the agent got, call by call.
 *
 * The person never presses stop, because the delivery of a pending answer would then be unknown.
 */
import {
  createAgentChat,
  createPersistence,
  defineClientTool,
  type InteractiveTool,
} from '../../src/core.ts';
import { createMemoryStorage } from '../../src/testing/memory-storage.ts';
import type { BackendKind } from '../integration/backend.ts';
import type { TranscriptLine } from '../support/octavus-platform-script.ts';
import { createFaultyNetwork, type FaultyCarrier } from './faulty-carrier.ts';
import { LAST, type RandomConversation, scriptOf } from './random-conversation.ts';

/** The maximum number of checks for the end. Only a hanging conversation reaches it. */
const MOST_LOOKS = 300;

interface Given {
  readonly toolCallId: string;
  readonly value: unknown;
}

/** @returns what is wrong, a line each */
export async function playAtRandom(
  kind: BackendKind,
  carrier: FaultyCarrier,
  conversation: RandomConversation,
): Promise<readonly string[]> {
  const backend = await kind.open(scriptOf(conversation), { lookup: () => ({ price: 3 }) });
  const plan = {
    events: [...conversation.events],
    requests: [...conversation.requests],
    onCall() {},
    isOrdered: true,
  };
  const network = createFaultyNetwork(carrier, backend.port, plan);
  const given: Given[] = [];
  let storage = createMemoryStorage();
  let page = openPage();
  let sent = 0;

  function openPage() {
    const { transport, kill } = network.connect();
    const chat = createAgentChat({
      transport,
      id: 'c',
      persistence: createPersistence({ storage, tabs: false }),
      clientTools: {
        locate: defineClientTool({ idempotent: true, execute: (_, { toolCallId }) => ({ of: toolCallId }) }),
        confirm: 'interactive',
      },
    });
    chat.subscribe(() => {});
    return { chat, kill };
  }

  /** Abandons the page without destroy(), and opens it again with its storage. */
  const reload = () => {
    page.kill();
    const saved = createMemoryStorage();
    for (const [key, value] of storage.entries) saved.save(key, value);
    page.chat.destroy();
    storage = saved;
    page = openPage();
  };

  const answer = (tool: InteractiveTool, how: 'submit' | 'decline' | 'cancel') => {
    const { toolCallId } = tool;
    const value = how === 'submit' ? { of: toolCallId, by: given.length } : `${how} ${given.length}`;
    if (how === 'submit' ? tool.submit(value).settled : tool[how](value as string).settled)
      given.push({ toolCallId, value });
  };
  const pending = () => page.chat.getState().pendingClientTools.confirm ?? [];

  const moment = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));

  for (const { deed, which, answer: how, whilePending, pause } of conversation.steps) {
    const { chat } = page;
    const tool = pending()[which % (pending().length || 1)];
    if (deed === 'answer' && tool) answer(tool, how);
    if (deed === 'send') chat.sendMessage(`${sent++}`, { whilePending }).catch(() => {});
    if (deed === 'retry') chat.retry().catch(() => {});
    if (deed === 'resume') chat.resume().catch(() => {});
    if (deed === 'clear the error') chat.clearError();
    if (deed === 'cut') backend.cut();
    if (deed === 'reload') {
      // The chat persists changes of this task in the same task.
      await moment(0);
      reload();
    }
    if (pause > 0) await moment(pause);
  }

  plan.events.length = plan.requests.length = 0;
  const { chat } = page;
  let isAsked = false;
  let isOver = false;
  for (let look = 0; look < MOST_LOOKS && !isOver; look += 1) {
    const { status, messages, error } = chat.getState();
    const said = messages.at(-1)?.parts.at(-1);
    isOver = status === 'idle' && said?.type === 'text' && said.text === `${LAST} done.`;
    if (status === 'awaiting-input') for (const tool of pending()) answer(tool, 'submit');
    else if (status === 'error' && error?.retryable && look % 8 < 4) chat.retry().catch(() => {});
    else if (status === 'error') {
      chat.clearError();
      isAsked = false;
    } else if (status === 'idle' && !isAsked && look > 3) {
      isAsked = true;
      chat.sendMessage(LAST).catch(() => {});
    }
    await moment(4);
  }
  const shown = chat.getState().messages.flatMap(({ parts }) => parts.filter(isToolCall));
  const wrong = compare(await backend.readTranscript(), given, shown);
  page.kill();
  chat.destroy();
  await backend.close();
  return isOver ? wrong : [...wrong, `stuck in ${JSON.stringify(chat.getState()).slice(-600)}`];
}

type Part = ReturnType<ReturnType<typeof createAgentChat>['getState']>['messages'][number]['parts'][number];
type ToolCallPart = Extract<Part, { type: 'tool-call' }>;
const isToolCall = (part: Part): part is ToolCallPart => part.type === 'tool-call';

function compare(
  transcript: readonly TranscriptLine[],
  given: readonly Given[],
  shown: readonly ToolCallPart[],
): readonly string[] {
  const wrong: string[] = [];
  const answersTo = (toolCallId: string) =>
    transcript.filter((line) => 'answer' in line).filter(({ answer }) => answer === toolCallId);
  for (const line of transcript) {
    if (!('call' in line)) continue;
    const delivered = answersTo(line.call);
    if (delivered.length !== 1) wrong.push(`the agent got ${delivered.length} answers to ${line.call}`);
  }
  for (const { toolCallId, value } of given) {
    const [delivered] = answersTo(toolCallId);
    const received =
      delivered?.error ??
      (delivered?.result as { reason?: unknown } | undefined)?.reason ??
      delivered?.result;
    if (JSON.stringify(received) !== JSON.stringify(value))
      wrong.push(
        `${toolCallId} was answered ${JSON.stringify(value)}, the agent received ${JSON.stringify(delivered)}`,
      );
  }
  for (const { toolCallId, toolName, outcome, result } of shown) {
    const [delivered] = answersTo(toolCallId);
    if (toolName === 'lookup' || outcome !== 'submitted') continue;
    if (JSON.stringify(delivered?.result) !== JSON.stringify(result))
      wrong.push(`the page shows ${JSON.stringify(result)}, the agent received ${JSON.stringify(delivered)}`);
  }
  return wrong;
}
