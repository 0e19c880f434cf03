/** A chat on the stand-in for the Mantyx platform, both over real HTTP and closed after the test. */

import {
  createMantyxTransport,
  type MantyxTransportOptions,
} from '../../../src/backends/mantyx/create-mantyx-transport.ts';
import type { ClientTools } from '../../../src/core.ts';
import { openChat } from '../../integration/open-chat.ts';
import {
  MANTYX_KEY,
  type MantyxPlatform,
  type MantyxPlatformOptions,
  startMantyxPlatform,
} from '../../support/mantyx-platform.ts';
import type { MantyxScript } from '../../support/mantyx-platform-script.ts';

/** A tool that waits for a person, and one that runs by itself. */
export const clientTools = { ask: 'interactive', now: () => 'noon' } as const;

/** Asks the person, and repeats the answer as text. */
export const asking: MantyxScript = function* ({ answers }) {
  yield { calls: [{ call: 'ask' }] };
  yield `Answer: ${answers.get('tu_1')?.result ?? answers.get('tu_1')?.error ?? 'nothing'}`;
};

type OpenOptions = Partial<MantyxTransportOptions> & { readonly clientTools?: ClientTools };

/** Reconnects without a delay, because tests do not wait. */
const reconnect = { initialDelayMs: 1, maxDelayMs: 1, maxAttempts: 5 };

export function connectMantyx(platform: MantyxPlatform, options: Partial<MantyxTransportOptions> = {}) {
  return createMantyxTransport({
    baseUrl: platform.baseUrl,
    workspace: platform.workspace,
    headers: { authorization: `Bearer ${MANTYX_KEY}` },
    spec: { systemPrompt: 'Be short.' },
    reconnect,
    ...options,
  });
}

export async function openMantyx(platformOptions: MantyxPlatformOptions = {}, options: OpenOptions = {}) {
  const { clientTools, ...transportOptions } = options;
  const platform = await startMantyxPlatform(platformOptions);
  const transport = connectMantyx(platform, transportOptions);
  return { platform, ...openChat({ transport, close: platform.close }, clientTools) };
}

/** The bodies posted to a route, in order. */
export function bodiesOf(platform: MantyxPlatform, route: MantyxPlatform['requests'][number]['route']) {
  return platform.requests.filter((request) => request.route === route).map(({ body }) => body);
}
