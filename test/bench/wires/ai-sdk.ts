/**
 * The UI message stream of AI SDK, as its `toUIMessageStreamResponse` sends it; of an object the bare text, as
 * `toTextStreamResponse` does.
 */
import type { Step } from '../steps.ts';

export function encodeAiSdk(leg: readonly Step[], index: number, turn: number): string[] {
  const [first] = leg;
  if (first?.type === 'object') return [...first.pieces];
  const events: object[] = [{ type: 'start', messageId: `m${turn}` }, { type: 'start-step' }];
  let asks = false;
  for (const [position, step] of leg.entries()) {
    const id = `t${index}-${position}`;
    switch (step.type) {
      case 'text':
        // What the model says about the outcome of tools is a step of its own.
        if (leg[position - 1]?.type === 'server-tool')
          events.push({ type: 'finish-step' }, { type: 'start-step' });
        events.push({ type: 'text-start', id });
        for (const delta of step.pieces) events.push({ type: 'text-delta', id, delta });
        events.push({ type: 'text-end', id });
        break;
      case 'server-tool': {
        const { id: toolCallId, name: toolName, pieces, output } = step;
        events.push({ type: 'tool-input-start', toolCallId, toolName });
        for (const inputTextDelta of pieces)
          events.push({ type: 'tool-input-delta', toolCallId, inputTextDelta });
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
        events.push({ type: 'tool-input-available', toolCallId, toolName, input: args });
        asks = true;
        break;
      }
      case 'object':
        throw new Error('An object is a response of its own');
      default:
        step satisfies never;
    }
  }
  events.push({ type: 'finish-step' }, { type: 'finish', finishReason: asks ? 'tool-calls' : 'stop' });
  return [...events.map((event) => JSON.stringify(event)), '[DONE]'];
}
