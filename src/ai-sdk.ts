export {
  type AiSdkTransportOptions,
  createAiSdkTransport,
} from './backends/ai-sdk/create-ai-sdk-transport.ts';
