/** The Octavus wire protocol 2.0: what `@octavus/server-sdk` sends. */
import type { Step } from '../steps.ts';

export function encodeOctavus(leg: readonly Step[], index: number, turn: number): string[] {
  const executionId = `run-${turn}`;
  const events: object[] = [{ type: 'start', messageId: `m${turn}`, executionId }];
  const calls: object[] = [];
  for (const [position, step] of leg.entries()) {
    const id = `t${index}-${position}`;
    switch (step.type) {
      case 'text':
        events.push({ type: 'text-start', id });
        for (const delta of step.pieces) events.push({ type: 'text-delta', id, delta });
        events.push({ type: 'text-end', id });
        break;
      case 'object':
        events.push({ type: 'text-start', id, responseType: 'Records' });
        for (const delta of step.pieces) events.push({ type: 'text-delta', id, delta });
        events.push({ type: 'text-end', id });
        break;
      case 'server-tool': {
        const { id: toolCallId, name: toolName, pieces, output } = step;
        events.push({ type: 'tool-input-start', toolCallId, toolName });
        for (const inputTextDelta of pieces)
          events.push({ type: 'tool-input-delta', toolCallId, inputTextDelta });
        events.push({ type: 'tool-input-end', toolCallId });
        events.push({
          type: 'tool-input-available',
          toolCallId,
          toolName,
          input: JSON.parse(pieces.join('')),
        });
        events.push({ type: 'tool-output-available', toolCallId, output });
        break;
      }
      case 'client-tool': {
        const { id: toolCallId, name: toolName, args } = step;
        events.push({ type: 'tool-input-start', toolCallId, toolName });
        events.push({ type: 'tool-input-delta', toolCallId, inputTextDelta: JSON.stringify(args) });
        events.push({ type: 'tool-input-end', toolCallId });
        events.push({ type: 'tool-input-available', toolCallId, toolName, input: args });
        calls.push({ toolCallId, toolName, args, source: 'llm' });
        break;
      }
      default:
        step satisfies never;
    }
  }
  if (calls.length > 0) events.push({ type: 'client-tool-request', executionId, toolCalls: calls });
  events.push({ type: 'finish', finishReason: calls.length > 0 ? 'client-tool-calls' : 'stop', executionId });
  return [...events.map((event) => JSON.stringify(event)), '[DONE]'];
}
