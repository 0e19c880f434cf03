/** Chats whose agent has just requested calls. */
import { vi } from 'vitest';
import type { RespondCommand } from '../../src/core/protocol/commands.ts';
import type { AgentEvent, PendingToolCall } from '../../src/core/protocol/events.ts';
import { describeTool, findTool } from '../../src/core/tools/find-tool.ts';
import {
  type AgentChatOptions,
  type ClientTools,
  defineClientTool,
  type ToolApproval,
} from '../../src/core.ts';
import { scriptedChat, settled } from './scripted-chat.ts';
import { awaitingAnswers, request, start } from './scripted-events.ts';

/** Waits until the modules that load on demand have done their work. */
export async function settledIn() {
  await import('../../src/core/tools/approval.ts');
  await import('../../src/core/persistence/persisted-chat.ts');
  for (let turn = 0; turn < 10; turn += 1) await settled();
}

/** Creates a chat whose agent has just requested these calls; `more` events follow the request. */
export async function asked(
  clientTools: ClientTools,
  calls: PendingToolCall[],
  options: Partial<AgentChatOptions> = {},
  more: readonly AgentEvent[] = [],
) {
  const scripted = scriptedChat({ clientTools, id: 'c', ...options });
  const sent = scripted.chat.sendMessage('Hi');
  const run = await scripted.backend.request(0);
  run.send(start, request(...calls), ...more, awaitingAnswers);
  run.end();
  await settledIn();
  return {
    ...scripted,
    sent,
    waiting: () => Object.values(scripted.chat.getState().pendingClientTools).flat(),
  };
}

/** A tool that counts its runs. */
export function payTool(approval: ToolApproval<Record<string, unknown>>, more = {}) {
  const execute = vi.fn((_args: Record<string, unknown>) => 'paid');
  return { execute, tools: { pay: defineClientTool({ execute, approval, ...more }) } satisfies ClientTools };
}

/** The answers that the agent got. */
export function answersOf(commands: readonly { type: string }[]) {
  return commands
    .filter((command): command is RespondCommand => command.type === 'respond')
    .flatMap(({ answers }) =>
      answers.map(({ toolCallId, outcome, result, error }) => ({ toolCallId, outcome, result, error })),
    );
}

/** The definition of a tool as a remembered choice has it. */
export function definitionOf(tools: ClientTools, toolName: string): string {
  return describeTool(toolName, findTool(tools, toolName));
}
