/**
 * AG-UI 1.0, which TanStack AI speaks as well; `custom` adds the events by which TanStack runs tools of the client and
 * marks text as structured output.
 */
import type { Step } from '../steps.ts';

export function encodeAgUi(leg: readonly Step[], index: number, custom: boolean): string[] {
  const run = { threadId: 'thread', runId: `run-${index}` };
  const events: object[] = [{ type: 'RUN_STARTED', ...run }];
  let asks = false;
  for (const [position, step] of leg.entries()) {
    const messageId = `m${index}-${position}`;
    switch (step.type) {
      case 'text':
        events.push({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' });
        for (const delta of step.pieces) events.push({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta });
        events.push({ type: 'TEXT_MESSAGE_END', messageId });
        break;
      case 'object': {
        const raw = step.pieces.join('');
        const value = { object: JSON.parse(raw), raw, messageId };
        events.push({ type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' });
        events.push({ type: 'CUSTOM', name: 'structured-output.start', value: { messageId } });
        for (const delta of step.pieces) events.push({ type: 'TEXT_MESSAGE_CONTENT', messageId, delta });
        events.push({ type: 'CUSTOM', name: 'structured-output.complete', value });
        events.push({ type: 'TEXT_MESSAGE_END', messageId });
        break;
      }
      case 'server-tool':
      case 'client-tool': {
        const toolCallId = step.id;
        const pieces = step.type === 'client-tool' ? [JSON.stringify(step.args)] : step.pieces;
        events.push({ type: 'TOOL_CALL_START', toolCallId, toolCallName: step.name });
        for (const delta of pieces) events.push({ type: 'TOOL_CALL_ARGS', toolCallId, delta });
        events.push({ type: 'TOOL_CALL_END', toolCallId });
        if (step.type === 'server-tool') {
          const content = JSON.stringify(step.output);
          events.push({ type: 'TOOL_CALL_RESULT', messageId: `r${index}-${position}`, toolCallId, content });
        } else {
          asks = true;
          const value = { toolCallId, toolName: step.name, input: step.args };
          if (custom) events.push({ type: 'CUSTOM', name: 'tool-input-available', value });
        }
        break;
      }
      default:
        step satisfies never;
    }
  }
  events.push({
    type: 'RUN_FINISHED',
    ...run,
    ...(custom ? { finishReason: asks ? 'tool_calls' : 'stop' } : {}),
  });
  return events.map((event) => JSON.stringify(event));
}
