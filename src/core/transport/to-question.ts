import { compact } from '../../shared/json.ts';
import { toOpaqueSchema } from '../../shared/to-opaque-schema.ts';
import type { PendingToolCall } from '../protocol/events.ts';
import type { TransportQuestion } from './agent-transport.ts';

/** Returns how a person is asked about a call, if the server says it. The server checks the answer. */
export function toQuestion({ question, executedBy }: PendingToolCall): TransportQuestion | undefined {
  if (!question) return undefined;
  const { inputSchema, outputSchema, ...asked } = question;
  return compact({
    interactive: true as const,
    ...asked,
    // An approval is about the arguments; any other question is about something that the tool asks beside them.
    message: executedBy === 'server' ? undefined : asked.description,
    // The server keeps a yes to one of its tools for these arguments or this conversation alone, if the person wants that.
    rememberLimits: asked.remember && executedBy === 'server' ? (true as const) : undefined,
    isApproval: executedBy === 'server' ? (true as const) : undefined,
    input: inputSchema && toOpaqueSchema(inputSchema),
    output: outputSchema && toOpaqueSchema(outputSchema),
  });
}
