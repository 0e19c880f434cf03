/** The tools by which a model calls the subagents of its side (specification 0.15, "Subagents"). */
import { z } from 'zod';
import { compact, isRecord, readOwn } from '../../../shared/json.ts';
import type { AnyAgentDefinition, SideConfig, SubagentToolConfig } from './agent-definition.ts';
import { defineTool, type ToolArgs, type ToolResult, type ToolSet } from './define-tool.ts';
import type { SubagentCall, Subagents } from './subagents.ts';
import type { SubagentRegistryEntry } from './thread-record.ts';

/** The tools that the runtime adds for subagents that can be resumed. */
export const CREATE_TOOL = 'subagent_create';
export const MESSAGE_TOOL = 'subagent_message';

interface SubagentToolSettings {
  readonly agents: Readonly<Record<string, AnyAgentDefinition>>;
  readonly subagents: Subagents;
  /** Describes the call that runs now. */
  readonly toCall: (message: string) => SubagentCall;
}

/** Returns a tool for each subagent that is called once, and two tools for those that can be resumed. */
export function createSubagentTools(side: SideConfig, settings: SubagentToolSettings): ToolSet {
  const configs = side.subagents ?? [];
  const once = configs.filter(({ resumable }) => !resumable);
  const resumable = configs.filter((config) => config.resumable);
  return {
    ...Object.fromEntries(once.map((config) => [config.name, createOnceTool(config, settings)])),
    ...(resumable.length > 0 ? createResumableTools(resumable, settings) : {}),
  };
}

function createOnceTool(config: SubagentToolConfig, { agents, subagents, toCall }: SubagentToolSettings) {
  const agent = readOwn(agents, config.name);
  const { initUserMessageProperty = 'message', initAgentNameProperty = '' } = config;
  return defineTool({
    description: describeAgent(config.name, agent),
    args: (agent?.toolArgs ?? z.object({ message: z.string() })) as ToolArgs,
    async execute(_, args) {
      const values: Readonly<Record<string, unknown>> = isRecord(args) ? args : {};
      const call = toCall(toText(values[initUserMessageProperty] ?? values));
      const name = values[initAgentNameProperty];
      const entry = await subagents.create(
        config,
        typeof name === 'string' && name !== '' ? name : config.name,
        call,
      );
      return run(subagents, entry, call);
    },
  });
}

function createResumableTools(
  configs: readonly SubagentToolConfig[],
  { agents, subagents, toCall }: SubagentToolSettings,
): ToolSet {
  const names = configs.map(({ name }) => name);
  const list = names.map((name) => `${name}: ${describeAgent(name, readOwn(agents, name))}`).join('\n');
  return {
    [CREATE_TOOL]: defineTool({
      description: `Creates a subagent for a new task. Its result has the id for ${MESSAGE_TOOL}. The agents:\n${list}`,
      args: z.object({
        agent: z.enum(names as [string, ...string[]]),
        name: z.string().regex(/\S/, 'name must be a text that tells people which subagent this is'),
        message: z.string(),
      }),
      async execute(_, { agent, name, message }) {
        const config = configs.find((one) => one.name === agent);
        const call = toCall(message);
        const others = subagents.entries.filter((entry) => entry.name === agent && entry.key !== call.key);
        const { maxInstances = Number.POSITIVE_INFINITY } = (config?.resumable || {}) as {
          maxInstances?: number;
        };
        if (config === undefined || others.length >= maxInstances) {
          const ids = others.map(({ reference, displayName }) => `${displayName} (${reference})`).join(', ');
          return {
            status: 'error',
            error: `${agent} has as many subagents as it may have. Send one of them a message: ${ids}`,
          };
        }
        return run(subagents, await subagents.create(config, name, call), call);
      },
    }),
    [MESSAGE_TOOL]: defineTool({
      description: `Sends a message to a subagent that ${CREATE_TOOL} has created.`,
      args: z.object({ id: z.string(), message: z.string() }),
      async execute(_, { id, message }) {
        const entry = subagents.entries.find(({ reference, resumable }) => reference === id && resumable);
        if (entry === undefined) return { status: 'error', error: `There is no subagent with the id ${id}` };
        return run(subagents, entry, toCall(message));
      },
    }),
  };
}

async function run(
  subagents: Subagents,
  entry: SubagentRegistryEntry,
  call: SubagentCall,
): Promise<ToolResult> {
  const end = await subagents.send(entry, call);
  const id = entry.resumable ? entry.reference : undefined;
  if (end === undefined) {
    const note = 'It works on its own. Its result will come as a message.';
    return { status: 'success', result: JSON.stringify(compact({ id, status: 'running', note })) };
  }
  if (end.status === 'failed')
    return { status: 'error', error: id === undefined ? end.message : `${end.message} (subagent ${id})` };
  return {
    status: 'success',
    result: id === undefined ? end.message : JSON.stringify({ id, result: end.message }),
  };
}

function describeAgent(name: string, agent: AnyAgentDefinition | undefined): string {
  return agent?.toolDescription ?? `Asks the agent ${name}.`;
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
