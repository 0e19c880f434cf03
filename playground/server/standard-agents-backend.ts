/** Threads of Standard Agents in the embedded runtime, with the tools of the page from the kit. A script is in place of the model. */
import {
  type Agent,
  type AgentMessage,
  type AgentToolCall,
  type ModelEvent,
  toNodeHandler,
} from 'handrail/server';
import {
  type AgentDefinition,
  createThreadRuntime,
  defineTool,
  type ModelChunk,
  standardAgentsKit,
  type ThreadMessage,
  type ToolCallEntry,
  type ToolSet,
} from 'handrail/standard-agents/server';
import { z } from 'zod';
import type { Backend } from './backend.ts';
import { createPlaygroundAgent } from './playground-agent.ts';
import { readJson } from './read-json.ts';
import { recordAgent } from './record-agent.ts';
import { serverTools } from './server-tools.ts';
import { STANDARD_AGENTS_SCENARIOS, WEB_SEARCH } from './standard-agents-scenarios.ts';

/** The script makes no mistakes, so that its arguments need no check. */
const args = z.looseObject({});
const PAGE_TOOLS = [
  'confirm_order',
  'get_browser_location',
  'get_local_time',
  'copy_to_clipboard',
  'request_feedback',
  'choose_option',
  'run_code',
  'set_parcel_token',
];
/** The kit gives the agent an answer as the result of this tool. */
const ANSWER_TOOL = 'client_tool_answer';

export function createStandardAgentsBackend(): Backend {
  const { agent, readHistory } = recordAgent(createPlaygroundAgent(STANDARD_AGENTS_SCENARIOS));
  const kit = standardAgentsKit({
    tools: Object.fromEntries(PAGE_TOOLS.map((name) => [name, { description: 'Runs in the page.', args }])),
  });
  const runtime = createThreadRuntime({
    agents: {
      shop: {
        type: 'ai_human',
        model: createScriptedModel(agent),
        tools: { ...kit.tools, ...createServerTools() },
        env: { PARCEL_TOKEN: 'secret' },
      },
    },
    // An app returns the id of the signed-in user. Here each conversation has its own user.
    authenticate: (token) => token,
    endpoints: kit.endpoints,
    onStop: kit.abortPending,
  });

  return {
    info: {
      id: 'standard-agents',
      label: 'Standard Agents',
      description:
        'The same script as an agent of the embedded Standard Agents runtime: requests by HTTP, the stream by socket.',
      carriers: ['socket'],
    },
    handle: (request, response) =>
      toNodeHandler(async (asked) => (await runtime.handle(asked)) ?? new Response(null, { status: 404 }))(
        request,
        response,
      ),
    async serve(socket, _, url) {
      const threadId = await runtime.authorizeStream(url);
      if (threadId === undefined) socket.close();
      else await runtime.serveStream(socket, threadId);
    },
    readHistory,
  };
}

function createServerTools(): ToolSet {
  const ofShop = Object.entries(serverTools).map(([name, run]) => [
    name,
    defineTool({
      description: 'Runs on the server.',
      args,
      execute: async (_, values) => ({ status: 'success', result: JSON.stringify(await run(values)) }),
    }),
  ]);
  const trackParcel = defineTool({
    description: 'Looks up the parcel of the person.',
    async execute(state) {
      // A shop would send the token to the carrier. The model gets only the result.
      const token = await state.env('PARCEL_TOKEN');
      const parcel = token === '' ? {} : { place: 'Graz', arrives: 'tomorrow' };
      return { status: 'success', result: JSON.stringify(parcel) };
    },
  });
  return { ...Object.fromEntries(ofShop), track_parcel: trackParcel };
}

function createScriptedModel(agent: Agent): AgentDefinition['model'] {
  return async function* playScript({ messages: rows, state: { threadId, userId }, signal }) {
    const messages = toAgentMessages(rows);
    const input = messages.findLast((message) => message.role === 'user')?.input ?? {};
    const trigger = { name: 'user-message', input };
    const context = { sessionId: userId ?? '', executionId: threadId, messages, trigger, signal };
    for await (const event of agent(context)) yield* toChunks(event);
  };
}

function toChunks(event: ModelEvent): readonly ModelChunk[] {
  switch (event.type) {
    case 'text-delta':
      return [{ type: 'content-delta', delta: event.delta }];
    case 'text-end':
      // A message has one text, and the script may write several.
      return [{ type: 'content-delta', delta: '\n\n' }];
    case 'reasoning-delta':
      return [{ type: 'reasoning-delta', delta: event.delta }];
    case 'tool-input-start':
      return [{ type: 'tool-call-start', id: event.toolCallId, name: event.toolName }];
    case 'tool-input-available': {
      const { toolCallId: id, toolName: name, input, providerExecuted } = event;
      if (!providerExecuted)
        return [{ type: 'tool-call-done', id, arguments: input as Record<string, unknown> }];
      return [{ type: 'provider-tool-done', tool: { id, name, status: 'in_progress', result: { input } } }];
    }
    case 'tool-output-available': {
      const result = event.output as Record<string, unknown>;
      const tool = { id: event.toolCallId, name: WEB_SEARCH, status: 'completed', result } as const;
      return [{ type: 'provider-tool-done', tool }];
    }
    case 'error':
      throw new Error(event.message);
    default:
      return [];
  }
}

/** The script reads an answer as the result of the call itself, and not as that of the kit's own tool. */
function toAgentMessages(rows: readonly ThreadMessage[]): readonly AgentMessage[] {
  const calls = new Map<string, AgentToolCall>();
  return rows.flatMap((row): AgentMessage[] => {
    const content = row.content ?? '';
    if (row.role === 'user') {
      return [{ role: 'user', content, trigger: 'user-message', input: { USER_MESSAGE: content } }];
    }
    if (row.role === 'assistant') {
      const made = readCalls(row);
      for (const call of made) calls.set(call.toolCallId, call);
      const toolCalls = made.filter(({ toolName }) => toolName !== ANSWER_TOOL);
      if (toolCalls.length < made.length) return [];
      return [{ role: 'assistant', content, ...(toolCalls.length > 0 && { toolCalls }) }];
    }
    const answered = calls.get(row.tool_call_id ?? '');
    // The first result of a tool of the page says that the agent waits.
    if (answered === undefined || PAGE_TOOLS.includes(answered.toolName)) return [];
    const call = answered.toolName === ANSWER_TOOL ? calls.get(String(answered.args.id)) : answered;
    if (call === undefined) return [];
    const outcome = row.tool_status === 'error' ? { error: content } : { result: readJson(content) };
    return [{ role: 'tool', toolCallId: call.toolCallId, toolName: call.toolName, ...outcome }];
  });
}

function readCalls({ tool_calls: text }: ThreadMessage): readonly AgentToolCall[] {
  const entries: readonly ToolCallEntry[] = text ? JSON.parse(text) : [];
  return entries.map(({ id, function: called }) => ({
    toolCallId: id,
    toolName: called.name,
    args: JSON.parse(called.arguments),
  }));
}
