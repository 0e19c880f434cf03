import type { AgentEvent } from '../../../src/core/protocol/events.ts';

/**
 * Another device of the person, which only looks. It follows the session through the load balancer, so mostly at a process that does not
 * own it, and opens the session again whenever its response ends. Resolves when it shows the text at the end of the conversation.
 */
export async function followSession(
  port: number,
  sessionId: string,
  lastText: string,
  signal: AbortSignal,
): Promise<void> {
  let position: { executionId?: string | undefined; cursor?: string | undefined } = {};
  let text = '';
  const record = (event: AgentEvent): void => {
    if (event.type === 'snapshot') {
      position = { executionId: event.executionId };
      const parts = event.messages.at(-1)?.parts ?? [];
      text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('');
      // The events of a run that is under way follow from its beginning.
      if (event.openCalls.length === 0 && event.executionId !== undefined) text = '';
    }
    if (event.type === 'text-delta') text += event.delta;
    if (event.cursor !== undefined) position = { ...position, cursor: event.cursor };
  };
  while (!signal.aborted) {
    try {
      const payload = { sessionId, type: 'open', follow: true, ...position };
      for await (const event of openEvents(port, payload, signal)) {
        record(event);
        if (text.replaceAll('\n', '') === lastText) return;
      }
    } catch {
      // The process died, or this device was closed.
    }
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
}

async function* openEvents(port: number, payload: object, signal: AbortSignal): AsyncGenerator<AgentEvent> {
  const response = await fetch(`http://127.0.0.1:${port}/api/agent`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(payload),
    signal,
  });
  let rest = '';
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const frames = (rest + chunk).split('\n\n');
    rest = frames.pop() ?? '';
    for (const frame of frames) {
      const [, data] = /^data: ({.*})$/m.exec(frame) ?? [];
      const [, cursor] = /^id: (.*)$/m.exec(frame) ?? [];
      if (data !== undefined) yield { ...JSON.parse(data), ...(cursor && { cursor }) };
    }
  }
}
