/** Messages between the page and the worker. All of them can be sent with `postMessage`. */
import type { CodeExecutionError, CodeExecutionLog } from './code-execution.ts';
import type { Packed } from './codec/create-encoder.ts';

/** The program, its settings and its capabilities, as the page sends them to the worker. */
export interface RunRequest {
  readonly source: string;
  readonly filename: string;
  readonly language: 'javascript' | 'typescript';
  readonly memoryLimitBytes: number;
  /** The export to run. Absent: the default export. */
  readonly fn?: string;
  /**
   * The modules by their path from the root of the module graph, without `./`. `label` is the name that stack traces show.
   */
  readonly modules: ReadonlyMap<string, { readonly label: string; readonly source: string }>;
  /** Names of the global variables that the program gets. Their values are in `capabilities`. */
  readonly globals: readonly string[];
  /** Bare specifiers with the names they export; the values are in `capabilities`. */
  readonly imports: readonly { readonly specifier: string; readonly names: readonly string[] }[];
  /** The functions and values that the program gets: `Capabilities` of `guest/protocol.ts`, encoded for the transfer. */
  readonly capabilities: Packed;
}

export type ToWorker =
  /** The first message: the engine, compiled once for all workers, and the stack that a program may use. */
  | { readonly type: 'boot'; readonly engine: WebAssembly.Module; readonly stackBytes: number }
  | { readonly type: 'run'; readonly run: number; readonly request: RunRequest }
  | {
      readonly type: 'settle';
      readonly run: number;
      readonly call: number;
      readonly fulfilled: boolean;
      readonly answer: Packed;
    };

/** The end of a run that the page did not terminate. */
export type Outcome =
  | { readonly status: 'success'; readonly value: Packed }
  | { readonly status: 'error' | 'memory' | 'link_error'; readonly error: CodeExecutionError };

export type Output =
  | {
      readonly type: 'log';
      readonly level: CodeExecutionLog['level'];
      readonly args: Packed;
      readonly timestamp: number;
    }
  | { readonly type: 'report'; readonly value: Packed }
  | { readonly type: 'call'; readonly call: number; readonly bridge: number; readonly args: Packed }
  | { readonly type: 'done'; readonly outcome: Outcome; readonly memoryUsedBytes: number };

export type FromWorker =
  /** The worker has started an engine and accepts runs. */
  | { readonly type: 'ready' }
  /** The engine could not be started. */
  | { readonly type: 'failed'; readonly message: string }
  | {
      readonly type: 'output';
      readonly run: number;
      readonly items: readonly Output[];
      /** True if the program cannot continue before the page answers a call. */
      readonly isWaiting: boolean;
      /** How many answers have reached the worker. If the page has sent more, the others are on their way and the program continues. */
      readonly answers: number;
    };
