export { type AiSdkTransportOptions, createAiSdkTransport } from './ai-sdk/create-ai-sdk-transport.ts';
