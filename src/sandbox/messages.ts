/** Messages between the page and the worker. All of them can be structured clones. */
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
  /** Path from the root of the graph, without `./` -> label and source of the module. */
  readonly modules: ReadonlyMap<string, { readonly label: string; readonly source: string }>;
  /** Names of the free identifiers; their values are in `capabilities`. */
  readonly globals: readonly string[];
  /** Bare specifiers with the names they export; the values are in `capabilities`. */
  readonly imports: readonly { readonly specifier: string; readonly names: readonly string[] }[];
  /** A packed `Capabilities` of `guest/protocol.ts`. */
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

/** The end of a run that was not terminated by the page. */
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
      /** The program cannot continue before the page answers a call. */
      readonly resting: boolean;
      /** The number of answers that the worker has received. If the page has sent more, the program soon continues. */
      readonly answers: number;
    };
