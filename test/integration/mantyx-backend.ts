/** The stand-in for the Mantyx platform as a backend of the conversation suites: it plays the same scripts in its own steps. */
import { createMantyxTransport } from '../../src/backends/mantyx/create-mantyx-transport.ts';
import { MANTYX_KEY, startMantyxPlatform } from '../support/mantyx-platform.ts';
import type { MantyxCall, MantyxLine, MantyxScript, MantyxStep } from '../support/mantyx-platform-script.ts';
import type { TranscriptLine } from '../support/octavus-platform-script.ts';
import type { AgentResponse, AgentScript, Backend, BackendKind, ServerToolTable } from './backend.ts';

/** The transport to the server at `port`, as an application creates it. */
export function connectMantyx(port: number, send: typeof fetch = fetch) {
  return createMantyxTransport({
    baseUrl: `http://127.0.0.1:${port}`,
    workspace: 'acme',
    headers: { authorization: `Bearer ${MANTYX_KEY}` },
    spec: { systemPrompt: 'Be short.' },
    fetch: send,
    reconnect: { initialDelayMs: 1, maxDelayMs: 1, maxAttempts: 5 },
  });
}

export function mantyxBackend(): BackendKind {
  return { name: 'Mantyx', resumes: true, keepsRuns: true, numbersEvents: true, open: openMantyx };
}

async function openMantyx(script: AgentScript, serverTools: ServerToolTable = {}): Promise<Backend> {
  const play: MantyxScript = function* (turn) {
    for (const steps of script(turn)) yield* translate(steps, serverTools);
  };
  const platform = await startMantyxPlatform({ script: play });
  const port = Number(new URL(platform.baseUrl).port);
  return {
    transport: connectMantyx(port),
    port,
    refusals: platform.refusals,
    readTranscript: async () => platform.transcript.flatMap(toLine),
    cut: () => platform.cutAfter(0, 'now'),
    close: platform.close,
  };
}

/** The steps of a request; its calls for the client are one batch at its end. */
function* translate(steps: AgentResponse, serverTools: ServerToolTable): Generator<MantyxStep> {
  const calls: MantyxCall[] = [];
  for (const step of steps) {
    if (typeof step === 'string') yield step;
    else if ('reasoning' in step) yield { thinking: step.reasoning };
    else if ('hold' in step) yield step;
    else if (!('call' in step)) throw new Error(`Mantyx has no ${Object.keys(step).join(', ')}`);
    else if (Object.hasOwn(serverTools, step.call)) {
      const result = JSON.stringify(serverTools[step.call]?.({ ...step.args }));
      yield { serverTool: step.call, input: step.args ?? {}, result };
    } else calls.push(step);
  }
  if (calls.length > 0) yield { calls };
}

function toLine(line: MantyxLine): readonly TranscriptLine[] {
  if ('timedOut' in line) return [];
  if (!('answer' in line) || line.result === undefined) return [line];
  return [{ answer: line.answer, result: JSON.parse(line.result) }];
}
