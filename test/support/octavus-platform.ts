/**
 * A stand-in for the Octavus platform: its trigger endpoint of the Octavus wire protocol 2.0 (section 10).
 *
 * It plays a script and records the history that the model would have seen: every message, every call, and every answer
 * it accepted. It checks answers strictly: each open call exactly once, nothing else, and every required key
 * repeated. It records refusals as well.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isDeepStrictEqual } from 'node:util';
import { findProblem, type Json, type OpenExecution, type PendingCall } from './octavus-platform-rules.ts';
import {
  type PlatformResponse,
  type PlatformScript,
  type PlatformStep,
  playStep,
  type TranscriptLine,
} from './octavus-platform-script.ts';

export interface PlatformRequest {
  readonly sessionId: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** `cut`: the response was cut, from either side. */
  readonly ended: Promise<'finished' | 'cut'>;
}

export interface OctavusPlatform {
  /** A listener for `node:http`. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  readonly requests: readonly PlatformRequest[];
  readonly transcript: readonly TranscriptLine[];
  /** The problems of requests that violated the protocol. */
  readonly refusals: readonly string[];
}

interface Execution extends OpenExecution {
  readonly messageId: string;
  readonly planned: readonly PlatformResponse[];
  /** Number of requests that were accepted. */
  played: number;
  open: readonly PendingCall[];
  unfinished: readonly Json[] | undefined;
}

/** The API key that requests must have. */
export const PLATFORM_KEY = 'key-of-the-stand-in';

export function createOctavusPlatform(script: PlatformScript): OctavusPlatform {
  const requests: PlatformRequest[] = [];
  const transcript: TranscriptLine[] = [];
  const refusals: string[] = [];
  const current = new Map<string, Execution>();
  let executions = 0;
  let calls = 0;

  const attemptsOf = (text: string) =>
    transcript.filter((line) => 'user' in line && line.user === text).length;

  const trigger = (sessionId: string, body: Json): Execution => {
    const input = isRecord(body.input) ? body.input : {};
    const text = typeof input.USER_MESSAGE === 'string' ? input.USER_MESSAGE : String(body.triggerName);
    transcript.push({ user: text });
    const planned = script({ text, attempt: attemptsOf(text), input });
    executions += 1;
    const execution: Execution = {
      id: `execution-${executions}`,
      messageId: `message-${executions}`,
      planned,
      played: 0,
      open: [],
      unfinished: undefined,
    };
    current.set(sessionId, execution);
    return execution;
  };

  const accept = (execution: Execution, results: readonly Json[]) => {
    execution.open = [];
    execution.unfinished = results;
    for (const { toolCallId, result, error } of results) {
      const given = error === undefined ? { result } : { error: String(error) };
      transcript.push({ answer: String(toolCallId), ...given });
    }
  };

  const announce = (execution: Execution, steps: readonly PlatformStep[]): readonly PendingCall[] => {
    const batch = steps.filter((step) => typeof step === 'object' && 'call' in step);
    const pending = batch.map(({ call, args = {}, id, more }): PendingCall => {
      calls += 1;
      return { toolCallId: id ?? `call-${calls}`, toolName: call, args, ...more };
    });
    execution.open = pending;
    for (const { toolCallId, toolName } of pending) transcript.push({ call: toolCallId, toolName });
    return pending;
  };

  const play = async (execution: Execution, steps: readonly PlatformStep[], response: ServerResponse) => {
    const abort = new AbortController();
    response.once('close', () => abort.abort());
    const write = (event: object) => response.write(`data: ${JSON.stringify(event)}\n\n`);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    write({ type: 'start', messageId: execution.messageId, executionId: execution.id });
    let ended = false;
    for (const [index, step] of steps.entries()) {
      if (typeof step === 'object' && 'hold' in step) await step.hold(abort.signal);
      if (abort.signal.aborted) return;
      if (typeof step === 'object' && 'cut' in step) return void response.destroy();
      for (const event of playStep(step, `${execution.messageId}-${execution.played}-${index}`)) {
        write(event);
        ended ||= event.type === 'finish' || event.type === 'error';
      }
    }
    const pending = announce(execution, steps);
    for (const { toolCallId, toolName, args } of pending) {
      write({ type: 'tool-input-start', toolCallId, toolName });
      write({ type: 'tool-input-delta', toolCallId, inputTextDelta: JSON.stringify(args) });
      write({ type: 'tool-input-end', toolCallId });
      write({ type: 'tool-input-available', toolCallId, toolName, input: args });
    }
    if (pending.length > 0) write({ type: 'tool-request', toolCalls: pending });
    const finishReason = pending.length > 0 ? 'tool-calls' : 'stop';
    if (!ended) write({ type: 'finish', finishReason, executionId: execution.id });
    response.end('data: [DONE]\n\n');
  };

  const refuse = (response: ServerResponse, status: number, body: unknown, headers: object = {}) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

  const answer = async (sessionId: string, body: Json, response: ServerResponse) => {
    const isContinuation = body.executionId !== undefined;
    const execution = isContinuation ? current.get(sessionId) : trigger(sessionId, body);
    const problem = isContinuation ? findProblem(execution, body) : undefined;
    if (execution === undefined || problem !== undefined) {
      refusals.push(problem ?? 'no execution');
      return refuse(response, 400, { error: problem });
    }
    // The client may send the same answers again if it did not read the response to its end. The response is played again.
    const isRepeated = isContinuation && isDeepStrictEqual(execution.unfinished, body.toolResults);
    if (!isRepeated) execution.played += 1;
    const next = execution.planned[execution.played - 1];
    if (next === undefined) {
      refusals.push(`request ${execution.played} of ${execution.id} was not expected`);
      return refuse(response, 500, { error: 'The script has no further request' });
    }
    if ('refuse' in next) return refuse(response, next.refuse, next.body ?? {}, next.headers);
    if (isContinuation && !isRepeated) accept(execution, body.toolResults as readonly Json[]);
    response.once('finish', () => {
      execution.unfinished = undefined;
    });
    await play(execution, next, response);
  };

  return {
    requests,
    transcript,
    refusals,
    handle(request, response) {
      const sessionId = /^\/api\/agent-sessions\/([^/]+)\/trigger$/.exec(request.url ?? '')?.[1];
      if (request.method !== 'POST' || sessionId === undefined)
        return refuse(response, 404, { error: 'Not found' });
      if (request.headers.authorization !== `Bearer ${PLATFORM_KEY}`) {
        return refuse(response, 401, { error: 'Invalid API key' });
      }
      void readJson(request).then((body) => {
        const ended = new Promise<'finished' | 'cut'>((resolve) => {
          response.once('close', () => resolve(response.writableFinished ? 'finished' : 'cut'));
        });
        // The other side may go away before the write.
        response.on('error', () => {});
        requests.push({ sessionId, body, ended });
        return answer(sessionId, body, response);
      });
    },
  };
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

async function readJson(request: IncomingMessage): Promise<Json> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  const body: unknown = JSON.parse(text);
  return isRecord(body) ? body : {};
}
