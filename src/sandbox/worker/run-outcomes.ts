/** Creates the outcomes of failed runs. Their errors have the file and line of the source before transpilation. */
import type { Thrown } from '../guest/protocol.ts';
import type { Outcome, RunRequest } from '../messages.ts';
import type { LinkFailure, ModuleGraph } from './module-graph.ts';
import { readStack, writeStack } from './read-stack.ts';

/** The limit for each text of an error, in characters. A program may throw an error with a message of many megabytes. */
const MAX_ERROR_TEXT = 10_000;

/**
 * Returns the outcome of an error that the program did not catch.
 *
 * @param started True once the program's own code has begun to run. Until then the error is a link error.
 */
export function failedOutcome(
  thrown: Thrown,
  { filename, memoryLimitBytes }: RunRequest,
  graph: ModuleGraph,
  started: boolean,
): Outcome {
  const linkFailure = findLinkFailure(thrown, graph);
  if (linkFailure !== undefined) return linkErrorOutcome(linkFailure);
  const { name, message, stack } = thrown;
  // QuickJS refuses such sizes before it allocates, so the memory limit never notices them.
  if (name === 'InternalError' && /^(out of memory|string too long)$/.test(message))
    return memoryOutcome(memoryLimitBytes);
  const { frames, place } = readStack(stack, graph);
  const error = { name, message, stack: writeStack(name, message, frames), ...place };
  if (thrown.link) return { status: 'link_error', error: { ...error, specifier: filename } };
  if (started || graph.latest === undefined) return { status: started ? 'error' : 'link_error', error };
  // The module did not parse. The error may have no position: then the module that was loaded last is the one.
  const failed = place?.filename ?? graph.latest;
  return { status: 'link_error', error: { ...error, specifier: failed, filename: failed } };
}

function findLinkFailure({ name, message }: Thrown, graph: ModuleGraph): LinkFailure | undefined {
  const known = graph.failures.find((failure) => failure.message === message && failure.name === name);
  if (known !== undefined) return known;
  return name === 'SyntaxError' ? graph.missingExport(message) : undefined;
}

export function linkErrorOutcome({ position, ...failure }: LinkFailure): Outcome {
  return { status: 'link_error', error: { ...failure, ...position } };
}

export function memoryOutcome(memoryLimitBytes: number): Outcome {
  const message = `The sandbox needed more than ${memoryLimitBytes} bytes of memory`;
  return { status: 'memory', error: { name: 'MemoryLimitError', message } };
}

/** Returns the outcome when QuickJS itself throws: its native stack overflowed, or WebAssembly failed. The program cannot catch that. */
export function brokenEngineOutcome(thrown: unknown, started: boolean): Outcome {
  const { name, message } = thrown as Error;
  const overflow = name === 'RangeError' || message === 'stack overflow';
  const error = {
    name: 'InternalError',
    message: overflow ? 'stack overflow' : `The JavaScript engine failed: ${message}`,
  };
  return { status: started ? 'error' : 'link_error', error };
}

/** Cuts the texts of an error. The codec bounds only the values of a program, so no other limit applies to these texts. */
export function shortenError(outcome: Outcome): Outcome {
  if (outcome.status === 'success') return outcome;
  const fields = Object.entries(outcome.error).map(([name, value]) => [
    name,
    typeof value === 'string' && value.length > MAX_ERROR_TEXT ? `${value.slice(0, MAX_ERROR_TEXT)}…` : value,
  ]);
  return { ...outcome, error: Object.fromEntries(fields) };
}
