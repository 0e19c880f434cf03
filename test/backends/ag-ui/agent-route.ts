/** A route of an AG-UI agent: checks every input with the schema of `@ag-ui/core`, and writes events with `@ag-ui/encoder`. */
import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import { RunAgentInputSchema } from '@ag-ui/core/schemas';
import { EventEncoder } from '@ag-ui/encoder';

/** An event as a test writes it. */
export interface ScriptedEvent {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Returns the events of a run, between its start and its end. The last one may be the end itself. */
export type Agent = (input: RunAgentInput) => readonly ScriptedEvent[];

export function createAgentRoute(agent: Agent) {
  const inputs: RunAgentInput[] = [];
  const handle = async (request: Request): Promise<Response> => {
    if (request.headers.get('accept') !== 'text/event-stream') return new Response(null, { status: 406 });
    const parsed = RunAgentInputSchema.safeParse(await request.json());
    if (!parsed.success) return Response.json({ error: parsed.error.message }, { status: 422 });
    const input = parsed.data as RunAgentInput;
    inputs.push(input);
    const { threadId, runId } = input;
    const events = [{ type: 'RUN_STARTED' }, ...agent(input)].map((event) =>
      /^RUN_(STARTED|FINISHED)/.test(event.type) ? { threadId, runId, ...event } : event,
    );
    if (!/RUN_(FINISHED|ERROR)/.test(events.at(-1)?.type ?? ''))
      events.push({ type: 'RUN_FINISHED', threadId, runId });
    const encoder = new EventEncoder({ accept: 'text/event-stream' });
    const frames = events.map((event) => encoder.encodeSSE(event as BaseEvent));
    const stream = new ReadableStream<string>({
      start(controller) {
        for (const frame of frames) controller.enqueue(frame);
        controller.close();
      },
    });
    return new Response(stream.pipeThrough(new TextEncoderStream()), {
      headers: { 'content-type': encoder.getContentType() },
    });
  };
  const send: typeof fetch = (input, init) =>
    handle(new Request(new URL(String(input), 'http://app.test'), init));
  return { fetch: send, handle, inputs };
}

export function text(messageId: string, delta: string): ScriptedEvent[] {
  return [
    { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
    { type: 'TEXT_MESSAGE_CONTENT', messageId, delta },
    { type: 'TEXT_MESSAGE_END', messageId },
  ];
}

export function call(
  toolCallId: string,
  toolCallName: string,
  args: object = {},
  parentMessageId = `m-${toolCallId}`,
): ScriptedEvent[] {
  return [
    { type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId },
    { type: 'TOOL_CALL_ARGS', toolCallId, delta: JSON.stringify(args) },
    { type: 'TOOL_CALL_END', toolCallId },
  ];
}

export const finished = (outcome?: object): ScriptedEvent => ({
  type: 'RUN_FINISHED',
  ...(outcome && { outcome }),
});

export const interrupted = (...interrupts: object[]): ScriptedEvent =>
  finished({ type: 'interrupt', interrupts });

/** Returns the content of the tool messages of an input, by call. */
export function resultsOf({ messages }: RunAgentInput): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    messages.flatMap((message) => (message.role === 'tool' ? [[message.toolCallId, message.content]] : [])),
  );
}
