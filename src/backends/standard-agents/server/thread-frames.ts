/** The frames of a thread's stream: JSON text over a WebSocket. */
import type { ProviderExecutedToolResult, ThreadMessage } from './thread-message.ts';

/** Tokens and cost of one model request. */
export interface ModelUsage {
  readonly model: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cost: number;
  /** Input tokens that the provider had in its cache. */
  readonly cached?: number;
}

/** A frame that the server sends. */
export type ThreadFrame =
  | { readonly type: 'message_data'; readonly message: ThreadMessage }
  | {
      readonly type: 'message_chunk';
      readonly messageId: string;
      readonly chunk: string;
      /** From 0, for each message. */
      readonly index: number;
      readonly kind: 'content' | 'reasoning';
    }
  | {
      readonly type: 'provider-tool-done';
      readonly messageId: string;
      readonly tool: ProviderExecutedToolResult;
    }
  | ({ readonly type: 'telemetry' } & ModelUsage)
  | { readonly type: 'custom'; readonly eventType: string; readonly data: unknown }
  | { readonly type: 'status'; readonly status: 'running' | 'idle' }
  | { readonly type: 'ping' }
  | { readonly type: 'pong' };

/** Returns true for the custom events of the calls of a page. The `id` in their data names the call. */
export function isClientCallEvent(eventType: string): boolean {
  return eventType === 'client_tool_request' || eventType === 'client_tool_answered';
}
