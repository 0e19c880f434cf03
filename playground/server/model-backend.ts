import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createAiSdkAgent } from 'handrail/server';
import { createAgentBackend } from './agent-backend.ts';
import type { Backend } from './backend.ts';
import { modelTools } from './model-tools.ts';

const SYSTEM = `You are the assistant of a small shop and run in a playground for browser tools.
Use the tools where they fit instead of describing what you would do. Before an order is placed look the product up,
then ask with confirm_order, and call place_order only after the person confirmed. Keep answers short and in plain text.`;

/** A real model, if the environment has a key for one. */
export function createModelBackend(env: NodeJS.ProcessEnv): Backend | undefined {
  const { OPENAI_API_KEY: apiKey, OPENAI_BASE_URL, OPENAI_MODEL } = env;
  if (!apiKey) return undefined;
  const baseURL = OPENAI_BASE_URL || 'https://api.openai.com/v1';
  const name = OPENAI_MODEL || 'gpt-4.1-mini';
  const provider = createOpenAICompatible({ name: 'openai', baseURL, apiKey, includeUsage: true });
  return createAgentBackend(
    {
      id: 'model',
      label: name,
      description: `The model ${name} through the AI SDK, behind handrail/server.`,
      carriers: ['sse', 'socket'],
    },
    createAiSdkAgent({
      model: provider(name),
      system: SYSTEM,
      tools: modelTools,
      onError: (thrown) => console.error('The model failed:', thrown),
    }),
  );
}
