/** The packages of two vendors against endpoints that refuse what these vendors refuse. */
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import type { LanguageModel } from 'ai';
import { afterEach, describe, expect, it } from 'vitest';
import { createAiSdkAgent } from '../../../src/server/ai-sdk/create-ai-sdk-agent.ts';
import { createAgentSession } from '../../../src/server/sessions/create-agent-session.ts';
import { createMemorySessionStore } from '../../../src/server/store/create-memory-session-store.ts';
import type { SessionStore } from '../../../src/server/store/session-store.ts';
import { continueWith, hello, run, types, withoutCursors } from '../support.ts';
import { type Endpoint, startAnthropic, startGoogle } from './vendor-endpoints.ts';

const endpoints: Endpoint[] = [];
afterEach(async () => {
  for (const endpoint of endpoints.splice(0)) await endpoint.close();
});

/** A store that holds JSON text, as a database does. */
function createJsonStore(): SessionStore {
  const memory = createMemorySessionStore();
  return { ...memory, save: (id, record) => memory.save(id, JSON.parse(JSON.stringify(record))) };
}

type AgentOptions = Parameters<typeof createAiSdkAgent>[0];

function createSession(model: LanguageModel, more: Partial<AgentOptions> = {}, serverTools = {}) {
  const agent = createAiSdkAgent({
    model,
    settings: { maxRetries: 0 },
    tools: { ask: {}, add: {} },
    ...more,
  });
  return createAgentSession({ id: 's', agent, tools: serverTools, store: createJsonStore() });
}

async function openClaude(...responses: Parameters<typeof startAnthropic>) {
  const endpoint = await startAnthropic(...responses);
  endpoints.push(endpoint);
  const provider = createAnthropic({ baseURL: endpoint.baseURL, apiKey: 'k' });
  return { provider, model: provider('claude-sonnet-4-5'), bodies: endpoint.bodies };
}

async function openGemini(...responses: Parameters<typeof startGoogle>) {
  const endpoint = await startGoogle(...responses);
  endpoints.push(endpoint);
  const provider = createGoogleGenerativeAI({ baseURL: endpoint.baseURL, apiKey: 'k' });
  return { model: provider('gemini-3-pro-preview'), bodies: endpoint.bodies };
}

const thinking = { anthropic: { thinking: { type: 'enabled', budgetTokens: 1024 } } };
const thought = { type: 'thinking', thinking: 'A person must say.', signature: 'sig-1' };
const redacted = { type: 'redacted_thinking', data: 'opaque' };
const said = (text: string) => ({ type: 'text', text });
const used = (name: string, id: string, input: object = {}) => ({ type: 'tool_use', id, name, input });
const calling = (...blocks: object[]) => ({ blocks: blocks as never[], stopReason: 'tool_use' });
const ending = (...blocks: object[]) => ({ blocks: blocks as never[], stopReason: 'end_turn' });

describe('createAiSdkAgent with Claude', () => {
  it('createAiSdkAgent sends thinking and its signature back with the answers of a server tool and of the client', async () => {
    const { model, bodies } = await openClaude(
      calling(thought, redacted, said('One moment.'), used('add', 'toolu_1'), used('ask', 'toolu_2')),
      calling({ ...thought, signature: 'sig-2' }, used('add', 'toolu_3')),
      ending(said('Done.')),
      ending(said('Again.')),
    );
    const session = createSession(model, { providerOptions: thinking }, { add: () => 2 });
    const first = await run(session, hello);
    expect(first.at(-1)).toMatchObject({ finishReason: 'client-tool-calls' });
    const second = await run(
      session,
      continueWith(first, () => 'yes'),
    );
    expect(second.at(-1)).toMatchObject({ finishReason: 'stop' });
    expect((await run(session, hello)).at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(bodies.at(-1)?.messages).toMatchObject([
      { role: 'user' },
      {
        role: 'assistant',
        content: [thought, redacted, said('One moment.'), { id: 'toolu_1' }, { id: 'toolu_2' }],
      },
      { role: 'user', content: [{ tool_use_id: 'toolu_1' }, { tool_use_id: 'toolu_2' }] },
      { role: 'assistant', content: [{ signature: 'sig-2' }, { id: 'toolu_3' }] },
      { role: 'user', content: [{ tool_use_id: 'toolu_3' }] },
      { role: 'assistant', content: [said('Done.')] },
      { role: 'user' },
    ]);
  });

  it('createAiSdkAgent keeps signatures from the client', async () => {
    const { model } = await openClaude(calling(thought, used('ask', 'toolu_1')));
    const events = await run(createSession(model, { providerOptions: thinking }), hello);
    expect(types(events)).toContain('client-tool-request');
    expect(JSON.stringify(events)).not.toContain('sig-1');
  });

  it('createAiSdkAgent leaves out text of white space alone, before a call and in a whole message', async () => {
    const { model, bodies } = await openClaude(
      calling(said('\n\n'), used('add', 'toolu_1')),
      ending(said(' \n')),
      ending(said('Hello.')),
    );
    const session = createSession(model, {}, { add: () => 2 });
    expect((await run(session, hello)).at(-1)).toMatchObject({ finishReason: 'stop' });
    expect((await run(session, hello)).at(-1)).toMatchObject({ finishReason: 'stop' });
    const messages = bodies.at(-1)?.messages as { content: { type: string }[] }[];
    expect(messages.flatMap(({ content }) => content.map(({ type }) => type))).toEqual([
      'text',
      'tool_use',
      'tool_result',
      'text',
    ]);
  });

  it('createAiSdkAgent leaves out thinking that the token limit cut off before any text', async () => {
    const { model } = await openClaude(
      { blocks: [thought], stopReason: 'max_tokens' },
      ending(said('Hello.')),
    );
    const session = createSession(model, { providerOptions: thinking });
    expect((await run(session, hello)).at(-1)).toMatchObject({ finishReason: 'length' });
    expect((await run(session, hello)).at(-1)).toMatchObject({ finishReason: 'stop' });
  });
});

describe('createAiSdkAgent with tools that the provider executes', () => {
  const search = {
    type: 'server_tool_use',
    id: 'srvtoolu_1',
    name: 'web_search',
    input: { query: 'weather' },
  };
  const hit = { type: 'web_search_result', url: 'https://example.com', title: 'Weather', page_age: null };
  const found = {
    type: 'web_search_tool_result',
    tool_use_id: 'srvtoolu_1',
    content: [{ ...hit, encrypted_content: 'opaque-1' }],
  };

  it('createAiSdkAgent passes a tool of the provider through, shows its call as executed by the provider and never runs it', async () => {
    const { provider, model, bodies } = await openClaude(
      calling(search, found, said('Sunny.'), used('ask', 'toolu_1')),
      ending(said('Done.')),
      ending(said('Again.')),
    );
    let ran = 0;
    const tools = { ask: {}, webSearch: provider.tools.webSearch_20250305({ maxUses: 3 }) };
    const session = createSession(model, { tools }, { webSearch: () => ++ran });
    const first = await run(session, hello);
    expect(bodies[0]?.tools).toMatchObject([
      { name: 'ask' },
      { type: 'web_search_20250305', name: 'web_search', max_uses: 3 },
    ]);
    expect(
      withoutCursors(first).filter((event) => 'toolCallId' in event && event.toolCallId === 'srvtoolu_1'),
    ).toMatchObject([
      { type: 'tool-input-start', toolName: 'webSearch' },
      { type: 'tool-input-delta' },
      { type: 'tool-input-end' },
      { type: 'tool-input-available', input: { query: 'weather' }, providerExecuted: true },
      { type: 'tool-output-available', output: [{ url: 'https://example.com' }] },
    ]);
    expect(first.at(-2)).toMatchObject({ toolCalls: [{ toolName: 'ask' }] });

    const second = await run(session, continueWith(first));
    expect(second.at(-1)).toMatchObject({ finishReason: 'stop' });
    expect((await run(session, hello)).at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(ran).toBe(0);
    expect(bodies.at(-1)?.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: [search, found, said('Sunny.'), { id: 'toolu_1' }] },
      { role: 'user', content: [{ tool_use_id: 'toolu_1' }] },
      { role: 'assistant', content: [said('Done.')] },
      { role: 'user' },
    ]);
  });

  it('createAiSdkAgent asks nobody for a call of the provider whose result comes in a later step', async () => {
    const run1 = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'x' } };
    const { provider, model } = await openClaude({ blocks: [run1], stopReason: 'tool_use' });
    const tools = { webSearch: provider.tools.webSearch_20250305({}) };
    const events = await run(createSession(model, { tools }), hello);
    expect(types(events)).not.toContain('client-tool-request');
  });

  it('createAiSdkAgent lets the session answer calls of a provider tool that the app has to run', async () => {
    const { provider, model, bodies } = await openClaude(
      calling(used('bash', 'toolu_1', { command: 'ls' })),
      ending(said('Done.')),
    );
    let ranByAgent = 0;
    const execute = async () => String(++ranByAgent);
    const tools = { bash: provider.tools.bash_20250124({ execute }) };
    const session = createSession(model, { tools }, { bash: () => 'file.txt' });
    expect((await run(session, hello)).at(-1)).toMatchObject({ finishReason: 'stop' });
    expect(bodies[0]?.tools).toMatchObject([{ type: 'bash_20250124', name: 'bash' }]);
    expect(JSON.stringify(bodies[1]?.messages)).toContain('file.txt');
    expect(ranByAgent).toBe(0);
  });
});

describe('createAiSdkAgent with Gemini', () => {
  it('createAiSdkAgent sends the thought signature of a call back with its answer', async () => {
    const { model, bodies } = await openGemini(
      [
        { text: 'A person must say.', thought: true },
        { functionCall: { name: 'ask', args: { q: 'ok?' } }, thoughtSignature: 'sig-1' },
      ],
      [{ text: 'Done.', thoughtSignature: 'sig-2' }],
      [{ text: 'Again.' }],
    );
    const session = createSession(model);
    const first = await run(session, hello);
    const second = await run(
      session,
      continueWith(first, () => 'yes'),
    );
    expect(second.at(-1)).toMatchObject({ finishReason: 'stop' });
    await run(session, hello);
    expect(bodies.at(-1)?.contents).toMatchObject([
      { role: 'user' },
      {
        role: 'model',
        parts: [{ thought: true }, { functionCall: { name: 'ask' }, thoughtSignature: 'sig-1' }],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'ask' } }] },
      { role: 'model', parts: [{ text: 'Done.', thoughtSignature: 'sig-2' }] },
      { role: 'user' },
    ]);
  });
});
