export {
  createEnvTool,
  type EnvTool,
  type EnvToolOptions,
  type EnvType,
} from './backends/standard-agents/create-env-tool.ts';
export {
  createStandardAgentsTransport,
  type StandardAgentsTransportOptions,
} from './backends/standard-agents/create-standard-agents-transport.ts';
