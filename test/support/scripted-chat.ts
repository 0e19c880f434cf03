import { type AgentChat, type AgentChatOptions, createAgentChat } from '../../src/core.ts';
import { createManualClock, type ManualClock } from '../../src/testing/manual-clock.ts';
import { createScriptedTransport, type ScriptedTransport } from '../../src/testing/scripted-transport.ts';

/** Creates a chat with a backend and a clock that the test controls. `notified` lists the calls of its callbacks. */
export function scriptedChat(
  options: Partial<AgentChatOptions> = {},
  transport: ScriptedTransport = createScriptedTransport(),
): { chat: AgentChat; backend: ScriptedTransport; clock: ManualClock; notified: string[] } {
  const clock = createManualClock();
  const notified: string[] = [];
  let ids = 0;
  const chat = createAgentChat({
    transport,
    clock,
    createId: () => `id-${++ids}`,
    onError: (error) => notified.push(`error ${error.code}`),
    onFinish: ({ finishReason }) => notified.push(`finish ${finishReason}`),
    onStop: () => notified.push('stop'),
    onUnknownEvent: (event) => notified.push(`unknown ${JSON.stringify(event)}`),
    onNotice: ({ code }) => notified.push(`notice ${code}`),
    ...options,
  });
  return { chat, backend: transport, clock, notified };
}

/** Waits until chains of promises have settled. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}
