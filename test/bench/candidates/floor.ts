/** What no client can do without: reading the body, splitting it into events, parsing their JSON; of a socket that alone. */
import { createParser } from 'eventsource-parser';
import type { Candidate } from '../measure/candidate.ts';
import { encodeOctavus } from '../wires/octavus.ts';

export const candidate: Candidate = {
  wire: encodeOctavus,
  async open({ fetch, connect, runTool, workload }) {
    let text = 0;
    let tools = 0;
    let calls: Promise<unknown>[] = [];
    const take = (data: string) => {
      const event = JSON.parse(data) as { type: string; delta?: string; toolCalls?: unknown[] };
      if (event.type === 'text-delta') text += event.delta?.length ?? 0;
      else if (event.type === 'tool-input-start') tools += 1;
      else if (event.type === 'client-tool-request') calls.push(...(event.toolCalls ?? []).map(runTool));
      return event;
    };
    const readBody = async () => {
      const response = await fetch();
      const parser = createParser({
        onEvent({ data }) {
          if (data !== '[DONE]') take(data);
        },
      });
      const decoder = new TextDecoder();
      const reader = (response.body as ReadableStream<Uint8Array>).getReader();
      for (;;) {
        const { done, value } = await reader.read();
        if (done) break;
        parser.feed(decoder.decode(value, { stream: true }));
      }
    };
    const socket = connect();
    const readFrames = () =>
      new Promise<void>((resolve) => {
        socket.onmessage = ({ data }) => {
          if (take(data as string).type === 'finish') resolve();
        };
        socket.send('{}');
      });
    return {
      async send() {
        text = tools = 0;
        for (let leg = 0; leg < workload.legs.length; leg++) {
          calls = [];
          await (workload.socket ? readFrames() : readBody());
          await Promise.all(calls);
        }
      },
      received: () => ({ text, tools }),
      close() {},
    };
  },
};
