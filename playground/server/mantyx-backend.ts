/** Mantyx agent runs as in an app: the page, the proxy of the app, and behind it a stand-in for the platform. */
import { createMantyxProxy, toNodeHandler } from 'handrail/server';
import { MANTYX_KEY, startMantyxPlatform } from '../../test/support/mantyx-platform.ts';
import type { Backend } from './backend.ts';
import { createMantyxScript } from './mantyx-script.ts';
import { createPlaygroundAgent } from './playground-agent.ts';

const WORKSPACE = 'playground';

export async function createMantyxBackend(): Promise<Backend> {
  const platform = await startMantyxPlatform({
    workspace: WORKSPACE,
    script: createMantyxScript(createPlaygroundAgent()),
  });
  const proxy = createMantyxProxy({
    baseUrl: platform.baseUrl,
    workspace: WORKSPACE,
    credential: MANTYX_KEY,
    // An app returns the id of the signed-in user. Here each conversation has its own user.
    authenticate: ({ url }) => /\/agent\/mantyx\/([^/]+)\//.exec(url)?.[1],
    spec: ({ userId }) => ({
      systemPrompt: 'You are the assistant of a small shop.',
      metadata: { conversation: userId },
    }),
  });
  /** The history of a conversation as the model saw it: messages, calls and answers. */
  const describe = (conversation: string) =>
    platform.runs
      .filter(({ spec }) => (spec.metadata as { conversation?: unknown }).conversation === conversation)
      .flatMap(({ transcript }) => transcript);
  return {
    info: {
      id: 'mantyx',
      label: 'Mantyx',
      description:
        'The same script as a Mantyx session, behind the proxy of handrail/server. The platform is a stand-in.',
      carriers: ['sse'],
    },
    handle: (request, response, session) =>
      toNodeHandler(async (asked) => {
        if (new URL(asked.url).pathname.endsWith('/transcript')) return Response.json(describe(session));
        return proxy(asked);
      })(request, response),
    close: platform.close,
  };
}
