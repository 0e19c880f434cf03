import { INTERNAL, type ModuleGraph } from './module-graph.ts';

/** Where a program failed, in its original source. */
export interface Place {
  readonly filename: string;
  readonly line: number;
  readonly column: number;
}

/** A recursion that ran over has hundreds of equal frames. */
const MOST_FRAMES = 30;

/** `    at name (file:1:2)` or `    at file:1:2`, as QuickJS writes them. */
const FRAME = /^\s*at (?:(.*) \()?(.+):(\d+):(\d+)\)?$/;

/** The frames of the program at their original places, and the first of them. Frames of the sandbox itself are left out. */
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
      // The built-ins between our code and the program's are ours as well.
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
  const left = frames.length - MOST_FRAMES;
  if (left > 0) frames.splice(MOST_FRAMES, left, `    ... and ${left} more`);
  return { frames: frames.join('\n'), ...(place && { place }) };
}

/** An error's stack as V8 writes it, its name and message first. */
export function writeStack(name: string, message: string, frames: string): string {
  const head = message === '' ? name : `${name}: ${message}`;
  return frames === '' ? head : `${head}\n${frames}`;
}
