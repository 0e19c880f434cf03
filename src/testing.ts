export { createScriptedAgent } from './server/scripted/create-scripted-agent.ts';
export { createManualClock, type ManualClock } from './testing/manual-clock.ts';
export { createMemoryStorage } from './testing/memory-storage.ts';
export {
  createScriptedTransport,
  type ScriptedRequest,
  type ScriptedTransport,
} from './testing/scripted-transport.ts';
export {
  type SessionStoreCheck,
  type SessionStoreCheckOptions,
  sessionStoreChecks,
} from './testing/session-store/session-store-checks.ts';
export type { OpenSessionStore } from './testing/session-store/store-check.ts';
export { withChat } from './testing/with-chat.tsx';
