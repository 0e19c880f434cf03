/** Starts servers in place of the platforms that some backends need. Each plays the same script, in which the page confirms a refund. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAgUiBackend } from '../../playground/server/ag-ui-backend.ts';
import { createMantyxScript } from '../../playground/server/mantyx-script.ts';
import { createOctavusStandIn, STAND_IN_KEY } from '../../playground/server/octavus-stand-in.ts';
import { createScriptedAgent } from '../../src/server/scripted/create-scripted-agent.ts';
import { MANTYX_KEY, startMantyxPlatform } from '../support/mantyx-platform.ts';

/** A platform that runs, and the variables by which an app finds it. */
export interface StandIn {
  readonly variables: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const createAgent = () =>
  createScriptedAgent([
    'One moment. ',
    { call: 'confirm_refund', args: { orderNumber: '4711', amount: 89 } },
    (turn) => {
      const isConfirmed = JSON.stringify(turn.result('confirm_refund') ?? null).includes('"confirmed":true');
      return isConfirmed ? 'It is refunded.' : 'It is not refunded.';
    },
  ]);

export const STAND_INS: Readonly<Record<string, () => Promise<StandIn>>> = {
  async 'ag-ui'() {
    const backend = createAgUiBackend(createAgent());
    const { url, close } = await listen((request, response) => void backend.handle(request, response, 'one'));
    return { variables: { AG_UI_URL: url }, close };
  },
  async octavus() {
    const trigger = createOctavusStandIn(createAgent());
    const { url, close } = await listen((request, response) => {
      if (request.url !== '/api/agent-sessions') return void trigger(request, response);
      response.writeHead(201, { 'content-type': 'application/json' }).end('{"sessionId":"one"}');
    });
    const variables = { OCTAVUS_BASE_URL: url, OCTAVUS_API_KEY: STAND_IN_KEY, OCTAVUS_AGENT_ID: 'shop' };
    return { variables, close };
  },
  async mantyx() {
    const script = createMantyxScript(createAgent());
    const { baseUrl, close } = await startMantyxPlatform({ workspace: 'acme', script });
    return {
      variables: { MANTYX_BASE_URL: baseUrl, MANTYX_API_KEY: MANTYX_KEY },
      close: async () => close(),
    };
  },
};

async function listen(handle: RequestListener): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(handle).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
