import type { ChatStorage } from '../../src/core/persistence/chat-storage.ts';
import type { TransportCapabilities } from '../../src/core/transport/agent-transport.ts';
import { type AgentChatOptions, createPersistence } from '../../src/core.ts';
import { createId } from '../../src/shared/ids.ts';
import { createMemoryStorage } from '../../src/testing/memory-storage.ts';
import { createScriptedTransport } from '../../src/testing/scripted-transport.ts';
import { createFakeBrowser } from './fake-tabs.ts';
import { scriptedChat, settled } from './scripted-chat.ts';

interface TabsSetting {
  readonly browser?: ReturnType<typeof createFakeBrowser>;
  readonly storage?: ChatStorage;
  readonly capabilities?: Partial<TransportCapabilities>;
}

/** Opens tabs of one conversation, each with a backend that the test controls. */
export function createTabOpener(
  options: Partial<AgentChatOptions> = {},
  { browser = createFakeBrowser(), storage = createMemoryStorage(), capabilities }: TabsSetting = {},
) {
  return async () => {
    const tab = browser.openTab();
    const page = scriptedChat(
      { id: 'c', persistence: createPersistence({ storage, tabs: tab.environment }), createId, ...options },
      createScriptedTransport(capabilities),
    );
    page.chat.subscribe(() => {});
    await settledIn();
    return { ...page, tab };
  };
}

/** Waits until persistence and the messages between tabs have settled. */
export async function settledIn(): Promise<void> {
  await import('../../src/core/persistence/persisted-chat.ts');
  for (let turn = 0; turn < 10; turn += 1) await settled();
}
