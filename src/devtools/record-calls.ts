/** Reads the calls of a conversation as a recording may hold them: what snapshots leave out is masked, and secrets by name are masked too. */
import type { ToolCallPart, UIMessage } from '../core/state/message.ts';
import type { InteractiveToolDefinition } from '../core/tools/client-tool.ts';
import { compact } from '../shared/json.ts';
import { readStandardJsonSchema } from '../shared/read-standard-json-schema.ts';
import { maskSecrets, withoutSecrets } from '../shared/secrets.ts';
import type { RecordedCall } from './recording.ts';

/** The declared tools by name, as far as they are known: their schemas mark secrets. */
export type KnownTools = ReadonlyMap<string, InteractiveToolDefinition>;

/** Returns the calls of all messages, oldest first. */
export function recordCalls(messages: readonly UIMessage[], tools: KnownTools): readonly RecordedCall[] {
  return messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === 'tool-call' ? [recordCall(part, tools.get(part.toolName))] : [])),
  );
}

function recordCall(part: ToolCallPart, definition: InteractiveToolDefinition | undefined): RecordedCall {
  const { toolCallId, toolName, status, outcome, args, result, inputSchema, waitsFor, delivery } = part;
  return compact({
    toolCallId,
    toolName,
    status,
    outcome,
    args: mask(withoutSecrets(args, inputSchema), definition?.input),
    // The message holds it without what `output` marks as secret.
    result: maskSecrets(result),
    waitsFor,
    delivery,
  }) as RecordedCall;
}

function mask(args: unknown, input: InteractiveToolDefinition['input']): unknown {
  return maskSecrets(input === undefined ? args : withoutSecrets(args, readStandardJsonSchema(input)));
}
