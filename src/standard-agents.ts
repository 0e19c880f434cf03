export {
  createEnvTool,
  type EnvTool,
  type EnvToolOptions,
  type EnvType,
} from './standard-agents/create-env-tool.ts';
export {
  createStandardAgentsTransport,
  type StandardAgentsTransportOptions,
} from './standard-agents/create-standard-agents-transport.ts';
