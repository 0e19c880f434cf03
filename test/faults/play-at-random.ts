/**
 * Plays a random conversation, brings it to its end over a network that works again, and compares what the page shows with
 * what the agent was told, call by call.
 *
 * Nobody presses stop: whether an answer arrived that was on its way then, nobody knows.
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

/** How often the end is looked for; only what hangs is looked at so often. */
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

  /** The page goes away without a word, and comes back with what it had kept. */
  const reload = () => {
    page.kill();
    const kept = createMemoryStorage();
    for (const [key, value] of storage.entries) kept.save(key, value);
    page.chat.destroy();
    storage = kept;
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
      // What was done in this breath is kept in the same.
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
    const told = answersTo(line.call);
    if (told.length !== 1) wrong.push(`the agent was told ${told.length} answers to ${line.call}`);
  }
  for (const { toolCallId, value } of given) {
    const [told] = answersTo(toolCallId);
    const received =
      told?.error ?? (told?.result as { reason?: unknown } | undefined)?.reason ?? told?.result;
    if (JSON.stringify(received) !== JSON.stringify(value))
      wrong.push(
        `${toolCallId} was answered ${JSON.stringify(value)}, the agent received ${JSON.stringify(told)}`,
      );
  }
  for (const { toolCallId, toolName, outcome, result } of shown) {
    const [told] = answersTo(toolCallId);
    if (toolName === 'lookup' || outcome !== 'submitted') continue;
    if (JSON.stringify(told?.result) !== JSON.stringify(result))
      wrong.push(`the page shows ${JSON.stringify(result)}, the agent received ${JSON.stringify(told)}`);
  }
  return wrong;
}
