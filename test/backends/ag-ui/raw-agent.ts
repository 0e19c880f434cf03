/** An agent that writes its events as a test gives them, also in an order or a form that AG-UI forbids. */
import { RunAgentInputSchema } from '@ag-ui/core/schemas';

export interface RawEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

export interface RawInput {
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  readonly [key: string]: unknown;
}

/** @param runs the events of each run; the last run is repeated */
export function createRawAgent(...runs: readonly (readonly RawEvent[])[]) {
  const inputs: RawInput[] = [];
  const send: typeof fetch = async (_url, init) => {
    const input = JSON.parse(String(init?.body)) as RawInput;
    const { success, error } = RunAgentInputSchema.safeParse(input);
    if (!success) return Response.json({ error: error.message }, { status: 422 });
    const events = runs[Math.min(inputs.length, runs.length - 1)] ?? [];
    inputs.push(input);
    const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
    return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
  };
  return { fetch: send, inputs };
}

export const started = { type: 'RUN_STARTED', threadId: 't', runId: 'r' };
export const ended = { type: 'RUN_FINISHED', threadId: 't', runId: 'r' };
export const endedWith = (outcome: object): RawEvent => ({ ...ended, outcome });
export const asking = (...interrupts: object[]): RawEvent => endedWith({ type: 'interrupt', interrupts });

export function said(messageId: string, delta: string): readonly RawEvent[] {
  return [
    { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId, delta },
    { type: 'TEXT_MESSAGE_END', messageId },
  ];
}

export function called(toolCallId: string, toolCallName: string, delta = '{}'): readonly RawEvent[] {
  return [
    { type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId: `m-${toolCallId}` },
    { type: 'TOOL_CALL_ARGS', toolCallId, delta },
    { type: 'TOOL_CALL_END', toolCallId },
  ];
}

export const gave = (toolCallId: string, content: unknown, messageId = `r-${toolCallId}`): RawEvent => ({
  type: 'TOOL_CALL_RESULT',
  messageId,
  toolCallId,
  content,
});
