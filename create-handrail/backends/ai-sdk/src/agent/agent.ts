import { openai } from '@ai-sdk/openai';
import { type Agent, createAiSdkAgent } from 'handrail/server';
import { scriptedAgent } from './scripted-agent.ts';
import { tools } from './tools.ts';

const SYSTEM = `You are the assistant of a small shop.
For a refund call "refund" at once: it asks the customer to confirm. If its result has a requestId, nothing is paid yet:
call "approve_refund" with that requestId, the same order and the same amount.`;

/** A model of the AI SDK, or the script while there is no key. For another provider install its package and change this file. */
export const agent = process.env.OPENAI_API_KEY === undefined ? withoutKey() : askModel();

function askModel(): Agent {
  return createAiSdkAgent({
    model: openai('gpt-5-mini'),
    system: SYSTEM,
    // The tools of the page come with each message; these are those of the server.
    tools: {
      refund: { description: tools.refund.description, inputSchema: tools.refund.input },
      approve_refund: {
        description: tools.approve_refund.description,
        inputSchema: tools.approve_refund.input,
      },
    },
    onError: console.error,
  });
}

function withoutKey(): Agent {
  console.log('OPENAI_API_KEY is not set, so a script answers. Set it to talk to a model.');
  return scriptedAgent;
}
