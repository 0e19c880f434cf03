/** How a run ends: the outcomes of failed runs, with errors at their places in the original source. */
import type { Thrown } from '../guest/protocol.ts';
import type { Outcome, RunRequest } from '../messages.ts';
import type { LinkFailure, ModuleGraph } from './module-graph.ts';
import { readStack, writeStack } from './read-stack.ts';

/** The limit for each text of an error, in characters. A program may throw an error with a message of many megabytes. */
const MAX_ERROR_TEXT = 10_000;

/** The outcome of an error that left the program. `started`: the program's first line was reached. */
export function failedOutcome(
  thrown: Thrown,
  { filename, memoryLimitBytes }: RunRequest,
  graph: ModuleGraph,
  started: boolean,
): Outcome {
  const linkFailure = findLinkFailure(thrown, graph);
  if (linkFailure !== undefined) return linkErrorOutcome(linkFailure);
  const { name, message, stack } = thrown;
  // The engine refuses sizes beyond its own limits without asking for the memory.
  if (name === 'InternalError' && /^(out of memory|string too long)$/.test(message))
    return memoryOutcome(memoryLimitBytes);
  const { frames, place } = readStack(stack, graph);
  const error = { name, message, stack: writeStack(name, message, frames), ...place };
  if (thrown.link) return { status: 'link_error', error: { ...error, specifier: filename } };
  if (started || graph.latest === undefined) return { status: started ? 'error' : 'link_error', error };
  // The engine could not parse the module, and its error may have no place.
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

/** The outcome of an exception of the engine itself: its native stack overflowed, or it broke. No program can catch it. */
export function brokenEngineOutcome(thrown: unknown, started: boolean): Outcome {
  const { name, message } = thrown as Error;
  const overflow = name === 'RangeError' || message === 'stack overflow';
  const error = {
    name: 'InternalError',
    message: overflow ? 'stack overflow' : `The engine gave up: ${message}`,
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
