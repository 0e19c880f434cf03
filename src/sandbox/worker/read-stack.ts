import { INTERNAL, type ModuleGraph } from './module-graph.ts';

/** A place in the original source of a program. */
export interface Place {
  readonly filename: string;
  readonly line: number;
  readonly column: number;
}

/** A stack overflow has hundreds of equal frames. */
const MAX_FRAMES = 30;

/** `    at name (file:1:2)` or `    at file:1:2`, as QuickJS writes them. */
const FRAME = /^\s*at (?:(.*) \()?(.+):(\d+):(\d+)\)?$/;

/** Returns the frames of the program at their original places, and the place of the first one. Omits frames of the sandbox. */
export function readStack(stack: string, graph: ModuleGraph): { frames: string; place?: Place } {
  const frames: string[] = [];
  let place: Place | undefined;
  for (const text of stack.split('\n')) {
    const match = FRAME.exec(text);
    if (match === null) {
      if (text.trim() !== '') frames.push(`    ${text.trim()}`);
      continue;
    }
    const [, name, file = '', line, column] = match;
    if (file.startsWith(INTERNAL)) {
      // Frames of built-ins above a frame of the sandbox belong to the sandbox as well.
      while (frames.at(-1)?.endsWith('(native)')) frames.pop();
      continue;
    }
    const at = { line: Number(line), column: Number(column) };
    const original = graph.original(file, at);
    const { line: fromLine, column: fromColumn } = original ?? at;
    if (original !== undefined) place ??= { filename: file, ...original };
    const where = `${file}:${fromLine}:${fromColumn}`;
    frames.push(name === undefined ? `    at ${where}` : `    at ${name} (${where})`);
  }
  const left = frames.length - MAX_FRAMES;
  if (left > 0) frames.splice(MAX_FRAMES, left, `    ... and ${left} more`);
  return { frames: frames.join('\n'), ...(place && { place }) };
}

/** Formats a stack like V8: the name and the message come first. */
export function writeStack(name: string, message: string, frames: string): string {
  const head = message === '' ? name : `${name}: ${message}`;
  return frames === '' ? head : `${head}\n${frames}`;
}
