export {
  type AiSdkTransportOptions,
  createAiSdkTransport,
} from './backends/ai-sdk/create-ai-sdk-transport.ts';
export { fromUIMessages } from './backends/ai-sdk/from-ui-messages.ts';
export type { AiSdkRequest, PreparedAiSdkRequest } from './backends/ai-sdk/requests.ts';
export { toUIMessages } from './backends/ai-sdk/to-ui-messages.ts';
export type { AiSdkMessage, AiSdkPart } from './backends/ai-sdk/ui-message.ts';
