/**
 * LangGraph's own API server with its data in a temporary folder, and in front of it the AG-UI adapter: `POST /legacy/<graph>` asks by
 * custom events, which is its default, and `POST /outcome/<graph>` by the outcome of the run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { LangGraphAgent } from '@ag-ui/langgraph';
import { startServer } from '@langchain/langgraph-api/server';
import { serveAgents } from '../serve-agents.mjs';
import * as graphs from './graphs.mjs';

const folder = mkdtempSync(path.join(tmpdir(), 'handrail-langgraph-'));
process.once('exit', () => rmSync(folder, { recursive: true }));
process.once('SIGTERM', () => process.exit());

const file = fileURLToPath(new URL('./graphs.mjs', import.meta.url));
const names = Object.keys(graphs);
const { host } = await startServer({
  port: 0,
  host: '127.0.0.1',
  // A worker looks for runs about twice a second.
  nWorkers: 16,
  cwd: folder,
  graphs: Object.fromEntries(names.map((name) => [name, `${file}:${name}`])),
});
const deploymentUrl = `http://${host}`;

await serveAgents(
  Object.fromEntries(
    names.flatMap((graphId) => [
      [`legacy/${graphId}`, () => new LangGraphAgent({ deploymentUrl, graphId })],
      [
        `outcome/${graphId}`,
        () => new LangGraphAgent({ deploymentUrl, graphId, emitInterruptOutcome: true }),
      ],
    ]),
  ),
);
