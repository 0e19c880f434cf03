/** A chat with an agent that asks once, and what the agent gets as the answer. */
import { createAgUiTransport } from '../../../src/backends/ag-ui/create-ag-ui-transport.ts';
import { type AgentChatOptions, createAgentChat, type InteractiveTool } from '../../../src/core.ts';
import { untilStatus } from '../../support/until-status.ts';
import { asking, createRawAgent, ended, type RawEvent, said, started } from './raw-agent.ts';

export const ok: readonly RawEvent[] = [started, ...said('ok', 'Well.'), ended];

export const custom = (value: unknown, id?: string): RawEvent => ({
  type: 'CUSTOM',
  name: 'on_interrupt',
  value,
  ...(id && { rawEvent: { id } }),
});

/** Sends a message to an agent that answers with these runs, the last one again and again. */
export async function converse(
  runs: readonly (readonly RawEvent[])[],
  options: Partial<AgentChatOptions> = {},
) {
  const agent = createRawAgent(...runs);
  const notices: string[] = [];
  const transport = createAgUiTransport({ url: '/agent', fetch: agent.fetch });
  const chat = createAgentChat({ transport, onNotice: ({ code }) => notices.push(code), ...options });
  await chat.sendMessage('Hi');
  return { chat, inputs: agent.inputs, notices };
}

export type Answer = (tool: InteractiveTool) => unknown;

export interface Asked {
  readonly tool: InteractiveTool;
  /** Answers, and returns the next input that the agent got. */
  answer(give: Answer): Promise<Readonly<Record<string, unknown>> | undefined>;
}

async function ask(events: readonly RawEvent[], options: Partial<AgentChatOptions>): Promise<Asked> {
  const { chat, inputs } = await converse([[started, ...events], ok], options);
  const [tool] = chat.getState().pendingCalls;
  if (tool === undefined) throw new Error('The agent asked nothing');
  return {
    tool,
    async answer(give) {
      give(tool);
      await untilStatus(chat, 'idle');
      return inputs[1];
    },
  };
}

/** Asks in the outcome of a run. */
export function askInOutcome(
  interrupt: object,
  before: readonly RawEvent[] = [],
  options: Partial<AgentChatOptions> = {},
): Promise<Asked> {
  return ask([...before, asking({ id: 'i1', ...interrupt })], options);
}

/** Asks in the older form, a custom event. */
export function askInOlderForm(
  value: unknown,
  before: readonly RawEvent[] = [],
  options: Partial<AgentChatOptions> = {},
): Promise<Asked> {
  return ask([...before, custom(value), ended], options);
}
