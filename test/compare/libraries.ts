/** The columns of the table. Each library is a page that uses its documented hooks, and a server in its own protocol. */

import { createAiSdkServer } from './servers/ai-sdk-server.ts';
import type { CompareServer } from './servers/compare-server.ts';
import { createHandrailServer } from './servers/handrail-server.ts';

export interface Library {
  /** The head of its column. */
  readonly name: string;
  /** The file of its page in `pages`, without its ending. */
  readonly page: string;
  /** The package whose version the table names. */
  readonly packageName: string;
  createServer(): CompareServer;
}

/** The columns that must hold: they need no package but handrail. */
export const OWN: readonly Library[] = [
  { name: 'handrail', page: 'handrail', packageName: 'handrail', createServer: createHandrailServer },
  {
    name: "handrail, on useChat's route",
    page: 'handrail-ai-sdk',
    packageName: 'handrail',
    createServer: createAiSdkServer,
  },
];

export const PEERS: readonly Library[] = [
  { name: 'useChat', page: 'use-chat', packageName: '@ai-sdk/react', createServer: createAiSdkServer },
];
