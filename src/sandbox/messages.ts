/** Messages between the page and the worker. Everything here survives structured clone. */
import type { CodeExecutionError, CodeExecutionLog } from './code-execution.ts';
import type { Packed } from './codec/create-encoder.ts';

/** A run as the worker gets it. */
export interface RunRequest {
  readonly source: string;
  readonly filename: string;
  readonly language: 'javascript' | 'typescript';
  readonly memoryLimitBytes: number;
  /** The export to run; the default export when absent. */
  readonly fn?: string;
  /** Path from the root of the graph, without `./` -> the label and the source of the module. */
  readonly modules: ReadonlyMap<string, { readonly label: string; readonly source: string }>;
  /** Names of the free identifiers; their values are in `capabilities`. */
  readonly globals: readonly string[];
  /** Bare specifiers with the names they export; the values are in `capabilities`. */
  readonly imports: readonly { readonly specifier: string; readonly names: readonly string[] }[];
  /** A packed `Capabilities` of `guest/protocol.ts`. */
  readonly capabilities: Packed;
}

export type ToWorker =
  /** First. The engine, compiled once for all workers, and how much stack a program may use in it. */
  | { readonly type: 'boot'; readonly engine: WebAssembly.Module; readonly stackBytes: number }
  | { readonly type: 'run'; readonly run: number; readonly request: RunRequest }
  | {
      readonly type: 'settle';
      readonly run: number;
      readonly call: number;
      readonly fulfilled: boolean;
      readonly answer: Packed;
    };

/** How a run ended by itself. */
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
  /** The worker has the engine and takes runs. */
  | { readonly type: 'ready' }
  /** The engine could not be started. */
  | { readonly type: 'failed'; readonly message: string }
  | {
      readonly type: 'output';
      readonly run: number;
      readonly items: readonly Output[];
      /** Nothing left to do until a call is answered. */
      readonly resting: boolean;
      /** Answers that have arrived. Others may be on their way, and then it does not rest for long. */
      readonly answers: number;
    };
