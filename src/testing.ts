export { createScriptedAgent } from './server/scripted/create-scripted-agent.ts';
export { createManualClock, type ManualClock } from './testing/manual-clock.ts';
export { createMemoryStorage } from './testing/memory-storage.ts';
export {
  createScriptedTransport,
  type ScriptedRequest,
  type ScriptedTransport,
} from './testing/scripted-transport.ts';
export { withChat } from './testing/with-chat.tsx';
