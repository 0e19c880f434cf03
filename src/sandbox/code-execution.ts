/**
 * The contract of `runCode`. It follows `ThreadState.runCode` in section "Code Execution" of the Standard Agents
 * specification 0.15. Where the specification leaves a choice to the runtime, the comments state the choice.
 */

/** Options of `runCode`. The sandbox has no capability but those given in `imports`, `modules` and `globals`. */
export interface CodeExecutionOptions {
  /**
   * The export to run, and its arguments. Default `{ fn: 'default', args: [] }`. A function is called with `args`
   * and the value it returns is awaited. Any other value is the result itself, and then `args` must be empty.
   * A missing export, or arguments for a value, is a `link_error`.
   */
  readonly execute?: { readonly fn?: string; readonly args?: readonly unknown[] };
  /** Bare specifier -> export name -> value. `default` is the default export. Functions become async bridges. */
  readonly imports?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /**
   * Relative specifier from the root of the graph (`'./lib/math.js'`) -> source. The entry resolves from
   * `filename`. Specifiers are matched exactly, without guessing an extension.
   */
  readonly modules?: Readonly<Record<string, string>>;
  /** Free identifiers of every module; never on `globalThis`. Functions become async bridges. */
  readonly globals?: Readonly<Record<string, unknown>>;
  /** Default `typescript`. Types are erased, never checked. With `javascript` only modules named `.ts` are erased. */
  readonly language?: 'javascript' | 'typescript';
  /**
   * Heap of the sandbox in bytes. Default 64 MiB, at most 1 GiB. A program that needs more ends with status `memory`. An
   * empty program needs about 150 kB.
   */
  readonly memoryLimitBytes?: number;
  /** Label in stacks and in `error.filename`; relative imports of the entry start from it. Default `<runCode>`. */
  readonly filename?: string;
  /**
   * Installs the global `report`. Reported values go to this callback, to the live `reports` and to the result. If the
   * callback throws, the run is terminated, and the message contains the error.
   */
  readonly report?: (value: unknown) => void;
}

/**
 * A run. Await it for the result; it never rejects.
 *
 * The specification has no time limit: set a timer and call `terminate`.
 */
export interface CodeExecution extends PromiseLike<CodeExecutionResult> {
  /**
   * Ends the run at once, also inside a tight loop: status `terminated`, with `reason` in `error.message`.
   * Later calls change nothing.
   */
  terminate(reason?: string): void;
  /** True until the run settled. */
  readonly running: boolean;
  /** The values reported so far, in order. A frozen snapshot: the same array until the program reports another value. */
  readonly reports: readonly unknown[];
}

/**
 * - `success`: the module evaluated and the chosen export resolved
 * - `error`: an uncaught error inside, or a result that cannot leave the sandbox (`DataCloneError`)
 * - `memory`: `memoryLimitBytes` was exceeded
 * - `terminated`: by `terminate()` or by the sandbox's own safety cap; the message names the reason
 * - `link_error`: unknown specifier, missing export, or source that does not parse
 */
export type CodeExecutionStatus = 'success' | 'error' | 'memory' | 'terminated' | 'link_error';

/** A captured `console` call. */
export interface CodeExecutionLog {
  readonly level: 'log' | 'info' | 'warn' | 'error' | 'debug';
  /** Deep copies. A text describes each value that cannot be copied. */
  readonly args: readonly unknown[];
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
}

/** The reason why a run has no result. Its stack has only frames of the program, at positions in the original source. */
export interface CodeExecutionError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  /** The specifier that failed to link. */
  readonly specifier?: string;
  /** The module that contains `line` and `column`. */
  readonly filename?: string;
  /** From 1. */
  readonly line?: number;
  /** From 1. */
  readonly column?: number;
}

/** The outcome of a run. */
export interface CodeExecutionResult {
  readonly status: CodeExecutionStatus;
  /** Present when `status` is `success`; may be `undefined`. */
  readonly result?: unknown;
  /** Empty without `report`. */
  readonly reports: readonly unknown[];
  /** Empty when `globals` has a `console`. */
  readonly logs: readonly CodeExecutionLog[];
  /** Present when `status` is not `success`. */
  readonly error?: CodeExecutionError;
  /** Wall clock from getting a worker to settling; loading the engine and waiting for a place do not count. */
  readonly durationMs: number;
  /** Size of the largest heap that the sandbox measured, in bytes. Absent when the run was terminated. */
  readonly memoryUsedBytes?: number;
}
