/** A run of the stand-in for the Mantyx platform: its script, its log of events, and its open calls. */

import type { Json } from './mantyx-platform-rules.ts';
import {
  describeCall,
  type MantyxAnswer,
  type MantyxCall,
  type MantyxEvent,
  type MantyxLine,
  type MantyxRun,
  type MantyxRunStatus,
  type MantyxScript,
  type MantyxStep,
  splitWords,
} from './mantyx-platform-script.ts';
import { describeOutcome, describeUsage, type RunVariants } from './mantyx-platform-variants.ts';

export interface RunInit {
  readonly id: string;
  readonly spec: Json;
  readonly text: string;
  readonly attempt: number;
  readonly sessionId: string | undefined;
  readonly script: MantyxScript;
  readonly nextCallId: () => string;
  readonly cut: (run: MantyxRun, how: 'now' | 'in-frame' | 'clean') => Promise<void>;
  /** A line of the transcript as a message of the model. */
  readonly note: (line: MantyxLine) => void;
  readonly onEnd: (run: MantyxRun) => void;
}

const TERMINAL = ['result', 'error', 'cancelled'];

export function createRun(init: RunInit, variants: RunVariants): MantyxRun {
  const { clock, localTimeout } = variants;
  const events: MantyxEvent[] = [];
  const transcript: MantyxLine[] = [];
  const listeners = new Set<() => void>();
  const answers = new Map<string, MantyxAnswer>();
  /** Open calls, with the function that cancels their timeout. */
  const open = new Map<string, () => void>();
  const abort = new AbortController();
  let status: MantyxRunStatus = 'running';
  let finalText: string | null = null;
  let failure: Json = {};
  let usage: Json = { tokens: null, turns: null, model: null };
  let turns = 0;
  let turnText = '';
  let wake = () => {};
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const isOver = () => status !== 'running';

  const note = (line: MantyxLine) => {
    transcript.push(line);
    init.note(line);
  };
  const emit = (type: string, payload: Json) => {
    events.push({ seq: events.length + 1, type, payload });
    for (const listener of [...listeners]) listener();
  };
  const completeTurn = (finishReason: string | null, calls: readonly Json[] = []) => {
    if (turnText === '' && calls.length === 0) return;
    const toolCalls = calls.map(({ toolUseId, name, args }) => ({ id: toolUseId, name, input: args }));
    const more = calls.length === 0 ? {} : { toolCalls };
    finalText = turnText;
    emit('assistant_message', { text: turnText, turn: turns, finishReason, ...more });
    turns += 1;
    turnText = '';
  };
  const close = (type: string, payload: Json) => {
    if (isOver()) return;
    if (type === 'error' && turnText !== '') completeTurn(readText(payload.finishReason));
    for (const cancelTimeout of open.values()) cancelTimeout();
    open.clear();
    const succeeded =
      type === 'result' && (payload.subtype ?? 'success') === 'success' && payload.ok !== false;
    status = type === 'cancelled' ? 'cancelled' : succeeded ? 'succeeded' : 'failed';
    if (type === 'error') {
      const { error, errorClass, finishReason, partialText } = payload;
      finalText = readText(partialText);
      failure = { error, failureReason: { errorClass, finishReason } };
    }
    const counted = type === 'cancelled' ? {} : describeUsage(variants, turns);
    usage = { ...usage, ...counted };
    emit(type, { ...payload, ...counted });
    wake();
    end();
    init.onEnd(run);
  };

  const settle = (toolUseId: string, answer: MantyxAnswer) => {
    open.get(toolUseId)?.();
    open.delete(toolUseId);
    answers.set(toolUseId, answer);
    if (open.size === 0) wake();
  };
  const expire = (toolUseId: string) => {
    if (abort.signal.aborted || localTimeout.outcome === 'continue') {
      if (!abort.signal.aborted) note({ timedOut: toolUseId });
      return settle(toolUseId, { error: `The tool timed out after ${localTimeout.afterMs} ms.` });
    }
    const error = `No result for ${toolUseId} within ${localTimeout.afterMs} ms.`;
    if (localTimeout.outcome === 'result') {
      return close('result', {
        ...describeOutcome(variants, false),
        subtype: 'error_local_tool_timeout',
        error,
      });
    }
    close('error', { error, code: 'local_timeout', errorClass: 'local_timeout', retryable: false });
  };
  const announce = (calls: readonly MantyxCall[]) => {
    const described = calls.map((call) => describeCall(init.spec, call.id ?? init.nextCallId(), call));
    completeTurn('tool_use', described);
    for (const call of described) {
      const id = String(call.toolUseId);
      open.set(
        id,
        clock.after(localTimeout.afterMs, () => expire(id)),
      );
      note({ call: id, toolName: String(call.name) });
      emit('local_tool_call', call);
    }
  };
  const allAnswered = async () => {
    if (open.size > 0 && !isOver()) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const stream = (type: string, text: string) => {
    for (const word of splitWords(text)) emit(type, { text: word });
  };

  const perform = async (step: MantyxStep): Promise<void> => {
    if (isOver()) return;
    if (typeof step === 'string') return perform({ text: step, message: step });
    if ('text' in step) {
      turnText += step.message;
      return stream('assistant_delta', step.text);
    }
    if ('thinking' in step) return stream('thinking_delta', step.thinking);
    if ('call' in step) return perform({ calls: [step] });
    if ('calls' in step) {
      announce(step.calls);
      for (const next of step.meanwhile ?? []) await perform(next);
      return allAnswered();
    }
    if ('serverTool' in step) {
      const { serverTool: name, input = {}, result, ok = true } = step;
      const toolUseId = init.nextCallId();
      completeTurn('tool_use', [{ toolUseId, name, args: input }]);
      emit('tool_call', { toolUseId, name, input });
      const outcome = variants.toolResultShape === 'result' ? { result } : { ok, summary: result };
      return emit('tool_result', { toolUseId, name, ...outcome });
    }
    if ('elsewhere' in step) {
      const { elsewhere, ...answer } = step;
      return void run.answer(elsewhere, answer);
    }
    if ('hold' in step) return void (await step.hold(abort.signal));
    if ('cut' in step) return init.cut(run, step.cut);
    if (TERMINAL.includes(step.event)) return close(step.event, step.payload ?? {});
    emit(step.event, step.payload ?? {});
  };

  const play = async () => {
    const { text, attempt, sessionId, spec } = init;
    note({ user: text });
    emit('started', {});
    const turn = { text, attempt, sessionId, spec, answers, signal: abort.signal };
    try {
      for await (const step of init.script(turn)) {
        await perform(step);
        if (isOver()) return;
        if (abort.signal.aborted) break;
      }
    } catch (thrown) {
      // A cancelled script may throw the abort reason.
      if (!abort.signal.aborted)
        return close('error', { error: String(thrown), code: 'server', errorClass: 'server' });
    }
    if (abort.signal.aborted) return close('cancelled', {});
    completeTurn('end_turn');
    close('result', { ...describeOutcome(variants, true), text: finalText ?? '' });
  };

  const run: MantyxRun = {
    id: init.id,
    spec: init.spec,
    sessionId: init.sessionId,
    events,
    transcript,
    ended,
    get status() {
      return status;
    },
    get finalText() {
      return finalText;
    },
    get open() {
      return [...open.keys()];
    },
    snapshot: () => ({
      id: init.id,
      status,
      finalText: isOver() ? finalText : null,
      error: null,
      failureReason: null,
      ...failure,
      spec: init.spec,
      ...usage,
    }),
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    answer(toolUseId, answer) {
      if (abort.signal.aborted) {
        settle(toolUseId, answer);
        return 'ignored';
      }
      if (isOver()) return 'over';
      if (!open.has(toolUseId)) return 'unknown';
      note({ answer: toolUseId, ...answer });
      const given =
        variants.resultInShape === 'output' ? { output: answer.result ?? answer.error } : { ...answer };
      emit('local_tool_result_in', { toolUseId, ...given });
      settle(toolUseId, answer);
      return 'taken';
    },
    cancel: () => abort.abort(),
  };
  void play();
  return run;
}

function readText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
