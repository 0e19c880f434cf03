import type { CodeExecution, CodeExecutionOptions } from './code-execution.ts';
import { createSandbox, type Sandbox } from './create-sandbox.ts';

let shared: Sandbox | undefined;

/**
 * Runs JavaScript or TypeScript in a sandbox that has no file system, network, timers or host globals: only what
 * `options` hands in. Works in browsers and in Node. The engine is loaded on first use.
 *
 * Values cross the border as copies, in both directions: JSON data, `undefined`, bigint, `Date`, `RegExp`, `Map`,
 * `Set`, typed arrays, `Error` (name, message, stack of the sandbox) and cycles. Functions in `imports`, `globals` and
 * `args` become async bridges; functions, symbols, promises and other live things that would leave the sandbox are
 * refused with a `DataCloneError` that names their place. One value may hold 4 Mi characters of JSON and 16 MiB of
 * binary data, and a run may send out 32 MiB in total.
 *
 * @throws TypeError when an option is not what it should be; nothing has run then.
 * @see CodeExecutionOptions for the protocol document.
 */
export function runCode(source: string, options?: CodeExecutionOptions): CodeExecution {
  return sharedSandbox().runCode(source, options);
}

/** The sandbox of {@link runCode}: to warm it up before the first run, or to end its workers. */
export function sharedSandbox(): Sandbox {
  shared ??= createSandbox();
  return shared;
}
