/** Checks the definition of an agent when the runtime is created, and not in a conversation. */
import { invalidOptions, orInvalid } from '../../../shared/errors.ts';
import { hasOwn, isRecord } from '../../../shared/json.ts';
import type { AnyAgentDefinition, SideConfig } from './agent-definition.ts';
import { checkToolArgs } from './check-tool-args.ts';
import { CREATE_TOOL, MESSAGE_TOOL } from './subagent-tools.ts';
import { validateToolName } from './validate-tool-name.ts';

/** @throws AgentChatError `invalid_options` that names the agent, what is wrong and what to do. */
export function checkAgent(
  id: string,
  agent: AnyAgentDefinition,
  agents: Readonly<Record<string, AnyAgentDefinition>>,
): void {
  const { type } = agent;
  if (type !== 'ai_human' && type !== 'dual_ai') {
    throw invalidOptions(`The agent ${id} must have the type 'ai_human' or 'dual_ai', got ${String(type)}.`);
  }
  checkAsTool(id, agent);
  if (type === 'ai_human') return checkSide(`The agent ${id}`, agent, agents);
  checkSide(`Side A of the agent ${id}`, agent.sideA, agents);
  checkSide(`Side B of the agent ${id}`, agent.sideB, agents);
  checkCount(`maxSessionTurns of the agent ${id}`, agent.maxSessionTurns);
}

/** An agent becomes a tool of each agent that has it as a subagent. */
function checkAsTool(id: string, { toolDescription, toolArgs }: AnyAgentDefinition): void {
  if (toolDescription?.trim() === '') {
    throw invalidOptions(`The agent ${id}: toolDescription must say what the agent does, or be left out.`);
  }
  if (toolArgs !== undefined) orInvalid(() => checkToolArgs(toolArgs, 'toolArgs'), `The agent ${id}`);
}

function checkSide(
  owner: string,
  side: SideConfig,
  agents: Readonly<Record<string, AnyAgentDefinition>>,
): void {
  if (!isRecord(side) || typeof side.model !== 'function') {
    throw invalidOptions(`${owner} must have a function model: async function* (context) {}.`);
  }
  const { tools = {}, stopOnResponse, stopTool, stopToolResponseProperty, maxSteps, sessionStop } = side;
  for (const name of Object.keys(tools)) {
    const fault = validateToolName(name);
    if (fault !== null) throw invalidOptions(`${owner}: ${fault}`);
  }
  for (const field of ['stopTool', 'sessionStop', 'sessionFail', 'sessionStatus'] as const) {
    const binding = side[field];
    const name = isRecord(binding) ? binding.name : binding;
    if (name !== undefined && !(typeof name === 'string' && hasOwn(tools, name))) {
      throw invalidOptions(`${owner}: ${field} must be one of its tools, got ${JSON.stringify(name)}.`);
    }
  }
  if (stopTool !== undefined && typeof stopToolResponseProperty !== 'string') {
    throw invalidOptions(
      `${owner}: stopTool needs stopToolResponseProperty, the property of its result that is the message.`,
    );
  }
  if (
    stopOnResponse === false &&
    stopTool === undefined &&
    sessionStop === undefined &&
    maxSteps === undefined
  ) {
    throw invalidOptions(
      `${owner}: with stopOnResponse: false, the turn ends by stopTool, sessionStop or maxSteps. Set one.`,
    );
  }
  checkCount(`maxSteps of ${owner}`, maxSteps);
  checkSubagents(owner, side, agents);
}

function checkSubagents(
  owner: string,
  { subagents = [], tools = {} }: SideConfig,
  agents: Readonly<Record<string, AnyAgentDefinition>>,
): void {
  for (const { name, resumable } of subagents) {
    if (!hasOwn(agents, name)) throw invalidOptions(`${owner}: there is no agent ${name} for its subagents.`);
    if (resumable) checkCount(`maxInstances of the subagent ${name} of ${owner}`, resumable.maxInstances);
    const fault = resumable ? null : validateToolName(name);
    if (fault !== null) throw invalidOptions(`${owner}: the subagent ${name} is a tool. ${fault}`);
    const toolNames = resumable ? [CREATE_TOOL, MESSAGE_TOOL] : [name];
    const taken = toolNames.find((toolName) => hasOwn(tools, toolName));
    if (taken !== undefined) {
      throw invalidOptions(
        `${owner}: the tool ${taken} has the name of a tool that the runtime adds for the subagent ${name}. Rename it.`,
      );
    }
  }
}

function checkCount(name: string, count: number | undefined): void {
  if (count !== undefined && !(Number.isInteger(count) && count >= 1)) {
    throw invalidOptions(`${name} must be a whole number of 1 or more, got ${String(count)}.`);
  }
}
