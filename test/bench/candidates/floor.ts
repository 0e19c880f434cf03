/** What no client can do without: reading the body, splitting it into events, parsing their JSON. */
import { createParser } from 'eventsource-parser';
import type { Candidate } from '../measure/candidate.ts';
import { encodeOctavus } from '../wires/octavus.ts';

export const candidate: Candidate = {
  wire: encodeOctavus,
  async open({ fetch, runTool, workload }) {
    let text = 0;
    let tools = 0;
    const read = async () => {
      const response = await fetch();
      const calls: Promise<unknown>[] = [];
      const parser = createParser({
        onEvent({ data }) {
          if (data === '[DONE]') return;
          const event = JSON.parse(data) as { type: string; delta?: string; toolCalls?: unknown[] };
          if (event.type === 'text-delta') text += event.delta?.length ?? 0;
          else if (event.type === 'tool-input-start') tools += 1;
          else if (event.type === 'client-tool-request') calls.push(...(event.toolCalls ?? []).map(runTool));
        },
      });
      const decoder = new TextDecoder();
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        parser.feed(decoder.decode(value, { stream: true }));
      }
      await Promise.all(calls);
    };
    return {
      async send() {
        text = tools = 0;
        for (let leg = 0; leg < workload.legs.length; leg++) await read();
      },
      received: () => ({ text, tools }),
      close() {},
    };
  },
};
