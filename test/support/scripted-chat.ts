import { type AgentChat, type AgentChatOptions, createAgentChat } from '../../src/core.ts';
import { createManualClock, type ManualClock } from '../../src/testing/manual-clock.ts';
import { createScriptedTransport, type ScriptedTransport } from '../../src/testing/scripted-transport.ts';

/** A chat with a backend and a clock in the test's hands, and a list of what its callbacks heard. */
export function scriptedChat(
  options: Partial<AgentChatOptions> = {},
  transport: ScriptedTransport = createScriptedTransport(),
): { chat: AgentChat; backend: ScriptedTransport; clock: ManualClock; heard: string[] } {
  const clock = createManualClock();
  const heard: string[] = [];
  let ids = 0;
  const chat = createAgentChat({
    transport,
    clock,
    createId: () => `id-${++ids}`,
    onError: (error) => heard.push(`error ${error.code}`),
    onFinish: ({ finishReason }) => heard.push(`finish ${finishReason}`),
    onStop: () => heard.push('stop'),
    onUnknownEvent: (event) => heard.push(`unknown ${JSON.stringify(event)}`),
    onNotice: ({ code }) => heard.push(`notice ${code}`),
    ...options,
  });
  return { chat, backend: transport, clock, heard };
}

/** Lets everything that waits on promises only go on. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
}
